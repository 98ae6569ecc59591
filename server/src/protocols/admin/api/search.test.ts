import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { merchantId, type PanelClient, panelOf } from '../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../test/shop.ts'
import { paymentFilters } from './endpoints/payments/payments.ts'

let shop: Shop
let owner: PanelClient
let demo: string
before(async () => {
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
  demo = await merchantId(shop, 'demo')
})
after(() => shop[Symbol.asyncDispose]())

const findOrders = async (query: string, browser = owner): Promise<readonly string[]> =>
  (await browser.get(`/payments?${query}`)).body.payments.map(({ id }: { id: string }) => id)

/** A subscription to which the payment belongs. */
async function addSubscription(paymentId: string): Promise<string> {
  const [chain, schedule, subscription] = [randomUUID(), randomUUID(), randomUUID()]
  const { pool } = shop.base
  await pool.query(
    `insert into chains (merchant_id, id, first_payment, kind, created_at) values ($1, $2, $3, 'sale', now())`,
    [demo, chain, paymentId],
  )
  await pool.query(
    `insert into schedules (merchant_id, id, name, interval_length, interval_unit, payments_count, delayed_first_payment, created_at)
     values ($1, $2, 'Monthly', 1, 'month', 12, 'none', now())`,
    [demo, schedule],
  )
  await pool.query(
    `insert into subscriptions (merchant_id, id, chain_id, schedule_id, state, d, time_of_day, amount_minor, amount_decimals, plan,
       started_by, created_at) values ($1, $2, $3, $4, 'ended', now(), '12:00', 1, 2, '{}', $5, now())`,
    [demo, subscription, chain, schedule, paymentId],
  )
  await pool.query('update payments set chain_id = $2, subscription_id = $3 where id = $1', [
    paymentId,
    chain,
    subscription,
  ])
  return subscription
}

