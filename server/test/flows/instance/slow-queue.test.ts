/**
 * A request that waits in the queue of an acquirer without idempotency keys: the acquirer answers that it does not know it, and later
 * executes it. It must never be sent again. Chapter 10 §6.2.
 */
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { reachAcquirerAt, withRefusedRows } from '../../crash.ts'
import { countRepeatedRequests, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'
import { openSlowLine } from '../../slow-line.ts'

const shop = await openShop({}, ['back office'])
const line = await openSlowLine(shop.sandbox.url)
const withoutKeys = { idempotency_keys: 'ignored', executes_within_seconds: 45 }
before(async () => {
  await reachAcquirerAt(shop, shop.sandbox.url, 'sandbox-live', withoutKeys)
})
afterEach(async () => {
  await shop.clearScenario()
  await line.release()
  await reachAcquirerAt(shop, shop.sandbox.url, 'sandbox-live', withoutKeys)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await line[Symbol.asyncDispose]()
})

interface CommandCase {
  readonly name: string
  readonly action: string
  readonly sale: RequestFields | null
  readonly request: (transId: string | null) => Promise<Answer>
  readonly meanwhile: string
  readonly done: string
  readonly effects: readonly string[]
}

let orders = 0
const first = (over: RequestFields) => () => shop.sale({ order_id: `QUEUED-${orders}`, ...over })
const later = (action: string, over: RequestFields) => (transId: string | null) =>
  shop.followUp(action, transId ?? '', over)

// biome-ignore format: a table is read in columns.
const ways: readonly CommandCase[] = [
  { name: 'a SALE',           action: 'SALE',       sale: null,          request: first({}),                meanwhile: 'PREPARE', done: 'SETTLED', effects: ['sale 1000'] },
  { name: 'an authorization', action: 'SALE',       sale: null,          request: first({ auth: 'Y' }),     meanwhile: 'PREPARE', done: 'PENDING', effects: ['authorize 1000'] },
  { name: 'a CAPTURE',        action: 'CAPTURE',    sale: { auth: 'Y' }, request: later('CAPTURE', {}),     meanwhile: 'PENDING', done: 'SETTLED', effects: ['authorize 1000', 'capture 1000'] },
  { name: 'a refund',         action: 'CREDITVOID', sale: {},            request: later('CREDITVOID', {}),  meanwhile: 'SETTLED', done: 'REFUND',  effects: ['sale 1000', 'refund 1000'] },
  { name: 'a VOID',           action: 'VOID',       sale: {},            request: later('VOID', {}),        meanwhile: 'SETTLED', done: 'VOID',    effects: ['sale 1000', 'void 1000'] },
]

/** Long enough for several passes of the reconciler. */
const queueMs = 800
const queue = { ignore_keys: true, queue_ms: { from: queueMs, to: queueMs } }

async function beginCase({ sale }: CommandCase): Promise<string | null> {
  orders += 1
  return sale === null ? null : (await shop.sale(sale)).body.trans_id
}

const idOf = async (transId: string | null): Promise<string> =>
  transId ?? (await shop.byOrder(`QUEUED-${orders}`)).body.trans_id

/** Resolves once the intent is written and the request is with the acquirer. */
async function waitUntilSent(): Promise<void> {
  await until(async () => (await shop.base.pool.query("select from transactions where state = 'sent'")).rowCount === 1)
}

/** To other processes this one looks dead: the process number under which it sends is not in use. */
async function looksDead(): Promise<void> {
  await waitUntilSent()
  const { rowCount } = await shop.base.pool.query("update transactions set sent_by = -1 where state = 'sent'")
  assert.equal(rowCount, 1)
}

for (const way of ways) {
  test(`${way.name} whose sender died while it was queued is executed once`, async () => {
    const started = await beginCase(way)
    const repeated = await countRepeatedRequests(shop)
    await shop.scenario(queue)
    // The sender's outcome moves money and cannot be written, as if the sender had died.
    const dying = async () => {
      const running = way.request(started)
      await looksDead()
      return running
    }
    const answer = await withRefusedRows(shop, 'ledger_entries', dying, 'amount_minor > 0')
    assert.equal(answer.http, 500)
    // On a slow machine the acquirer was asked more than once meanwhile, and is asked again later each time.
    for (const seconds of [6, 31, 121]) await shop.advance(seconds * 1000)
    const transId = await idOf(started)
    assert.deepEqual(await readEffects(shop, transId), way.effects)
    assert.equal(await statusOf(shop, transId), way.done)
    assert.equal(await countRepeatedRequests(shop), repeated)
  })

  test(`${way.name} whose sender only lost its database session gets the outcome that the sender received`, async () => {
    const started = await beginCase(way)
    const repeated = await countRepeatedRequests(shop)
    await shop.scenario(queue)
    const running = way.request(started)
    await looksDead()
    const { http, body } = await running
    assert.equal(http, 200)
    assert.deepEqual(await readEffects(shop, body.trans_id), way.effects)
    assert.equal(await statusOf(shop, body.trans_id), way.done)
    assert.equal((await readCallbacks(shop, body.trans_id, way.action)).at(-1), `SUCCESS ${way.done}`)
    assert.equal(await countRepeatedRequests(shop), repeated)
  })

  test(`${way.name} in progress is not touched by a worker whose clock is five minutes ahead`, async () => {
    const started = await beginCase(way)
    const repeated = await countRepeatedRequests(shop)
    await shop.scenario(queue)
    const running = way.request(started)
    await waitUntilSent()
    await shop.advance(300_000)
    const { http, body } = await running
    assert.equal(http, 200)
    assert.deepEqual(await readEffects(shop, body.trans_id), way.effects)
    assert.deepEqual(await readCallbacks(shop, body.trans_id, way.action), [`SUCCESS ${way.done}`])
    assert.equal(await countRepeatedRequests(shop), repeated)
  })

  test(`${way.name} that is stuck on the way is not sent again while it may still arrive`, async () => {
    const started = await beginCase(way)
    await reachAcquirerAt(shop, line.url, 'sandbox-live', withoutKeys)
    await way.request(started)
    const transId = await idOf(started)
    for (const seconds of [6, 31]) await shop.advance(seconds * 1000)
    assert.equal(line.stuck, 1)
    assert.equal(await statusOf(shop, transId), way.meanwhile)
    await line.release()
    await shop.advance(121_000)
    assert.deepEqual(await readEffects(shop, transId), way.effects)
    assert.equal(await statusOf(shop, transId), way.done)
    assert.equal((await readCallbacks(shop, transId, way.action)).at(-1), `SUCCESS ${way.done}`)
  })
}

/** The time in which the request may be executed is over, and the acquirer does not know it. */
async function overdue(transId: string): Promise<void> {
  const { rowCount } = await shop.base.pool.query(
    "update transactions set in_flight_until = clock_timestamp() where payment_id = $1 and state = 'undefined'",
    [transId],
  )
  assert.equal(rowCount, 1)
  await shop.advance(31_000)
}

async function alertsOf(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ kind: string; text: string }>(
    'select kind, text from alerts where payment_id = $1 order by raised_at',
    [transId],
  )
  return rows.map(({ kind, text }) => `${kind}: ${text}`)
}

