/** Lost replies and crashes: one effect at the acquirer and a final status, whatever fails. Chapter 10 §6.2, chapter 50 §5. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { crashBeforeArrival, crashDuring, reachAcquirerAt } from '../../crash.ts'
import { countRepeatedRequests, expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { type Answer, openShop, type RequestFields, type Shop } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

interface CommandCase {
  readonly name: string
  /** The command as its callbacks name it. */
  readonly action: string
  /** Null for a first step. */
  readonly sale: RequestFields | null
  readonly request: (shop: Shop, transId: string | null) => Promise<Answer>
  readonly meanwhile: string
  readonly done: string
  readonly effects: readonly string[]
}

const first = (over: RequestFields) => (shop: Shop) => shop.sale({ order_id: 'INTERRUPTED', ...over })
const later = (action: string, over: RequestFields) => (shop: Shop, transId: string | null) =>
  shop.followUp(action, transId ?? '', over)

// biome-ignore format: a table is read in columns.
const ways: readonly CommandCase[] = [
  { name: 'a SALE',            action: 'SALE',       sale: null,          request: first({}),                             meanwhile: 'PREPARE', done: 'SETTLED',  effects: ['sale 1000'] },
  { name: 'an authorization',  action: 'SALE',       sale: null,          request: first({ auth: 'Y' }),                  meanwhile: 'PREPARE', done: 'PENDING',  effects: ['authorize 1000'] },
  { name: 'a CAPTURE',         action: 'CAPTURE',    sale: { auth: 'Y' }, request: later('CAPTURE', { amount: '6.00' }),  meanwhile: 'PENDING', done: 'SETTLED',  effects: ['authorize 1000', 'capture 600'] },
  { name: 'a refund',          action: 'CREDITVOID', sale: {},            request: later('CREDITVOID', {}),               meanwhile: 'SETTLED', done: 'REFUND',   effects: ['sale 1000', 'refund 1000'] },
  { name: 'a partial refund',  action: 'CREDITVOID', sale: {},            request: later('CREDITVOID', { amount: '4' }),  meanwhile: 'SETTLED', done: 'SETTLED',  effects: ['sale 1000', 'refund 400'] },
  { name: 'a reversal',        action: 'CREDITVOID', sale: { auth: 'Y' }, request: later('CREDITVOID', {}),               meanwhile: 'PENDING', done: 'REVERSAL', effects: ['authorize 1000', 'reverse 1000'] },
  { name: 'a VOID',            action: 'VOID',       sale: {},            request: later('VOID', {}),                     meanwhile: 'SETTLED', done: 'VOID',     effects: ['sale 1000', 'void 1000'] },
]

async function beginCase({ sale }: CommandCase): Promise<string | null> {
  return sale === null ? null : (await shop.sale(sale)).body.trans_id
}

/** After a crash the trans_id was never returned; the order still leads to it. */
async function idOf(transId: string | null): Promise<string> {
  return transId ?? (await shop.byOrder('INTERRUPTED')).body.trans_id
}

async function assertDoneOnce(way: CommandCase, transId: string, callbacks: readonly string[]): Promise<void> {
  assert.equal(await statusOf(shop, transId), way.done)
  assert.deepEqual(await readEffects(shop, transId), way.effects)
  assert.deepEqual(await readCallbacks(shop, transId, way.action), callbacks)
}

const lostReplies = { 'the link drops': { drop_reply: always() }, 'a proxy answers 502': { fail_after: always() } }

function always() {
  return { count: 1, of: 1 }
}

