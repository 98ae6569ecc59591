import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openAccount } from '../../../../../../test/account.ts'
import { merchantId, type PanelClient, type Person, panelOf } from '../../../../../../test/panel/admin.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'

let shop: Shop
let demo: string
let other: string
let finance: PanelClient & { person: Person }
let viewer: PanelClient

before(async () => {
  shop = await openShop({}, ['back office'])
  demo = await merchantId(shop, 'demo')
  other = await merchantId(shop, 'demo-dms')
  finance = await panelOf(shop, { role: 'finance' })
  viewer = await panelOf(shop, { role: 'merchant-viewer', allMerchants: false, merchantIds: [demo] })
})
after(() => shop[Symbol.asyncDispose]())

const hold = async (over: Readonly<Record<string, string>> = {}, merchant = 'demo'): Promise<string> =>
  (await shop.sale({ auth: 'Y', ...over }, { merchant })).body.trans_id

async function waitForEnd(id: string) {
  for (let tries = 0; tries < 200; tries += 1) {
    const { body } = await finance.get(`/work/${id}`)
    if (body.state !== 'running') return body
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('The work did not end.')
}

const statusOf = async (id: string): Promise<string> => {
  const { rows } = await shop.base.pool.query<{ status: string }>('select status from payments where id = $1', [id])
  return rows[0]?.status ?? ''
}

describe('the queue', () => {
  test('shows what fits the filters, and adds it up by currency', async () => {
    const mine = await hold({ order_amount: '10.00', order_currency: 'EUR' })
    await hold({ order_amount: '2.50', order_currency: 'EUR' }, 'demo-dms')
    const { holds } = (await finance.get(`/captures?merchantId=${demo}&currency=EUR`)).body
    assert.deepEqual(
      holds.map(({ id }: { id: string }) => id),
      [mine],
    )
    const { totals } = (await finance.get('/captures/totals?currency=EUR')).body
    assert.deepEqual(totals, [{ currency: 'EUR', decimals: 2, holds: 2, amountMinor: '1250' }])
    assert.deepEqual(
      (await viewer.get('/captures/totals')).body.totals.map((one: { holds: number }) => one.holds),
      [1],
    )
    assert.deepEqual((await viewer.get(`/captures?merchantId=${other}`)).body.holds, [])
  })

  test('a hold gets a moment at which it is captured by itself, another one, and none', async () => {
    const id = await hold()
    const plan = (captureAt: string | null) =>
      finance.send('PUT', `/merchants/${demo}/payments/${id}/capture-plan`, { captureAt })
    const captureAt = new Date(shop.base.clock.now().getTime() + 3_600_000).toISOString()
    const manual = await plan(captureAt)
    assert.deepEqual([manual.http, manual.body.error.code], [409, 'refused'])
    await shop.configure('update mids set auto_capture_hours = 48')
    assert.equal((await plan(captureAt)).http, 200)
    const planned = (await finance.get('/captures?planned=true')).body.holds
    assert.deepEqual(
      planned.map((one: { id: string; captureAt: string }) => [one.id, one.captureAt]),
      [[id, captureAt]],
    )
    const past = await plan(new Date(shop.base.clock.now().getTime() - 1000).toISOString())
    assert.deepEqual([past.http, past.body.error.fields[0].field], [422, 'captureAt'])
    await shop.advance(3_700_000)
    assert.equal(await statusOf(id), 'SETTLED')
    const later = new Date(shop.base.clock.now().getTime() + 3_600_000).toISOString()
    assert.equal((await plan(later)).http, 409, 'what holds nothing is planned no more')
    const path = `/merchants/${demo}/payments/${await hold()}/capture-plan`
    assert.equal((await finance.get('/captures?planned=true')).body.holds.length, 1)
    assert.equal((await finance.send('PUT', path, { captureAt: null })).http, 200)
    assert.deepEqual((await finance.get('/captures?planned=true')).body.holds, [])
    await shop.configure('update mids set auto_capture_hours = null')
  })
})

describe('many captures as long work', () => {
  test('those that are named are captured, and one that cannot be is told while the others go on', async () => {
    const [one, two] = [await hold(), await hold()]
    const sale = (await shop.sale({})).body.trans_id
    const payments = [one, sale, randomUUID(), two].map((paymentId) => ({ merchantId: demo, paymentId }))
    const begun = await finance.post('/captures/work', { payments })
    assert.equal(begun.http, 200, begun.text)
    assert.deepEqual([begun.body.kind, begun.body.total], ['capture', '4'])
    const work = await waitForEnd(begun.body.id)
    assert.deepEqual([work.state, work.done, work.failed], ['done', '4', '2'])
    assert.match(work.failures[0].subject, new RegExp(sale))
    assert.deepEqual([await statusOf(one), await statusOf(two)], ['SETTLED', 'SETTLED'])
    const { rows } = await shop.base.pool.query(
      `select actor from audit_log where action = 'payment.capture' and subject = $1`,
      [`payment ${one}`],
    )
    assert.deepEqual(rows, [{ actor: finance.person.email }])
  })

  test('all of a filter are captured, and none beside it', async () => {
    const chosen = await hold({ order_currency: 'GBP' })
    const beside = await hold({ order_currency: 'GBP' }, 'demo-dms')
    const filter = { merchantId: demo, currency: 'GBP' }
    const { body } = await finance.post('/captures/work', { filter })
    assert.equal(body.total, '1')
    assert.equal((await waitForEnd(body.id)).done, '1')
    assert.deepEqual([await statusOf(chosen), await statusOf(beside)], ['SETTLED', 'PENDING'])
  })

  test('a list with something of another merchant in it does nothing', async () => {
    const admin = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    const [own, foreign] = [await hold(), await hold({}, 'demo-dms')]
    const payments = [
      { merchantId: demo, paymentId: own },
      { merchantId: other, paymentId: foreign },
    ]
    assert.equal((await admin.post('/captures/work', { payments })).http, 404)
    assert.equal(await statusOf(own), 'PENDING')
  })

  test('work that is called off stops where it is; somebody else’s is not found', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => hold()))
    const payments = ids.map((paymentId) => ({ merchantId: demo, paymentId }))
    const { body } = await finance.post('/captures/work', { payments })
    assert.equal((await viewer.send('DELETE', `/work/${body.id}`)).http, 404)
    assert.equal((await finance.send('DELETE', `/work/${body.id}`)).http, 200)
    const work = await waitForEnd(body.id)
    assert.equal(work.state, 'cancelled')
    assert.equal((await finance.send('DELETE', `/work/${body.id}`)).http, 409)
    await shop.service.awaitIdle()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const statuses = await Promise.all(ids.map(statusOf))
    assert.ok(statuses.includes('PENDING'), 'some were left')
  })

  test('work whose process died is taken up behind its last step by whoever looks at it', async () => {
    const [before, after] = [await hold(), await hold()]
    const payments = [before, after].map((paymentId) => ({ merchantId: demo, paymentId }))
    const id = randomUUID()
    await shop.base.pool.query(
      `insert into long_work (user_id, id, kind, request, state, total, done, cursor, created_at, lease_until)
       values ($1, $2, 'capture', $3, 'running', 2, 1, '1', now(), clock_timestamp() - interval '1 second')`,
      [finance.person.id, id, JSON.stringify({ payments, actor: { label: 'ann@example.com', address: null } })],
    )
    const work = await waitForEnd(id)
    assert.deepEqual([work.state, work.done, work.failed], ['done', '2', '0'])
    assert.deepEqual([await statusOf(before), await statusOf(after)], ['PENDING', 'SETTLED'])
    assert.ok((await finance.get('/work')).body.work.some((one: { id: string }) => one.id === id))
  })
})