const isWatched = async (transId: string): Promise<boolean> =>
  (await shop.base.pool.query('select from transaction_watches where payment_id = $1', [transId])).rowCount === 1

for (const way of ways) {
  const isFirst = way.sale === null
  const after = isFirst ? 'DECLINED' : way.meanwhile

  test(`${way.name} that never arrived ends as not executed once it can no longer be executed, and is watched`, async () => {
    const started = await beginCase(way)
    await reachAcquirerAt(shop, line.url, 'sandbox-live', withoutKeys)
    await way.request(started)
    const transId = await idOf(started)
    await overdue(transId)
    assert.equal(line.stuck, 1, 'it was sent once')
    assert.equal(await statusOf(shop, transId), after)
    assert.equal((await readCallbacks(shop, transId, way.action)).at(-1), `DECLINED ${after}`)
    assert.equal(await isWatched(transId), true)
    for (const seconds of [60, 600, 3_600, 21_600, 86_400]) await shop.advance(seconds * 1000)
    assert.equal(await isWatched(transId), true)
    await shop.advance(259_200_000)
    assert.equal(await isWatched(transId), false, 'after three days nobody asks any more')
    assert.deepEqual(await alertsOf(transId), [])
  })

  test(`${way.name} that was executed after it was written off ${isFirst ? 'is reversed' : 'raises an alert'}`, async () => {
    const started = await beginCase(way)
    await reachAcquirerAt(shop, line.url, 'sandbox-live', withoutKeys)
    await way.request(started)
    const transId = await idOf(started)
    await overdue(transId)
    await line.release()
    await reachAcquirerAt(shop, shop.sandbox.url, 'sandbox-live', withoutKeys)
    await shop.advance(61_000)
    assert.equal(await statusOf(shop, transId), after)
    assert.equal(await isWatched(transId), false)
    const [alert = '', ...more] = await alertsOf(transId)
    assert.deepEqual(more, [])
    if (isFirst) {
      assert.match(alert, /^late-success: .* It is being reversed\.$/)
      const [charged = ''] = way.effects
      assert.deepEqual(await readEffects(shop, transId), [charged, 'reverse 1000'])
    } else {
      assert.match(alert, /^executed-late: (CAPTURE|REFUND|VOID) \S+ of 10\.00 EUR at MID sandbox-live was executed/)
      assert.deepEqual(await readEffects(shop, transId), way.effects)
    }
  })
}

