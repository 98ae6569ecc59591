/** The limit counters of a payment are written with it or not at all. Chapter 50 §3, §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { countersOf, type LimitUse } from '#domain/routing/limit-use.ts'
import { testDatabase } from '../../../../test/database.ts'
import { at, newOpening } from '../../../../test/opening-rows.ts'
import { success } from '../../../../test/outcome-records.ts'
import type { CardTry, Opening } from '../../../contracts/records.ts'
import { paymentStore } from '../payments.ts'
import { usageStore } from '../usage.ts'

const database = await testDatabase()
after(() => database.drop())
const payments = paymentStore(database.pool)
const usage = usageStore(database.pool)

const dayOf = (owner: string, count: number): LimitUse => ({
  period: 'mid day',
  owner,
  starts: '2026-03-01',
  currency: null,
  most: BigInt(count),
})

const amountOf = (owner: string, most: bigint, currency = 'EUR'): LimitUse => ({ ...dayOf(owner, 0), currency, most })

const weekOf = (owner: string, count: number): LimitUse => ({ ...dayOf(owner, count), period: 'mapping week' })

const tryOf = (cardId: string, most: number): CardTry => ({
  cardId,
  windows: [{ since: new Date(at.getTime() - 3_600_000), most }],
})

/** How often each result was returned by this many simultaneous openings. */
async function crowd(count: number, make: () => Opening): Promise<Readonly<Record<string, number>>> {
  const answers = await Promise.all(Array.from({ length: count }, () => payments.open(make())))
  return Object.fromEntries([...Map.groupBy(answers, (one) => one)].map(([one, all]) => [one, all.length]))
}

const used = async (use: LimitUse): Promise<unknown> => (await usage.readUsage(use.owner, [use]))[0]

test('of many simultaneous openings, a limit admits exactly as many as it has room for', async () => {
  const use = dayOf(randomUUID(), 5)
  assert.deepEqual(await crowd(40, () => newOpening({ limits: [use] })), { opened: 5, 'mid-day-limit': 35 })
  assert.equal(await used(use), 5n)
})

test('a payment that one limit refuses is counted in no limit, nor as a retry of the card', async () => {
  const [day, week] = [dayOf(randomUUID(), 30), weekOf(randomUUID(), 3)]
  const merchantId = randomUUID()
  const card = tryOf(randomUUID(), 20)
  const make = () => newOpening({ limits: [day, week], try: card }, { merchantId })
  assert.deepEqual(await crowd(20, make), { opened: 3, 'mapping-week-limit': 17 })
  assert.equal(await used(day), 3n)
  assert.equal((await payments.listTriesOfCard(merchantId, card.cardId)).length, 3)
})

test('a payment that the retry budget refuses is counted in no limit', async () => {
  const day = dayOf(randomUUID(), 30)
  const merchantId = randomUUID()
  const card = tryOf(randomUUID(), 4)
  const make = () => newOpening({ limits: [day], try: card }, { merchantId })
  assert.deepEqual(await crowd(20, make), { opened: 4, 'budget-spent': 16 })
  assert.equal(await used(day), 4n)
})

test('the same card counts separately for each merchant', async () => {
  const card = tryOf(randomUUID(), 1)
  assert.deepEqual(await crowd(3, () => newOpening({ try: card })), { opened: 3 })
})

test('retries older than every window are removed', async () => {
  const merchantId = randomUUID()
  const cardId = randomUUID()
  await payments.open(newOpening({ try: tryOf(cardId, 1) }, { merchantId }))
  const later = new Date(at.getTime() + 2 * 3_600_000)
  const again: CardTry = { cardId, windows: [{ since: new Date(later.getTime() - 3_600_000), most: 1 }] }
  assert.equal(await payments.open(newOpening({ try: again }, { merchantId, createdAt: later })), 'opened')
  assert.deepEqual(await payments.listTriesOfCard(merchantId, cardId), [later])
})

test('an amount limit is exact to the last unit', async () => {
  const use = amountOf(randomUUID(), 2999n)
  assert.deepEqual(await crowd(5, () => newOpening({ limits: [use] })), { opened: 2, 'mid-day-limit': 3 })
  assert.equal(await payments.open(newOpening({ limits: [use] }, { amountMinor: 999n })), 'opened')
  assert.equal(await payments.open(newOpening({ limits: [use] }, { amountMinor: 1n })), 'mid-day-limit')
})

test('each currency has its own sum, and openings in both lock their counters in one order', async () => {
  const owner = randomUUID()
  const counters = { EUR: amountOf(owner, 3000n), JPY: amountOf(owner, 5000n, 'JPY') }
  const all = dayOf(owner, 1000)
  const open = (currency: 'EUR' | 'JPY') => newOpening({ limits: [all, counters[currency]] }, { currency })
  let opened = 0
  const answers = await crowd(40, () => {
    opened += 1
    return open(opened % 2 === 0 ? 'EUR' : 'JPY')
  })
  assert.deepEqual(answers, { opened: 8, 'mid-day-limit': 32 })
  assert.deepEqual([await used(counters.EUR), await used(counters.JPY), await used(all)], [3000n, 5000n, 8n])
})