describe('who began long work and may not do it any more', () => {
  /** As a process that died left it, so that it is taken up with the rights of now. */
  async function left(userId: string, request: object): Promise<string> {
    const id = randomUUID()
    await shop.base.pool.query(
      `insert into long_work (user_id, id, kind, request, state, total, done, cursor, created_at, lease_until)
       values ($1, $2, 'capture', $3, 'running', 1, 0, '', now(), clock_timestamp() - interval '1 second')`,
      [userId, id, JSON.stringify({ ...request, actor: { label: 'ann@example.com', address: null } })],
    )
    return id
  }
  const own = { role: 'merchant-admin', allMerchants: false, merchantIds: [] as string[] }
  const looked = async (
    browser: PanelClient,
    id: string,
  ): Promise<{ readonly state: string; readonly failed: string }> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const { body } = await browser.get(`/work/${id}`)
      if (body.state !== 'running') return body
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('The work did not end.')
  }

  test('captures nothing of a merchant that was taken away, named or by a filter', async () => {
    const admin = await panelOf(shop, { ...own, merchantIds: [demo] })
    const id = await hold({ order_currency: 'CHF' }, 'demo-dms')
    const named = await left(admin.person.id, { payments: [{ merchantId: other, paymentId: id }] })
    assert.equal((await looked(admin, named)).failed, '1')
    for (const merchantIds of [[other], null]) {
      const filter = { merchantIds, currency: 'CHF' }
      assert.equal((await looked(admin, await left(admin.person.id, { filter }))).state, 'done')
    }
    assert.equal(await statusOf(id), 'PENDING')
  })

  test('captures nothing without the permission', async () => {
    const support = await panelOf(shop, { role: 'support' })
    const id = await hold()
    const work = await left(support.person.id, { payments: [{ merchantId: demo, paymentId: id }] })
    assert.equal((await looked(support, work)).state, 'cancelled')
    assert.equal(await statusOf(id), 'PENDING')
  })
})