describe('search', () => {
  test('every filter finds the payment that fits, and not the one that does not', async () => {
    const id: string = (await shop.sale({ payer_email: 'Finder@Example.com', order_amount: '12.34' })).body.trans_id
    const other: string = (
      await shop.sale(
        { order_amount: '99.00', order_currency: 'USD', card_number: '5555555555554444' },
        { merchant: 'demo-no-moto', mode: 'test' },
      )
    ).body.trans_id
    await shop.base.pool.query(`update payments set facts = facts || $2::jsonb where id = $1`, [
      id,
      JSON.stringify({
        wallet: { name: 'walletapay', panType: 'DPAN' },
        brand: { code: 'some-brand' },
        storedCredential: { initiator: 'merchant', sequence: 'subsequent', source: 'recurring' },
        issuer: { country: 'AT' },
        threeDs: {
          threeDSServerTransID: 'S',
          transStatus: 'Y',
          dsTransID: 'D',
          acsTransID: 'A',
          xid: 'X',
          authenticationFlow: 'Challenge',
        },
      }),
    ])
    const subscription = await addSubscription(id)
    await shop.base.pool.query(
      `update payments set payer = payer || '{"first_name":"Ada","last_name":"Lovelace","country":"FR"}', payer_ip = '203.0.113.77',
         decline_reason = 'Own reason', facts = facts || '{"network":"own-network"}' where id = $1`,
      [id],
    )
    await shop.base.pool.query(`update transactions set facts = facts || '{"arn":"ARN-1"}' where payment_id = $1`, [id])
    const tagged = await owner.send('PUT', `/merchants/${demo}/payments/${id}/tags`, { tags: ['called'] })
    assert.equal(tagged.http, 200)
    const { rows } = await shop.base.pool.query('select * from payments where id = $1', [id])
    const payment = rows[0]
    // biome-ignore format: a table is read in columns.
    const fitting: Readonly<Record<keyof typeof paymentFilters, string>> = {
      paymentId: id, merchantId: demo, midId: payment.mid_id, connector: 'sandbox', status: 'SETTLED', orderId: payment.order_id,
      currency: 'EUR', amountFrom: '1234', amountTo: '1234', test: 'false', payerEmail: 'finder@example.com',
      card: '4111 11xx xxxx 1111', cardId: payment.card_id, brand: 'some-brand', wallet: 'walletapay', panType: 'DPAN', threeDSServerTransID: 'S',
      transStatus: 'Y', dsTransID: 'D', acsTransID: 'A', xid: 'X', transFlow: 'Challenge', initiator: 'merchant',
      sequence: 'subsequent', source: 'recurring', amount: '12.34', amountMin: '12.34', amountMax: '12.34', reference: 'aRN-1',
      subscriptionId: subscription, tag: 'Called', payerName: 'ada LOVE', payerIp: '203.0.113.77', country: 'fr', declineReason: 'Own reason',
      issuerCountry: 'at', bin: '411111', outcome: 'approved', protocol: 'S2S_CARD', kind: 'sale', network: 'own-network', lastFour: '1111', attempts: 'last',
      from: new Date(payment.created_at.getTime()).toISOString(), to: new Date(payment.created_at.getTime() + 1).toISOString(),
    }
    const shared = ['connector', 'status', 'amountFrom', 'amountMin', 'from', 'protocol', 'kind', 'attempts', 'outcome']
    for (const name of Object.keys(paymentFilters) as (keyof typeof paymentFilters)[]) {
      const digits = name === 'cardId' ? { card: fitting.card } : {}
      const ids = await findOrders(new URLSearchParams({ ...digits, [name]: fitting[name] }).toString())
      assert.ok(ids.includes(id), name)
      if (!shared.includes(name)) assert.ok(!ids.includes(other), name)
    }
    assert.deepEqual(await findOrders(new URLSearchParams(fitting).toString()), [id], 'all together')
    assert.deepEqual(await findOrders('status=SETTLED&xid=none'), [])
  })

  test('what is no filter, or no value of one, is refused by its name', async () => {
    const unknown = await owner.get('/payments?colour=red')
    assert.equal(unknown.http, 422)
    const wrong = await owner.get('/payments?card=411111')
    assert.equal(wrong.body.error.fields[0].field, 'card')
    const alone = await owner.get(`/payments?cardId=${crypto.randomUUID()}`)
    assert.deepEqual([alone.http, alone.body.error.fields[0].field], [422, 'cardId'])
    assert.match(alone.body.error.fields[0].text, /Give the card’s digits as well/)
  })

  test('an amount without a currency is found by the decimals of each currency', async () => {
    const amounts = [
      ['JPY', '52100'],
      ['EUR', '521.00'],
      ['KWD', '52.100'],
    ] as const
    const ids: string[] = []
    for (const [order_currency, order_amount] of amounts)
      ids.push((await shop.sale({ order_currency, order_amount, order_id: 'DECIMALS' })).body.trans_id)
    const found = (query: string) => findOrders(`orderId=decimals&${query}`)
    assert.deepEqual(await found('amount=52100'), [ids[0]])
    assert.deepEqual(await found('amount=521'), [ids[1]])
    assert.deepEqual(await found('amount=52.1'), [ids[2]])
    assert.deepEqual(await found('amount=52.1&currency=EUR'), [])
    assert.deepEqual(await found('amountMin=521'), [ids[1], ids[0]])
    assert.deepEqual(await found('amountMax=521.00'), [ids[2], ids[1]])
  })

  test('an amount that cannot be one is refused by the list and by the export alike', async () => {
    for (const filter of [
      { amount: 'abc' },
      { amountMin: '1,000.00' },
      { amount: '1.5', currency: 'JPY' },
      { currency: '€' },
    ]) {
      const list = await owner.get(`/payments?${new URLSearchParams({ ...filter })}`)
      const exported = await owner.post('/exports', { filter })
      assert.deepEqual([list.http, exported.http], [422, 422], JSON.stringify(filter))
    }
  })

  test('an order number is found by its beginning in any case, and its signs are no patterns', async () => {
    const id: string = (await shop.sale({ order_id: 'Mixed_Case-1' })).body.trans_id
    assert.deepEqual(await findOrders('orderId=mixed_c'), [id])
    assert.deepEqual(await findOrders('orderId=mixed%25'), [])
    assert.deepEqual(await findOrders('orderId=mixedXc'), [])
  })

  test('pages follow one another without a gap or a repeat, newest first', async () => {
    const ids: string[] = []
    for (let index = 0; index < 7; index += 1) ids.unshift((await shop.sale({ order_id: 'PAGED' })).body.trans_id)
    const pages: string[] = []
    for (let before = ''; ; ) {
      const page = await findOrders(`orderId=PAGED&limit=3${before && `&before=${before}`}`)
      pages.push(...page)
      if (page.length === 0) break
      before = page.at(-1) ?? ''
    }
    assert.deepEqual(pages, ids)
  })

  test('people of a merchant find their own payments alone, whatever they ask for', async () => {
    const other = await merchantId(shop, 'demo-no-moto')
    const foreign: string = (await shop.sale({ order_id: 'FOREIGN' }, { merchant: 'demo-no-moto' })).body.trans_id
    const viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
    assert.deepEqual(await findOrders('orderId=FOREIGN', viewer), [])
    assert.deepEqual(await findOrders(`merchantId=${other}`, viewer), [])
    assert.deepEqual(await findOrders(`paymentId=${foreign}`, viewer), [])
    assert.deepEqual(await findOrders('orderId=FOREIGN'), [foreign])
  })
})

