import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pan10 } from '#domain/card.ts'
import { addDays, dayIn, instantAt } from '#domain/schedule/day.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../../../../../test/account.ts'
import { attemptsOf, setFaults, softDeclines } from '../../../../../../test/cascades.ts'
import { merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

interface Named {
  readonly name: string | null
  readonly payments: number
}

let shop: Shop
let demo: string
let other: string
let owner: PanelClient
let viewer: PanelClient

before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
  owner = await panelOf(shop)
  viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
  const held = await shop.sale({ auth: 'Y' })
  await command(held.body.trans_id, 'capture', { amountMinor: '750' })
  await shop.sale({})
  await command((await shop.sale({})).body.trans_id, 'refund')
  await command((await shop.sale({})).body.trans_id, 'void')
  await shop.sale({ auth: 'Y' })
  await shop.sale({ card_exp_month: '02' })
  await shop.sale({}, { merchant: 'demo-dms' })
  await shop.service.awaitIdle()
})

async function command(paymentId: string, verb: string, body: object = {}): Promise<void> {
  const { http, text } = await owner.post(`/merchants/${demo}/payments/${paymentId}/${verb}`, body)
  assert.equal(http, 200, text)
}
after(() => shop[Symbol.asyncDispose]())

describe('figures', () => {
  test('payments of a merchant are counted by their fate, and the approval rate is of those decided', async () => {
    const { body } = await owner.get(`/dashboard?merchantId=${demo}`)
    const [total] = body.totals
    assert.equal(body.totals.length, 1)
    assert.deepEqual([total.payments, total.approved, total.declined, total.open], [6, 5, 1, 0])
    assert.equal(total.approvalRate, 5 / 6)
    const { rows } = await shop.base.pool.query(
      'select sum(captured_minor)::text as captured, sum(refunded_minor)::text as refunded from payments where merchant_id = $1',
      [demo],
    )
    assert.deepEqual([total.capturedMinor, total.refundedMinor], [rows[0].captured, rows[0].refunded])
  })

  test('without dates the figures are of the last seven days of the zone, today included', async () => {
    for (const zone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']) {
      const { body } = await owner.get(`/dashboard?merchantId=${demo}&zone=${encodeURIComponent(zone)}`)
      const today = dayIn(shop.base.clock.now(), zone)
      assert.equal(body.from, instantAt(`${addDays(today, -6)} 00:00:00`, zone).toISOString())
    }
  })

  test('a payout is never captured: it is counted apart, by its kind, on the dashboard and in the export', async () => {
    const before = (await owner.get(`/dashboard?merchantId=${demo}`)).body
    const card_number = '4601541833776519'
    const { key, password } = shop.merchant()
    const { body: payout } = await shop.raw({
      action: 'CREDIT2CARD',
      client_key: key,
      card_number,
      order_id: 'PAYOUT-1',
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Winnings',
      hash: shop.sign(cardFormulas.credit, { pan10: pan10(card_number) }, password),
    })
    assert.equal(payout.status, 'SETTLED', JSON.stringify(payout))
    await shop.service.awaitIdle()
    const { totals, byKind, ...charts } = (await owner.get(`/dashboard?merchantId=${demo}`)).body
    assert.deepEqual(totals, before.totals)
    assert.deepEqual(charts.overTime, before.overTime)
    assert.deepEqual([before.payoutsOverTime, charts.transfersOverTime], [[], []])
    assert.deepEqual(
      charts.payoutsOverTime.map(
        ({ currency, decimals, amountMinor }: { currency: string; decimals: number; amountMinor: string }) => ({
          currency,
          decimals,
          amountMinor,
        }),
      ),
      [{ currency: 'EUR', decimals: 2, amountMinor: '1000' }],
    )
    const kinds = byKind.map((row: { kind: string; payments: number; amountMinor: string }) => [
      row.kind,
      row.payments,
      row.amountMinor,
    ])
    assert.deepEqual(kinds.toSorted(), [
      ['credit', 1, '1000'],
      ['sale', 6, before.totals[0].capturedMinor],
    ])
    const { id } = (await owner.post('/exports', { filter: { paymentId: payout.trans_id } })).body
    const [head = '', row = ''] = (await owner.get(`/exports/${id}/content`)).text.split(/\r?\n/)
    const cells = Object.fromEntries(head.split(',').map((name, index) => [name, row.split(',')[index]]))
    assert.deepEqual([cells['kind'], cells['captured'], cells['paid_out']], ['credit', '0.00', '10.00'])
  })

  test('a list of names that is cut says how many there are', async () => {
    const account = await openAccount(shop)
    const { body: sale } = await shop.sale({}, { merchant: account })
    await shop.service.awaitIdle()
    const figures = async () => (await owner.get(`/dashboard?merchantId=${await merchantId(shop, account)}`)).body
    assert.equal((await figures()).namesTotal.byNetwork, 1)
    await shop.base.pool.query(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object(
         'id', left(p.id::text, 24) || lpad(n::text, 12, '0'), 'facts', p.facts || jsonb_build_object('network', 'network-' || n)))).*
       from payments p, generate_series(1, 24) n where p.id = $1`,
      [sale.trans_id],
    )
    const { byNetwork, namesTotal } = await figures()
    assert.deepEqual([byNetwork.length, namesTotal.byNetwork, namesTotal.byMid], [20, 25, 1])
    await shop.base.pool.query(`delete from payments where merchant_id = $1 and id <> $2`, [
      await merchantId(shop, account),
      sale.trans_id,
    ])
    await shop.base.pool.query(`update payments set test = true where id = $1`, [sale.trans_id])
  })

  test('every side adds up to the whole', async () => {
    const { body } = await owner.get('/dashboard')
    const sum = (rows: readonly { payments: number }[]) => rows.reduce((all, { payments }) => all + payments, 0)
    for (const breakdown of ['overTime', 'byMid', 'byNetwork', 'byWallet', 'byCountry'])
      assert.equal(sum(body[breakdown]), sum(body.totals), breakdown)
    assert.equal(sum(body.byDeclineReason), 1)
    assert.ok(body.byDeclineReason[0].name.length > 0)
    assert.equal(body.byNetwork[0].name, 'visa')
  })

  test('each figure is the number of payments that its filters find', async () => {
    const { body } = await owner.get('/dashboard')
    const rows = [
      ...body.byDeclineReason.map((row: Named) => ({ ...row, by: { declineReason: row.name, status: 'DECLINED' } })),
      ...body.byNetwork.map((row: Named) => ({ ...row, by: { network: row.name } })),
      ...body.byMid.map((row: Named) => ({ ...row, by: { midId: row.name, attempts: 'all' } })),
      ...body.byCountry.map((row: Named) => ({ ...row, by: { country: row.name } })),
    ].filter(({ name }) => name !== null)
    assert.ok(rows.length > 2)
    for (const { by, currency, payments } of rows) {
      const { attempts = 'last', ...filter } = by
      const range = {
        from: body.countedFrom,
        to: body.to,
        kind: 'income',
        currency,
        ...(attempts === 'last' ? { attempts } : {}),
      }
      const { payments: found } = (await owner.get(`/payments?${new URLSearchParams({ ...filter, ...range })}`)).body
      assert.equal(found.length, payments, JSON.stringify(filter))
    }
  })

  test('people of one merchant see the figures of theirs alone, and none of another by naming it', async () => {
    const { body } = await viewer.get('/dashboard')
    assert.equal(body.totals[0].payments, 6)
    assert.deepEqual((await viewer.get(`/dashboard?merchantId=${other}`)).body.totals, [])
  })

  test('days begin in the zone of the viewer', async () => {
    const now = shop.base.clock.now()
    const from = new Date(now.getTime() - 30 * 86_400_000).toISOString()
    const { body } = await owner.get(
      `/dashboard?from=${from}&to=${new Date(now.getTime() + 1000).toISOString()}&zone=Asia/Kolkata`,
    )
    assert.equal(body.bucket, 'day')
    assert.match(body.overTime[0].at, /T18:30:00/)
  })

  test('a range that ends before it begins, and one that is too long, are refused by their fields', async () => {
    const backwards = await owner.get('/dashboard?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')
    assert.deepEqual([backwards.http, backwards.body.error.fields[0].field], [422, 'to'])
    const long = await owner.get('/dashboard?from=2020-03-02T00:00:00Z&to=2026-03-01T00:00:00Z')
    assert.deepEqual([long.http, long.body.error.fields[0].field], [422, 'from'])
  })

  test('a cascade counts once, by its last attempt; a MID answers for every attempt', async () => {
    const merchant = await openAccount(shop, { mids: [{}, {}] })
    const id = await merchantId(shop, merchant)
    const counts = ({ payments, approved, declined, open }: Readonly<Record<string, number>>) =>
      [payments, approved, declined, open].join(' ')
    const looked = async () => {
      const { body } = await owner.get(`/dashboard?merchantId=${id}`)
      for (const breakdown of ['overTime', 'byNetwork', 'byWallet', 'byCountry'])
        assert.deepEqual(body[breakdown].map(counts), body.totals.map(counts), breakdown)
      const byMid = body.byMid.map((row: { midName: string }) => `${row.midName}: ${counts({ ...row, midName: 0 })}`)
      const reasons = body.byDeclineReason.map(({ payments }: { payments: number }) => payments)
      return { total: counts(body.totals[0]), byMid: byMid.toSorted(), reasons }
    }
    await setFaults(shop, merchant, { 1: softDeclines })
    const order_id = randomUUID()
    await shop.sale({ order_id }, { merchant })
    assert.deepEqual(await looked(), {
      total: '1 1 0 0',
      byMid: [`${merchant}-1: 1 0 1 0`, `${merchant}-2: 1 1 0 0`],
      reasons: [],
    })
    await setFaults(shop, merchant, { 2: softDeclines })
    const failed = randomUUID()
    await shop.sale({ order_id: failed }, { merchant })
    await shop.clearScenario()
    const byMid = [`${merchant}-1: 2 0 2 0`, `${merchant}-2: 2 1 1 0`]
    assert.deepEqual(await looked(), { total: '2 1 1 0', byMid, reasons: [1] })
    // Between two attempts the payment is not decided, though the attempt is.
    const last = (await attemptsOf(shop, failed)).at(-1)
    await shop.base.pool.query(`update payments set cascading = 'continues' where id = $1`, [last?.id])
    assert.deepEqual(await looked(), { total: '2 1 0 1', byMid, reasons: [] })
    await shop.base.pool.query(`update payments set cascading = null where id = $1`, [last?.id])
  })
})

describe('risks', () => {
  test('a failing domain, an ending certificate, a failed callback and an unknown outcome are told', async () => {
    const { pool, clock } = shop.base
    await pool.query(
      `insert into wallet_domains (merchant_id, wallet, domain, purpose, controlled_by, state, last_fault, last_check, added_at)
       values ($1, 'walletapay', 'failing.example', 'production', 'merchant', 'failing', 'tls', now(), now())`,
      [demo],
    )
    await pool.query(
      `update wallet_keys set certificate_until = $2::timestamptz + interval '10 days 1 hour'
      where merchant_id = $1 and side = 'live' and role = 'identity' and certificate is not null`,
      [demo, clock.now()],
    )
    await pool.query(`update callbacks set state = 'failed', next_at = null where merchant_id = $1`, [demo])
    const { rows } = await pool.query(
      `select id, first_transaction from payments where merchant_id = $1 and status = 'SETTLED' limit 1`,
      [demo],
    )
    await pool.query(
      `update transactions set state = 'undefined' where merchant_id = $1 and payment_id = $2 and id = $3`,
      [demo, rows[0].id, rows[0].first_transaction],
    )
    const { body } = await owner.get('/dashboard/risks')
    assert.ok(body.callbacks.failed > 0)
    assert.deepEqual(
      body.domains.map(({ domain }: { domain: string }) => domain),
      ['failing.example'],
    )
    assert.ok(
      body.certificates.some(
        (one: { merchantId: string; daysLeft: number }) => one.merchantId === demo && one.daysLeft === 10,
      ),
    )
    assert.equal(body.unknownOutcomes.oldest[0].paymentId, rows[0].id)
    await pool.query(
      `update transactions set state = 'success' where merchant_id = $1 and payment_id = $2 and id = $3`,
      [demo, rows[0].id, rows[0].first_transaction],
    )
  })
})

describe('money', () => {
  const lights = async (browser: PanelClient) => (await browser.get('/dashboard/money')).body
  const light = async (name: string) =>
    (await lights(owner)).checks.find((check: { name: string }) => check.name === name)

  test('captures, refunds, voids and holds leave every light green, compared with the acquirer’s own ledger', async () => {
    const body = await lights(owner)
    assert.deepEqual(
      body.checks.flatMap(({ offending }: { offending: unknown[] }) => offending),
      [],
    )
    assert.ok(body.ok)
    assert.ok(body.complete)
    const { checked, against } = await light('acquirer')
    assert.ok(checked >= 7, String(checked))
    assert.match(against, /acquirer’s ledger/)
  })

  test('a user of one merchant is shown the count of that merchant, not of the platform', async () => {
    const other = await merchantId(shop, 'demo-dms')
    const own = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [other] })
    const { rows } = await shop.base.pool.query('select 1 from transactions where merchant_id = $1', [other])
    const checks: readonly { name: string; checked: number }[] = (await lights(own)).checks
    const checked = checks.find(({ name }) => name === 'acquirer')?.checked ?? -1
    assert.ok(checked <= rows.length, `${checked} of ${rows.length}`)
    assert.ok(checked < (await light('acquirer')).checked)
  })

  test('each planted fault turns its own light red and names the payment', async () => {
    const { pool } = shop.base
    const { rows } = await pool.query(
      `select id from payments where merchant_id = $1 and status = 'SETTLED' and captured_minor = amount_minor limit 1`,
      [demo],
    )
    const { id } = rows[0]
    const planted = async (name: string, constraint: string, set: string, back: string) => {
      await pool.query(`alter table payments drop constraint ${constraint}`)
      await pool.query(`update payments set ${set} where id = $1`, [id])
      const found = await light(name)
      assert.equal(found.ok, false, name)
      assert.deepEqual(
        found.offending.map(({ paymentId }: { paymentId: string }) => paymentId),
        [id],
        name,
      )
      await pool.query(`update payments set ${back} where id = $1`, [id])
    }
    await planted(
      'captured',
      'captured_at_most_authorised',
      'captured_minor = captured_minor + 1',
      'captured_minor = authorised_minor',
    )
    await planted('refunded', 'refunded_at_most_captured', 'refunded_minor = captured_minor + 1', 'refunded_minor = 0')
    await pool.query('alter table payments drop constraint authorised_at_most_ordered')
    await pool.query(
      'update payments set authorised_minor = authorised_minor + 1, captured_minor = captured_minor + 1 where id = $1',
      [id],
    )
    assert.deepEqual((await light('postings')).offending[0].paymentId, id)
    await pool.query(
      'update payments set authorised_minor = amount_minor, captured_minor = amount_minor where id = $1',
      [id],
    )
    await pool.query('update transactions set amount_minor = amount_minor + 1 where payment_id = $1', [id])
    assert.deepEqual((await light('acquirer')).offending[0].paymentId, id)
    assert.equal((await lights(viewer)).ok, false, 'its own merchant’s people see it')
    await pool.query('update transactions set amount_minor = amount_minor - 1 where payment_id = $1', [id])
    assert.ok((await lights(owner)).ok)
  })

  test('an effect that only the acquirer knows is told to those who see all merchants', async () => {
    const [paymentId, transactionId] = [randomUUID(), randomUUID()]
    const reply = await fetch(`${shop.sandbox.url}/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': transactionId },
      body: JSON.stringify({
        mid: 'DEMO',
        type: 'sale',
        transaction_id: transactionId,
        payment_id: paymentId,
        order_id: 'FOREIGN',
        description: 'Foreign',
        amount: '199',
        currency: 'USD',
        card: { number: '4111111111111111', exp_month: 1, exp_year: 2038, cvv: '411' },
      }),
    })
    assert.equal(reply.status, 200, await reply.text())
    // What was executed a moment ago may still be on its way to our table.
    assert.ok((await lights(owner)).ok)
    const { clock } = shop.base
    clock.moveTo(clock.offsetMs + 120_000)
    assert.deepEqual(
      (await light('acquirer')).offending.map((one: { paymentId: string }) => one.paymentId),
      [paymentId],
    )
    assert.ok((await lights(viewer)).ok)
  })
})