describe('callbacks of a time range as long work', () => {
  test('all that failed are sent again', async () => {
    await shop.service.awaitIdle()
    const { rows } = await shop.base.pool.query(
      `update callbacks set state = 'failed', next_at = null where merchant_id = $1 and state = 'delivered' returning id`,
      [demo],
    )
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', state: 'failed' }
    const support = await panelOf(shop, { role: 'support' })
    const { body, http, text } = await support.post(`/merchants/${demo}/callbacks/resend/work`, range)
    assert.equal(http, 200, text)
    assert.equal(body.total, String(rows.length))
    for (let tries = 0; tries < 100 && (await support.get(`/work/${body.id}`)).body.state === 'running'; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 25))
    const work = (await support.get(`/work/${body.id}`)).body
    assert.deepEqual([work.state, work.done], ['done', String(rows.length)])
    await shop.service.awaitIdle()
    const left = await shop.base.pool.query(`select from callbacks where merchant_id = $1 and state = 'failed'`, [demo])
    assert.equal(left.rowCount, 0)
  })

  test('those of all merchants go to the current address of each', async () => {
    await shop.service.awaitIdle()
    const merchant = await openAccount(shop)
    const id: string = (await shop.sale({}, { merchant })).body.trans_id
    await shop.service.awaitIdle()
    const moved = await merchantId(shop, merchant)
    const now = `${shop.receiver.url}?moved`
    await shop.base.pool.query(`update callbacks set state = 'failed', next_at = null where state = 'delivered'`)
    await shop.base.pool.query('update merchants set notification_url = $2 where id = $1', [moved, now])
    await shop.service.configuration.refresh()
    const range = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', state: 'failed', target: 'current' }
    const support = await panelOf(shop, { role: 'support' })
    const { body, http, text } = await support.post('/callbacks/resend/work', range)
    assert.equal(http, 200, text)
    for (let tries = 0; tries < 100 && (await support.get(`/work/${body.id}`)).body.state === 'running'; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 25))
    assert.equal((await support.get(`/work/${body.id}`)).body.done, body.total)
    await shop.service.awaitIdle()
    const { rows } = await shop.base.pool.query(`select payment_id, url, state from callbacks`)
    assert.deepEqual(
      rows.filter(({ payment_id }) => payment_id === id).map(({ url, state }) => [url, state]),
      [[now, 'delivered']],
    )
    assert.ok(rows.length > 1 && rows.every(({ state }) => state === 'delivered'))
  })
})