for (const way of ways) {
  for (const [what, fault] of Object.entries(lostReplies)) {
    test(`${way.name} that was executed before ${what} is UNDEFINED, resolved by a status query, and executed once`, async () => {
      const transId = await beginCase(way)
      const repeated = await countRepeatedRequests(shop)
      // An acquirer without idempotency keys would execute a repeated request again.
      await shop.scenario({ ...fault, ignore_keys: true })
      const { http, body } = await way.request(shop, transId)
      assert.equal(http, 200)
      assert.equal(body.result, way.action === 'CREDITVOID' ? 'ACCEPTED' : 'UNDEFINED')
      assert.equal(await statusOf(shop, body.trans_id), way.meanwhile)

      await shop.advance(6_000)
      const unknown = `UNDEFINED ${way.meanwhile}`
      await assertDoneOnce(way, body.trans_id, [unknown, `SUCCESS ${way.done}`])
      assert.equal(await countRepeatedRequests(shop), repeated)
    })
  }

  test(`${way.name} whose process died after the acquirer executed it is found at once and executed once`, async () => {
    const started = await beginCase(way)
    const repeated = await countRepeatedRequests(shop)
    await shop.scenario({ ignore_keys: true })
    await crashDuring(shop, () => way.request(shop, started))
    await shop.service.awaitIdle()
    await assertDoneOnce(way, await idOf(started), [`SUCCESS ${way.done}`])
    assert.equal(await countRepeatedRequests(shop), repeated)
  })

  test(`${way.name} whose process died before the acquirer got it is sent again, and executed once`, async () => {
    const started = await beginCase(way)
    await crashBeforeArrival(shop, () => way.request(shop, started))
    await shop.service.awaitIdle()
    await assertDoneOnce(way, await idOf(started), [`SUCCESS ${way.done}`])
    assert.equal(await countRepeatedRequests(shop), 0)
  })

  test(`${way.name} that an unreachable acquirer refuses is DECLINED, and nothing is executed`, async () => {
    const transId = await beginCase(way)
    await shop.scenario({ down: true })
    const { http, body } = await way.request(shop, transId)
    assert.equal(http, 200)
    const declined = way.sale === null ? 'DECLINED' : way.meanwhile
    assert.equal(await statusOf(shop, body.trans_id), declined)
    assert.deepEqual((await readCallbacks(shop, body.trans_id, way.action)).at(-1), `DECLINED ${declined}`)
    assert.deepEqual(await readEffects(shop, body.trans_id), way.effects.slice(0, -1))

    if (transId === null) return
    await shop.clearScenario()
    await way.request(shop, transId)
    assert.deepEqual(await readEffects(shop, transId), way.effects, 'it may be tried again')
  })
}

test('a refused connection is a technical decline that reveals nothing about our network', async () => {
  await shop.choose({ addToCallback: ['extended_data'] })
  // Both MIDs of the merchant, because a failure that executed nothing cascades to the next.
  for (const mid of ['sandbox-live', 'sandbox-no-moto-live']) await reachAcquirerAt(shop, 'http://127.0.0.1:9', mid)
  const { body } = await shop.sale()
  for (const mid of ['sandbox-live', 'sandbox-no-moto-live']) await reachAcquirerAt(shop, shop.sandbox.url, mid)
  assert.deepEqual([body.result, body.status], ['DECLINED', 'DECLINED'])
  assert.doesNotMatch(body.decline_reason, /127\.0\.0\.1|ECONN|connect/)
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['extended_data[decline_class]'], 'technical')
  assert.equal(callback?.fields['decline_reason'], body.decline_reason)
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
  await shop.choose({})
})

// biome-ignore format: a table is read in columns.
const found = [
  // minutes  found as     effects
  [14,       'SETTLED',   ['sale 1000']],
  [16,       'DECLINED',  []],
] as const

for (const [minutesAgo, status, executed] of found) {
  test(`a charge that never arrived and is found after ${minutesAgo} minutes is ${status}`, async () => {
    const order_id = `FOUND-${minutesAgo}`
    await crashBeforeArrival(shop, () => shop.sale({ order_id }), { minutesAgo })
    await shop.service.awaitIdle()
    const { body } = await shop.byOrder(order_id)
    assert.equal(body.status, status)
    assert.equal((await readCallbacks(shop, body.trans_id, 'SALE')).length, 1)
    assert.deepEqual(await readEffects(shop, body.trans_id), executed)
  })
}

test('a charge that never arrived is not sent again without the authentication it was requested with', async () => {
  const order_id = 'PROVED'
  const proof = {
    'mpi_data[eci]': '05',
    'mpi_data[authentication_value]': 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    'mpi_data[ds_trans_id]': 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    'mpi_data[3ds_version]': '2.2.0',
  }
  // Two minutes are longer than a request to the sandbox can take.
  await crashBeforeArrival(shop, () => shop.sale({ order_id, ...proof }), { minutesAgo: 2 })
  await shop.service.awaitIdle()
  const { body } = await shop.byOrder(order_id)
  assert.equal(body.status, 'DECLINED')
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
})

