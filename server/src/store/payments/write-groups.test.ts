/** Intents and outcomes of concurrent requests are written together, and each passes or fails by itself. See decisions/database#groups. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import { success } from '../../../test/outcome-records.ts'
import type { Opening, OutcomeRecord, PaymentRecord } from '../../contracts/records.ts'
import { openPool } from '../database/pool.ts'
import { paymentStore } from './payments.ts'

const database = await testDatabase()
/** One connection, which shows what was prepared on it. */
const pool = openPool(database.url, { max: 1, applicationName: 'groups' })
after(async () => {
  await pool.end()
  await database.drop()
})
const payments = paymentStore(pool)
const merchantId = randomUUID()
const midId = randomUUID()
const mappingId = randomUUID()
const [cardId, chainId] = [randomUUID(), randomUUID()]

const isPrepared = async (name: string): Promise<boolean> =>
  (await pool.query('select 1 from pg_prepared_statements where name = $1', [name])).rowCount === 1

const text = `O'Brien "\\n" {a,b} NULL Łódź 🙂\t`

/** Every column has a value. */
function fullOpening(): Opening {
  const { payment, transaction } = newOpening({}, { merchantId })
  const full: PaymentRecord = {
    ...payment,
    orderId: text,
    orderDescription: text,
    amountMinor: 123_456_789_012_345_678_901n,
    midId,
    mappingId,
    channel: text,
    routing: { ordered: [{ midName: text, holds: false, reason: text }], dropped: [], rule: null, refusal: null },
    cardId,
    pan10: '4111111111',
    cardMask: '411111****1111',
    cardExpiry: '01/2038',
    cardSource: 'card',
    cardToken: text,
    payerEmail: text,
    payerIp: '203.0.113.7',
    payer: { last_name: text },
    payee: { last_name: text },
    customData: { list: [1, 'two', null, { three: text }] },
    parameters: { wanted: text },
    facts: { network: text },
    language: 'pl',
    callbackUrl: 'https://shop.example.com/callback',
    chainId,
    planDate: '2026-03-01',
    attempt: 2,
  }
  return {
    payment: full,
    card: {
      merchantId,
      id: cardId,
      panSealed: Buffer.from([0, 1, 0x5c, 0xff]),
      bin: '411111',
      lastFour: '1111',
      panLength: 16,
      expiryMonth: 1,
      expiryYear: 2038,
      network: 'visa',
    },
    transaction: { ...transaction, amountMinor: full.amountMinor, midId, parameters: { sent: text } },
    sending: { sentBy: 7, inFlightMs: 3_600_000 },
  }
}

const fullSuccess = (opening: Opening): OutcomeRecord => {
  const plain = success(opening)
  return {
    ...plain,
    after: {
      ...plain.after,
      authorisedMinor: opening.payment.amountMinor,
      capturedMinor: opening.payment.amountMinor,
      declineReason: text,
      declineClass: 'soft',
      reference: text,
      facts: { network: text },
    },
    transaction: { ...plain.transaction, reference: text, facts: { descriptor: text }, declineReason: text },
    askAt: new Date('2026-03-01T11:00:00.123Z'),
    entries: [{ from: 'payer', to: 'settled', amountMinor: opening.payment.amountMinor }],
  }
}

/** The payment's rows, without identifiers and without times that the database sets. */
async function rowsOf({ payment }: Opening): Promise<unknown> {
  const unique = `'{id,payment_id,transaction_id,first_transaction,open_transaction,in_flight_until,ask_at,sent_at,written_in}'::text[]`
  const { rows } = await pool.query(
    `select (select to_jsonb(p) - ${unique} from payments p where merchant_id = $1 and id = $2) as payment,
       (select jsonb_agg(to_jsonb(t) - ${unique}) from transactions t where merchant_id = $1 and payment_id = $2) as transactions,
       (select jsonb_agg(to_jsonb(l) - ${unique}) from ledger_entries l where merchant_id = $1 and payment_id = $2) as entries,
       (select jsonb_agg(to_jsonb(c) - ${unique}) from callbacks c where merchant_id = $1 and payment_id = $2) as callbacks,
       (select bool_and(in_flight_until > now() + interval '59 minutes') from transactions where merchant_id = $1 and payment_id = $2) as is_in_flight`,
    [payment.merchantId, payment.id],
  )
  return rows[0]
}

