/** The rules about money that hold across months: chapter 80 §2, decisions/months#claims-across-months. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { Opening, OutcomeRecord, PaymentRecord } from '../../contracts/records.ts'
import type { Pool } from '../database/pool.ts'
import { openingParams } from '../payments/intents/openings.ts'
import { paymentInsertion, transactionInsertion } from '../payments/payment-rows.ts'
import { paymentStore } from '../payments/payments.ts'
import { planStore } from '../plans/plans.ts'
import { scheduleStore } from '../plans/schedules.ts'
import { fillClaims } from './claim-fill.ts'
import { prepareMonths } from './prepare.ts'
import { openingIn, successIn } from './testing/payments-in-months.ts'

const [november, december] = ['2026-11-17T10:00:00Z', '2026-12-03T10:00:00Z']
const sending = { sentBy: 1, inFlightMs: 0 }

let database: TestDatabase
let payments: ReturnType<typeof paymentStore>
before(async () => {
  database = await testDatabase()
  payments = paymentStore(database.pool)
  assert.equal((await prepareMonths(database.pool, new Date(november)))?.obstacle, null)
})
after(() => database.drop())

const declineOf = (opening: Opening, changes: Partial<OutcomeRecord> = {}): OutcomeRecord => {
  const { payment, transaction } = opening
  const outcome = successIn(november, opening)
  return {
    ...outcome,
    after: { ...payment, status: 'DECLINED', openTransaction: null },
    transaction: { ...transaction, state: 'fail', endedAt: outcome.at },
    entries: [],
    callback: null,
    ...changes,
  }
}

const declined = async (opening: Opening): Promise<void> => {
  assert.equal(await payments.settle(declineOf(opening)), 'settled')
}

/** The acquirer reports that a declined payment was charged after all. */
const chargeReported = ({ payment, transaction }: Opening): OutcomeRecord => {
  const before: PaymentRecord = { ...payment, version: 2, status: 'DECLINED', openTransaction: null }
  const charge = { ...transaction, id: randomUUID(), useId: null }
  return { ...successIn(november, { payment: before, transaction: charge, card: null, sending }), callback: null }
}

type Rule = readonly [
  name: string,
  of: () => Partial<PaymentRecord>,
  use: () => Partial<Opening['transaction']>,
  refusal: string,
]

// biome-ignore format: a table is read in columns.
const rules: readonly Rule[] = [
  ['an order that is paid once',   () => ({ merchantId: randomUUID(), aloneInOrder: true }),           () => ({}),                        'duplicate-order'],
  ['a session',                    () => ({ merchantId: randomUUID(), sessionId: randomUUID() }),      () => ({}),                        'session-busy'],
  ['a use of an idempotency key',  () => ({ merchantId: randomUUID() }),                               () => ({ useId: randomUUID() }),   'idempotency-clash'],
]

for (const [name, ofRule, useOf, refusal] of rules) {
  for (const [first, second] of [
    [november, december],
    [december, november],
    [december, december],
  ] as const) {
    test(`${name} has one payment: ${first.slice(0, 7)}, then ${second.slice(0, 7)}`, async () => {
      const [of, use] = [ofRule(), useOf()]
      assert.equal(await payments.open(openingIn(first, of, use)), 'opened')
      assert.equal(await payments.open(openingIn(second, of, use)), refusal)
      assert.equal(await payments.open(openingIn(second, { ...of, merchantId: randomUUID() }, use)), 'opened')
    })
  }

  test(`of simultaneous payments of ${name} in two months, one is opened`, async () => {
    const [of, use] = [ofRule(), useOf()]
    const openings = Array.from({ length: 24 }, (_, index) => openingIn(index % 2 === 0 ? november : december, of, use))
    const results = await Promise.all(openings.map((opening) => payments.open(opening)))
    const refusals = Array.from({ length: 23 }, () => refusal)
    assert.deepEqual(results.toSorted(), ['opened', ...refusals].toSorted())
  })
}