for (const [transStatus, status, executed] of [
  ['U', 'SETTLED', ['sale 1000']],
  ['I', 'SETTLED', ['sale 1000']],
  ['A', 'DECLINED', []],
] as const) {
  test(`a charge that never arrived, after an authentication that ended in ${transStatus}, is ${status}`, async () => {
    const order_id = `AUTHENTICATED-${transStatus}`
    await crashBeforeArrival(shop, () => shop.sale({ order_id }), { minutesAgo: 2 })
    await shop.base.pool.query(
      `update payments set facts = facts || jsonb_build_object('threeDs', jsonb_build_object('transStatus', $1::text, 'authenticationFlow', 'Frictionless')) where order_id = $2`,
      [transStatus, order_id],
    )
    await shop.service.awaitIdle()
    const { body } = await shop.byOrder(order_id)
    assert.equal(body.status, status)
    assert.deepEqual(await readEffects(shop, body.trans_id), executed)
  })
}

test('a follow-up that never arrived is executed however late it is found', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  await crashBeforeArrival(shop, () => shop.followUp('CAPTURE', body.trans_id), { minutesAgo: 600 })
  await shop.service.awaitIdle()
  assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000', 'capture 1000'])
})

test('while the acquirer does not answer status queries either, nothing is sent and nothing decided', async () => {
  await shop.scenario({ drop_reply: always() })
  const { body } = await shop.sale()
  await shop.scenario({ down: true })
  for (const seconds of [6, 31, 121]) await shop.advance(seconds * 1000)
  assert.equal(await statusOf(shop, body.trans_id), 'PREPARE')
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['UNDEFINED PREPARE'])
  await shop.clearScenario()
  await shop.advance(601_000)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

/** Seconds until the next status query; null if there is none. */
async function nextAsk(transId: string): Promise<number | null> {
  const { rows } = await shop.base.pool.query(
    "select ask_at from transactions where payment_id = $1 and state = 'undefined'",
    [transId],
  )
  const askAt: Date | null = rows[0].ask_at
  return askAt && (askAt.getTime() - shop.base.clock.now().getTime()) / 1000
}

const plan = [5, 30, 120, 600, 3_600, 21_600, 86_400]

async function assertPlan(transId: string): Promise<void> {
  for (const seconds of plan) {
    const wait = await nextAsk(transId)
    assert.ok(wait !== null && wait <= seconds && wait > seconds - 3, `${wait} instead of ${seconds}`)
    await shop.advance(wait * 1000 + 50)
  }
  assert.equal(await nextAsk(transId), null)
}

test('the acquirer is asked after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h, 24 h, and then no more', async () => {
  const { body } = await shop.sale(expiryFields('08/2039'))
  await assertPlan(body.trans_id)
})

test('after a crash the acquirer is asked at once, and then by the whole plan', async () => {
  await crashDuring(shop, () => shop.sale({ order_id: 'RESTART', ...expiryFields('08/2039') }))
  await shop.service.awaitIdle()
  const { body } = await shop.byOrder('RESTART')
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['UNDEFINED PREPARE'])
  await assertPlan(body.trans_id)
})

test('an answer that arrives after the reconciler has decided changes nothing, and one callback is sent', async () => {
  await shop.scenario({ delay_ms: 1_500 })
  const running = shop.sale({ order_id: 'OVERTAKEN' })
  await until(async () => (await shop.byOrder('OVERTAKEN')).http === 200)
  await shop.advance(61_000)
  const { body } = await running
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['SUCCESS SETTLED'])
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> settled 1000'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('in the end our record and the acquirer’s agree on every transaction', async () => {
  const reply = await fetch(`${shop.sandbox.url}/ledger`)
  const { entries } = (await reply.json()) as { entries: { transaction_id: string; amount: string }[] }
  const { rows } = await shop.base.pool.query<{ id: string; amount: string }>(
    "select id, amount_minor::text as amount from transactions where state = 'success'",
  )
  const executed = entries.map(({ transaction_id, amount }) => `${transaction_id} ${amount}`).toSorted()
  assert.deepEqual(rows.map(({ id, amount }) => `${id} ${amount}`).toSorted(), executed)
  assert.ok(executed.length > 50)
})