describe('details', () => {
  test('timeline, routing, ledger and callbacks with bodies and answers are shown', async () => {
    const id: string = (await shop.sale({ auth: 'Y' })).body.trans_id
    await shop.followUp('CAPTURE', id)
    await shop.callbacks(id)
    const { body } = await owner.get(`/merchants/${demo}/payments/${id}`)
    assert.deepEqual(
      body.timeline.map(({ type, state }: { type: string; state: string }) => `${type} ${state}`),
      ['AUTH success', 'CAPTURE success'],
    )
    assert.equal(body.routing.ordered[0].midName, 'sandbox-live')
    assert.equal(body.payment.cardMask, '411111******1111')
    assert.equal(body.ledger.length, (await shop.postings(id)).length)
    const [callback] = body.callbacks
    assert.match(callback.body, /trans_id/)
    assert.equal(callback.attempts[0].acknowledged, true)
    assert.equal(callback.attempts[0].httpStatus, 200)
  })

  test('neither a card number nor a token that pays is in them', async () => {
    const id: string = (await shop.sale({ req_token: 'Y', recurring_init: 'Y' })).body.trans_id
    await shop.service.awaitIdle()
    const { body, text } = await owner.get(`/merchants/${demo}/payments/${id}`)
    assert.ok(!text.includes('4111111111111111'))
    const { callbacks: _, ...rest } = body
    const { rows } = await shop.base.pool.query(`select facts from payments where id = $1`, [id])
    const { issuedToken, recurringToken } = rows[0].facts
    assert.ok(issuedToken && recurringToken)
    for (const token of [issuedToken, recurringToken]) assert.ok(!JSON.stringify(rest).includes(token))
  })

  test('a callback is sent again, one or all of a range, and the audit log says so', async () => {
    const id: string = (await shop.sale()).body.trans_id
    const before = (await shop.callbacks(id)).length
    const [callback] = (await owner.get(`/merchants/${demo}/callbacks?paymentId=${id}`)).body.callbacks
    assert.equal((await owner.post(`/merchants/${demo}/callbacks/${callback.id}/resend`)).body.result, 'resent')
    assert.equal((await shop.callbacks(id)).length, before + 1)
    const range = {
      from: callback.createdAt,
      to: new Date(Date.parse(callback.createdAt) + 1).toISOString(),
      state: 'delivered',
    }
    assert.equal((await owner.post(`/merchants/${demo}/callbacks/resend`, range)).body.resent, 1)
    assert.equal((await shop.callbacks(id)).length, before + 2)
    const { entries } = (await owner.get(`/audit?subject=callback ${callback.id}`)).body
    assert.equal(entries[0].action, 'callback.resend')
  })

  test('a callback of a merchant that has moved is sent to its current address on request, and otherwise to its own', async () => {
    const id: string = (await shop.sale()).body.trans_id
    await shop.service.awaitIdle()
    const [callback] = (await owner.get(`/merchants/${demo}/callbacks?paymentId=${id}`)).body.callbacks
    const { rows } = await shop.base.pool.query('select notification_url from merchants where id = $1', [demo])
    const moveTo = async (url: string | null) => {
      await shop.base.pool.query('update merchants set notification_url = $2 where id = $1', [demo, url])
      await shop.service.configuration.refresh()
    }
    const resend = (body: object) => owner.post(`/merchants/${demo}/callbacks/${callback.id}/resend`, body)
    const urlOf = async () => (await owner.get(`/merchants/${demo}/callbacks?paymentId=${id}`)).body.callbacks[0].url
    const moved = `${callback.url}?moved`
    try {
      await moveTo(moved)
      assert.equal((await resend({})).body.result, 'resent')
      await shop.service.awaitIdle()
      assert.equal(await urlOf(), callback.url)
      assert.equal((await resend({ target: 'current' })).body.result, 'resent')
      await shop.service.awaitIdle()
      assert.equal(await urlOf(), moved)
      await moveTo(null)
      const refused = await resend({ target: 'current' })
      assert.deepEqual([refused.http, refused.body.error.fields[0].field], [422, 'target'])
    } finally {
      await moveTo(rows[0].notification_url)
    }
    const { entries } = (await owner.get(`/audit?subject=callback ${callback.id}`)).body
    assert.ok(JSON.stringify(entries[0]).includes('current'))
  })
})