test('of many attempts that would follow one payment, exactly one is written and counted', async () => {
  const former = newOpening()
  const { merchantId, id } = former.payment
  await payments.open(former)
  await database.pool.query(
    `update payments set status = 'DECLINED', cascading = 'continues', open_transaction = null where id = $1`,
    [id],
  )
  const use = dayOf(randomUUID(), 30)
  const card = tryOf(randomUUID(), 30)
  const follows = { id, version: 1 }
  const make = () =>
    newOpening({ follows, limits: [use], try: card }, { merchantId, cascadeId: id, attempt: 2, orderId: 'order-2' })
  assert.deepEqual(await crowd(20, make), { opened: 1, 'cascade-ended': 19 })
  assert.equal(await used(use), 1n)
  assert.equal((await payments.listTriesOfCard(merchantId, card.cardId)).length, 1)
  assert.equal((await payments.findNewestOfCascade(merchantId, id))?.attempt, 2)
  assert.equal((await payments.find(merchantId, id))?.cascading, 'continued')
})

test('an outcome that ends a plan locks the plan before a counter, as a plan’s payment does', async () => {
  const use = dayOf(randomUUID(), 30)
  const one = newOpening({ limits: [use] })
  const { payment, transaction } = one
  await payments.open(one)
  const plan = await runningPlan(payment.merchantId)
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from subscriptions where id = $1 for update', [plan])
    const settled = payments.settle({
      chain: null,
      plan: null,
      deferred: null,
      endsPlan: { of: 'subscription', id: plan, reason: 'hard decline' },
      before: payment,
      after: { ...payment, status: 'DECLINED', openTransaction: null },
      transaction: { ...transaction, state: 'fail', endedAt: at },
      askAt: null,
      entries: [],
      callback: null,
      token: null,
      step: null,
      recount: { uses: [use], amountMinor: -1000n, count: -1 },
      at,
    })
    while (!(await isWaiting())) await sleep(5)
    await holder.query('select from limit_uses where owner = $1 for update nowait', [use.owner])
    await holder.query('commit')
    assert.equal(await settled, 'settled')
  } finally {
    holder.release()
  }
  assert.equal(await used(use), 0n)
})

for (const continuation of [null, { sentBy: 1, inFlightMs: 1000 }]) {
  test(`a decline releases the payment's limit counters${continuation ? ', also when the cascade goes on' : ''}`, async () => {
    const use = dayOf(randomUUID(), 30)
    const one = newOpening({ limits: [use] })
    const { payment, transaction } = one
    await payments.open(one)
    const decline = success(one, {
      after: { ...payment, status: 'DECLINED', openTransaction: null },
      transaction: { ...transaction, state: 'fail', endedAt: at },
      entries: [],
      continuation,
      recount: { uses: [use], amountMinor: -1000n, count: -1 },
    })
    assert.deepEqual([await payments.settle(decline), await payments.settle(decline)], ['settled', 'stale'])
    assert.equal(await used(use), 0n)
  })
}

/** A payment captured on the second day: counted on its first day, or made before there was a limit. */
async function captured(midId: string, limits: readonly LimitUse[]): Promise<void> {
  const one = newOpening({ limits }, { midId, facts: limits.length > 0 ? { limits: countersOf(limits) } : {} })
  assert.equal(await payments.open(one), 'opened')
  await database.pool.query(
    `update payments set status = 'SETTLED', authorised_minor = 1000, captured_minor = 1000, financial_day = '2026-03-02',
       open_transaction = null where id = $1`,
    [one.payment.id],
  )
}

test('a payment made on one day and captured on the next counts on the first day only', async () => {
  const midId = randomUUID()
  const [first, second] = [dayOf(midId, 1), { ...dayOf(midId, 1), starts: '2026-03-02' }]
  await captured(midId, [first])
  assert.equal(await used(second), 0n)
  assert.equal(await payments.open(newOpening({ limits: [second] }, { midId })), 'opened')
  assert.deepEqual([await used(first), await used(second)], [1n, 1n])
})

test('payments made before a limit existed count once it exists', async () => {
  const midId = randomUUID()
  const second = { ...dayOf(midId, 2), starts: '2026-03-02' }
  await captured(midId, [])
  assert.equal(await used(second), 1n)
  assert.equal(await payments.open(newOpening({ limits: [second] }, { midId })), 'opened')
  assert.equal(await payments.open(newOpening({ limits: [second] }, { midId })), 'mid-day-limit')
})

/** Whether any database session waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await database.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}

/** A running plan; its chain and schedule have arbitrary values. */
async function runningPlan(merchantId: string): Promise<string> {
  const id = randomUUID()
  await database.pool.query(
    `alter table subscriptions drop constraint subscriptions_merchant_id_chain_id_fkey,
       drop constraint subscriptions_merchant_id_schedule_id_fkey`,
  )
  await database.pool.query(
    `insert into subscriptions (merchant_id, id, chain_id, schedule_id, state, d, time_of_day, amount_minor, amount_decimals, plan,
       started_by, created_at)
     values ($1, $2, $2, $2, 'running', '2026-03-01', '10:00', 1000, 2, '{}', $2, $3)`,
    [merchantId, id, at],
  )
  return id
}