test('a date of a plan has one first attempt, and further attempts of its cascade', async () => {
  const of = { merchantId: randomUUID(), subscriptionId: randomUUID(), planDate: '2026-11-30' }
  assert.equal(await payments.open(openingIn(november, of)), 'opened')
  await assert.rejects(payments.open(openingIn(december, of)), { constraint: 'plan_claims_pkey', code: '23505' })
  assert.equal(await payments.open(openingIn(december, { ...of, attempt: 2 })), 'opened')
  assert.equal(await payments.open(openingIn(december, { ...of, planDate: '2026-12-31' })), 'opened')
})

for (const [name, ofRule, , refusal] of rules.slice(0, 2)) {
  test(`a decline frees ${name}; a declined payment that returns is refused while another stands`, async () => {
    const of = ofRule()
    const first = openingIn(november, of)
    assert.equal(await payments.open(first), 'opened')
    await declined(first)
    const second = openingIn(december, of)
    assert.equal(await payments.open(second), 'opened')
    assert.equal(await payments.open(openingIn(december, of)), refusal)
    await assert.rejects(payments.enter(chargeReported(first)), { code: '23505' })
    await declined(second)
    assert.equal(await payments.enter(chargeReported(first)), 'settled')
    assert.equal(await payments.open(openingIn(december, of)), refusal)
  })

  // biome-ignore format: a table is read in columns.
  const forms: readonly (readonly [string, Partial<OutcomeRecord>])[] = [
    ['that another attempt follows',   { continuation: sending }],
    ['that releases its limits',       { recount: { uses: [], amountMinor: -1000n, count: -1 } }],
    ['that is watched',                { watchAt: new Date(december) }],
  ]
  for (const [form, changes] of forms)
    test(`a decline ${form} frees ${name}`, async () => {
      const of = ofRule()
      const opening = openingIn(december, of)
      assert.equal(await payments.open(opening), 'opened')
      assert.equal(await payments.settle(declineOf(opening, changes)), 'settled')
      assert.equal(await payments.open(openingIn(december, of)), 'opened')
    })

  test(`a payment of ${name} that is approved keeps its claim`, async () => {
    const of = ofRule()
    const opening = openingIn(december, of)
    assert.equal(await payments.open(opening), 'opened')
    assert.equal(await payments.settle(successIn(december, opening)), 'settled')
    assert.equal(await payments.open(openingIn(december, of)), refusal)
  })
}

test('a decline frees no claim of another payment', async () => {
  const merchantId = randomUUID()
  const visit = openingIn(december, { merchantId, sessionId: randomUUID() })
  assert.equal(await payments.open(openingIn(december, { merchantId, aloneInOrder: true })), 'opened')
  assert.equal(await payments.open(visit), 'opened')
  await declined(visit)
  assert.equal(await payments.open(openingIn(december, { merchantId, aloneInOrder: true })), 'duplicate-order')
})

test('of payments written together, one whose order is claimed is refused alone', async () => {
  const of = { merchantId: randomUUID(), aloneInOrder: true }
  assert.equal(await payments.open(openingIn(november, of)), 'opened')
  const orders = ['A', 'B', 'order-1', 'C', 'D'].map((orderId) => openingIn(december, { ...of, orderId }))
  assert.deepEqual(await Promise.all(orders.map((opening) => payments.open(opening))), [
    'opened',
    'opened',
    'duplicate-order',
    'opened',
    'opened',
  ])
  for (const orderId of ['A', 'D'])
    assert.equal(await payments.open(openingIn(november, { ...of, orderId })), 'duplicate-order')
})

test('a command with the key of another payment of another month is refused', async () => {
  const [merchantId, useId] = [randomUUID(), randomUUID()]
  const results: string[] = []
  for (const month of [november, december, december]) {
    const opening = openingIn(month, { merchantId })
    assert.equal(await payments.open(opening), 'opened')
    assert.equal(await payments.settle(successIn(month, opening)), 'settled')
    const payment: PaymentRecord = { ...opening.payment, version: 2, status: 'SETTLED', openTransaction: null }
    const transaction = { ...opening.transaction, id: randomUUID(), type: 'CAPTURE' as const, useId }
    results.push(await payments.begin({ payment, transaction, sending }))
  }
  assert.deepEqual(results, ['begun', 'idempotency-clash', 'idempotency-clash'])
})