test('a request that the acquirer had acknowledged is not written off if it later answers that it does not know it', async () => {
  const { body } = await shop.sale({ card_exp_month: '08', card_exp_year: '2039' })
  await shop.base.pool.query('update transactions set in_flight_until = clock_timestamp() where payment_id = $1', [
    body.trans_id,
  ])
  const other = await openShop({}, ['back office'])
  await reachAcquirerAt(shop, other.sandbox.url, 'sandbox-live', withoutKeys)
  for (const seconds of [6, 31, 121]) await shop.advance(seconds * 1000)
  assert.equal(await statusOf(shop, body.trans_id), 'PREPARE')
  assert.deepEqual(await readEffects(other, body.trans_id), [])
  await other[Symbol.asyncDispose]()
})

test('an acquirer that honours idempotency keys gets a request again at once, as long as its key is valid', async () => {
  const honoured = { executes_within_seconds: 45 }
  const order_id = 'HONOURED'
  await reachAcquirerAt(shop, line.url, 'sandbox-live', honoured)
  await shop.sale({ order_id })
  await reachAcquirerAt(shop, shop.sandbox.url, 'sandbox-live', honoured)
  await shop.advance(6_000)
  const { body } = await shop.byOrder(order_id)
  assert.equal(body.status, 'SETTLED')
  await line.release()
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'], 'both requests under one key, one effect')
})

test('a request whose key is too old to be honoured is not sent again', async () => {
  const honoured = { executes_within_seconds: 45 }
  const { body: sale } = await shop.sale({ auth: 'Y' })
  await reachAcquirerAt(shop, line.url, 'sandbox-live', honoured)
  await shop.followUp('CAPTURE', sale.trans_id)
  await shop.base.pool.query(
    "update transactions set sent_at = sent_at - interval '31 days' where payment_id = $1 and state = 'undefined'",
    [sale.trans_id],
  )
  await overdue(sale.trans_id)
  assert.equal(line.stuck, 1)
  assert.equal(await statusOf(shop, sale.trans_id), 'PENDING')
  assert.equal(await isWatched(sale.trans_id), true)
})