test('payments and outcomes that are written together have the same rows as one that is written alone', async () => {
  const openings = [fullOpening(), fullOpening(), fullOpening()]
  assert.deepEqual(await Promise.all(openings.map((one) => payments.open(one))), ['opened', 'opened', 'opened'])
  assert.ok(await isPrepared('payment.open-group'))
  const [alone, ...together] = await Promise.all(openings.map(rowsOf))
  for (const rows of together) assert.deepEqual(rows, alone)
  const { rows: cards } = await pool.query('select pan_sealed from cards where merchant_id = $1', [merchantId])
  assert.deepEqual(cards, [{ pan_sealed: Buffer.from([0, 1, 0x5c, 0xff]) }])

  const outcomes = await Promise.all(openings.map((one) => payments.settle(fullSuccess(one))))
  assert.deepEqual(outcomes, ['settled', 'settled', 'settled'])
  assert.ok(await isPrepared('transaction.settle-group'))
  const [settledAlone, ...settledTogether] = await Promise.all(openings.map(rowsOf))
  assert.notDeepEqual(settledAlone, alone)
  for (const rows of settledTogether) assert.deepEqual(rows, settledAlone)
})

test('a card that is written by a group is stored as it is when written alone', async () => {
  const openings = [0, 1, 2].map(() => {
    const one = fullOpening()
    const id = randomUUID()
    return { ...one, payment: { ...one.payment, cardId: id }, card: one.card && { ...one.card, id } }
  })
  await Promise.all(openings.map((one) => payments.open(one)))
  const { rows } = await pool.query(`select to_jsonb(cards) - 'id' as card from cards where id = any ($1)`, [
    openings.map(({ card }) => card?.id),
  ])
  assert.equal(rows.length, 3)
  for (const { card } of rows) assert.deepEqual(card, rows[0].card)
})

test('a payment that is excluded or cannot be written fails alone, and those written with it pass', async () => {
  const inOrder = { merchantId, aloneInOrder: true, orderId: 'paid once' }
  const keyed = (useId: string): Opening => {
    const one = newOpening({}, { merchantId })
    return { ...one, transaction: { ...one.transaction, useId } }
  }
  const useId = randomUUID()
  assert.equal(await payments.open(newOpening({}, inOrder)), 'opened')
  assert.equal(await payments.open(keyed(useId)), 'opened')
  const results = await Promise.allSettled(
    [
      newOpening(),
      newOpening(),
      newOpening({}, inOrder),
      keyed(useId),
      newOpening({}, { currency: 'no\0text' }),
      newOpening({}, { orderDescription: 'lone surrogate \ud800' }),
      newOpening(),
    ].map((one) => payments.open(one)),
  )
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'fault')),
    ['opened', 'opened', 'duplicate-order', 'idempotency-clash', 'fault', 'opened', 'opened'],
  )
})

test('of many payments of an order at once that may be paid once, one is opened', async () => {
  const inOrder = { merchantId, aloneInOrder: true, orderId: 'many at once' }
  const opened = await Promise.all(Array.from({ length: 40 }, () => payments.open(newOpening({}, inOrder))))
  assert.deepEqual(opened.toSorted(), [...Array.from({ length: 39 }, () => 'duplicate-order'), 'opened'])
})

test('an outcome that is stale or breaks a rule about money fails alone and leaves no trace', async () => {
  const openings = Array.from({ length: 6 }, () => newOpening({}, { merchantId }))
  await Promise.all(openings.map((one) => payments.open(one)))
  const records = openings.map((one) => success(one))
  const outcomes = await Promise.allSettled(
    records.map((record, index) => {
      const { before, after: paid } = record
      if (index === 2) return payments.settle({ ...record, before: { ...before, version: before.version + 1 } })
      if (index === 4) return payments.settle({ ...record, after: { ...paid, capturedMinor: 1001n } })
      return payments.settle(record)
    }),
  )
  assert.deepEqual(
    outcomes.map((result) => (result.status === 'fulfilled' ? result.value : 'fault')),
    ['settled', 'settled', 'stale', 'settled', 'fault', 'settled'],
  )
  const { rows } = await pool.query<{ id: string; traces: number }>(
    `select p.id, (select count(*)::int from ledger_entries l where l.payment_id = p.id)
       + (select count(*)::int from callbacks c where c.payment_id = p.id) as traces
     from payments p where p.id = any ($1)`,
    [openings.map(({ payment }) => payment.id)],
  )
  assert.deepEqual(
    openings.map(({ payment }) => rows.find(({ id }) => id === payment.id)?.traces),
    [2, 2, 0, 2, 0, 2],
  )
})

test('two outcomes of one payment at once are not written together: the second one is stale', async () => {
  const openings = [newOpening(), newOpening()]
  await Promise.all(openings.map((one) => payments.open(one)))
  const twice = openings.flatMap((one) => [success(one), success(one)])
  const outcomes = await Promise.all(twice.map((record) => payments.settle(record)))
  assert.deepEqual(outcomes, ['settled', 'stale', 'settled', 'stale'])
})