test('a retry with the key of another payment of another month is refused', async () => {
  const [merchantId, useId] = [randomUUID(), randomUUID()]
  const results: string[] = []
  for (const month of [november, december]) {
    const opening = openingIn(month, { merchantId, aloneInOrder: true, orderId: randomUUID() })
    assert.equal(await payments.open(opening), 'opened')
    await declined(opening)
    const payment: PaymentRecord = { ...opening.payment, version: 2, status: 'DECLINED', aloneInOrder: false }
    results.push(
      await payments.begin({ payment, transaction: { ...opening.transaction, id: randomUUID(), useId }, sending }),
    )
  }
  assert.deepEqual(results, ['begun', 'idempotency-clash'])
})

test('a charge changes nothing of what a standing payment claims', async () => {
  const of = { merchantId: randomUUID(), aloneInOrder: true }
  const opening = openingIn(november, of)
  assert.equal(await payments.open(opening), 'opened')
  const { payment, transaction } = opening
  const charge = { ...transaction, id: randomUUID() }
  await database.pool.query(`update transactions set type = '3DS', state = 'waiting' where id = $1`, [transaction.id])
  assert.equal(
    await payments.begin({
      payment: { ...payment, aloneInOrder: false },
      transaction: charge,
      sending,
      authentication: transaction.id,
    }),
    'begun',
  )
  assert.equal((await payments.find(payment.merchantId, payment.id))?.aloneInOrder, true)
  assert.equal(await payments.open(openingIn(december, of)), 'duplicate-order')
})

test('a plain payment writes no claim', async () => {
  const opening = openingIn(december)
  await payments.open(opening)
  const { rows } = await database.pool.query(
    `select 1 from order_claims where payment_id = $1 union all select 1 from session_claims where payment_id = $1
     union all select 1 from plan_claims where payment_id = $1 union all select 1 from key_uses where payment_id = $1`,
    [opening.payment.id],
  )
  assert.deepEqual(rows, [])
})

test('a use finds its transaction', async () => {
  const useId = randomUUID()
  const opening = openingIn(december, {}, { useId })
  await payments.open(opening)
  assert.equal((await payments.findByUse(opening.payment.merchantId, useId))?.id, opening.transaction.id)
  assert.equal(await payments.findByUse(randomUUID(), useId), null)
})

/** A database with payments from before the claims. */
async function olderDatabase() {
  const older = await testDatabase()
  await older.pool.query('update claim_fill set filled_at = null')
  return older
}

/** As the release before the claims writes a payment. */
const openWithoutClaims = async (pool: Pool, opening: Opening): Promise<void> => {
  await pool.query(
    `with payment as (${paymentInsertion.text(1)}) ${transactionInsertion.text(1 + paymentInsertion.width)}`,
    [...openingParams(opening)],
  )
}

/** The triggers that write claims for that release. */
const enableTriggers = (pool: Pool) =>
  pool.query('alter table payments enable trigger user; alter table transactions enable trigger user')

test('claims of payments from before are written before the first month is split off', async () => {
  const older = await olderDatabase()
  try {
    const store = paymentStore(older.pool)
    const kinds = rules.map(([, ofRule, useOf, refusal]) => [ofRule(), useOf(), refusal] as const)
    const plan = { merchantId: randomUUID(), subscriptionId: randomUUID(), planDate: '2026-11-30' }
    for (const [of, use] of kinds) await openWithoutClaims(older.pool, openingIn(november, of, use))
    await openWithoutClaims(older.pool, openingIn(november, plan))
    const useId = kinds[2]?.[1].useId ?? ''
    assert.ok(await store.findByUse(kinds[2]?.[0].merchantId ?? '', useId), 'found although its claim is missing')
    assert.deepEqual((await prepareMonths(older.pool, new Date(november)))?.made.length, 2)
    for (const [of, use, refusal] of kinds) assert.equal(await store.open(openingIn(december, of, use)), refusal)
    await assert.rejects(store.open(openingIn(december, plan)), { constraint: 'plan_claims_pkey' })
  } finally {
    await older.drop()
  }
})

test('a payment that is declined while claims are written leaves none', async () => {
  const older = await olderDatabase()
  try {
    const store = paymentStore(older.pool)
    const of = { merchantId: randomUUID(), aloneInOrder: true }
    const opening = openingIn(november, of)
    await openWithoutClaims(older.pool, opening)
    await enableTriggers(older.pool)
    const client = await older.pool.connect()
    await client.query('begin')
    await client.query(`update payments set status = 'DECLINED' where id = $1`, [opening.payment.id])
    const filling = fillClaims(older.pool)
    await sleep(100)
    await client.query('commit')
    client.release()
    assert.equal(await filling, 0)
    assert.equal(await store.open(openingIn(december, of)), 'opened')
  } finally {
    await older.drop()
  }
})

test('while the previous release serves, its payments and those of this one exclude each other', async () => {
  const both = await testDatabase()
  try {
    await enableTriggers(both.pool)
    await prepareMonths(both.pool, new Date(november))
    const store = paymentStore(both.pool)
    const indexes = ['payments_alone_in_order', 'payments_alone_in_session', 'transactions_idempotency']
    for (const [index, [, ofRule, useOf, refusal]] of rules.entries()) {
      const [of, use] = [ofRule(), useOf()]
      await openWithoutClaims(both.pool, openingIn(december, of, use))
      assert.equal(await store.open(openingIn(december, of, use)), refusal, 'this one after the previous')
      const [ofOther, useOther] = [ofRule(), useOf()]
      const opening = openingIn(december, ofOther, useOther)
      assert.equal(await store.open(opening), 'opened', 'a claim of its own is no clash')
      await assert.rejects(openWithoutClaims(both.pool, openingIn(december, ofOther, useOther)), {
        constraint: indexes[index],
      })
      if (refusal === 'idempotency-clash') continue
      assert.equal(await store.settle(declineOf(opening)), 'settled')
      assert.equal(await store.enter(chargeReported(opening)), 'settled')
      await assert.rejects(openWithoutClaims(both.pool, openingIn(december, ofOther)), { constraint: indexes[index] })
    }
    const plan = { merchantId: randomUUID(), subscriptionId: randomUUID(), planDate: '2026-12-31' }
    assert.equal(await store.open(openingIn(december, plan)), 'opened')
    await assert.rejects(openWithoutClaims(both.pool, openingIn(december, plan)), { constraint: 'payments_plan_date' })
  } finally {
    await both.drop()
  }
})

test('a plan claims the date that it charges', async () => {
  const { pool } = database
  const merchantId = randomUUID()
  const [scheduleId, planId, chainId] = [randomUUID(), randomUUID(), randomUUID()]
  await pool.query(
    `insert into schedules (merchant_id, id, name, interval_length, interval_unit, payments_count, delayed_first_payment, created_at)
     values ($1, $2, 'Monthly', 1, 'month', 12, 'none', now())`,
    [merchantId, scheduleId],
  )
  await pool.query(
    `insert into chains (merchant_id, id, first_payment, kind, created_at) values ($1, $2, $2, 'sale', now())`,
    [merchantId, chainId],
  )
  await pool.query(
    `insert into subscriptions (merchant_id, id, chain_id, schedule_id, state, d, time_of_day, amount_minor, amount_decimals, plan,
       next_date, next_at, started_by, created_at)
     values ($1, $2, $3, $4, 'running', '2026-11-01', '10:00', 1000, 2, '{}', '2026-12-01', '2026-12-01T10:00:00Z', $3, now())`,
    [merchantId, planId, chainId, scheduleId],
  )
  const plans = planStore(pool)
  const schedule = await scheduleStore(pool).find(merchantId, scheduleId)
  const [plan] = await plans.claim(new Date(december), 10, 60)
  assert.ok(schedule && plan)
  const dated = () => openingIn(december, { merchantId, subscriptionId: planId, planDate: '2026-12-01' })
  const firing = { before: plan, after: plan, schedule, opening: dated() }
  assert.equal(await plans.fire(firing), 'fired')
  await assert.rejects(plans.fire({ ...firing, before: { ...plan, version: plan.version + 1 }, opening: dated() }), {
    constraint: 'plan_claims_pkey',
  })
  assert.equal(await plans.fire({ ...firing, opening: dated() }), 'stale')
})
