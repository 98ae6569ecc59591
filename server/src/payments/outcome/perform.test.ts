/** Outcomes as they are decided and stored: money, status, references, decline reasons, questions and callbacks. Chapter 10 §6, chapter 50 §1. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { type SettleCall, settleScene } from '../../../test/settle-scene.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { readTransaction } from './perform.ts'

const database = await testDatabase()
after(() => database.drop())
const { opened, settled, store, now } = settleScene(database.pool)

const approved: Outcome = { result: 'approved', facts: { reference: 'R-1' } }
const declined: Outcome = { result: 'declined', reason: 'No funds', declineClass: 'soft', facts: {} }
const notExecuted: Outcome = { result: 'not-executed', reason: 'Connection refused', facts: {} }
const unknown: Outcome = { result: 'unknown', reason: 'No answer', facts: {} }
const waiting: Outcome = { result: 'waiting', facts: {} }
const page = { url: 'https://bank.example.com/', method: 'GET', params: {} } as const
const step = (kind: '3DS' | 'REDIRECT'): Outcome => ({ result: 'payer-step', step: kind, ...page, facts: {} })
const inSeconds = (seconds: number): Date => new Date(now.getTime() + seconds * 1000)

/** A payment with a hold of 10.00 EUR. */
const held: Partial<PaymentRecord> = { status: 'PENDING', holds: true, authorisedMinor: 1000n, inFlight: true }
const taken: Partial<PaymentRecord> = {
  status: 'SETTLED',
  authorisedMinor: 1000n,
  capturedMinor: 1000n,
  inFlight: true,
  reference: 'R-0',
}
const reversalOfLateCharge: Partial<PaymentRecord> = {
  status: 'DECLINED',
  declineReason: 'Timed out',
  declineClass: 'technical',
  inFlight: true,
}

test('an approved sale is stored with its money, its reference and its end, and called back', async () => {
  const call = await settled({}, {}, approved)
  const { merchantId, id } = call.payment
  const stored = (await store.find(merchantId, id)) ?? assert.fail()
  assert.deepEqual(
    [stored.status, stored.capturedMinor, stored.reference, stored.openTransaction, stored.updatedAt, stored.facts],
    ['SETTLED', 1000n, 'R-1', null, now, { acquirer: { reference: 'R-1' } }],
  )
  assert.equal(call.payment.version, stored.version, 'the returned payment can be changed at once')
  const [transaction] = await store.listTransactions(merchantId, id)
  assert.deepEqual(
    [transaction?.state, transaction?.reference, transaction?.endedAt, transaction?.facts, transaction?.declineReason],
    ['success', 'R-1', now, { reference: 'R-1' }, null],
  )
  assert.deepEqual(call.transaction, transaction)
  const [record] = call.recorded
  assert.deepEqual(
    [record?.entries, record?.at, record?.askAt, record?.continuation, record?.watchAt],
    [[{ from: 'payer', to: 'settled', amountMinor: 1000n }], now, null, null, null],
  )
  assert.deepEqual(
    call.reported.map(([payment, reported]) => [payment.status, reported.state]),
    [['SETTLED', 'success']],
  )
  assert.equal(record?.callback?.body, 'reported')
  assert.deepEqual([call.wakes, call.health, call.alerts], [1, ['approved'], []])
})

// biome-ignore format: a table is read in columns.
const ends: readonly (readonly [Outcome, PaymentRecord['status'], TransactionRecord['state'], reason: string | null, declineClass: string | null, askAt: Date | null])[] = [
  // outcome           status      transaction  reason                class        asked again
  [ declined,          'DECLINED', 'fail',      'No funds',           'soft',      null         ],
  [ notExecuted,       'DECLINED', 'fail',      'Connection refused', 'technical', null         ],
  [ unknown,           'PREPARE',  'undefined', null,                 null,        inSeconds(5) ],
  [ waiting,           'PREPARE',  'undefined', null,                 null,        inSeconds(5) ],
  [ step('3DS'),       '3DS',      'waiting',   null,                 null,        null         ],
  [ step('REDIRECT'),  'REDIRECT', 'waiting',   null,                 null,        null         ],
]

for (const [outcome, status, state, reason, declineClass, askAt] of ends) {
  const title = outcome.result === 'payer-step' ? `payer step ${outcome.step}` : outcome.result
  test(`a sale that ends as ${title} is ${status}, with its reason and the next question`, async () => {
    const { payment, transaction, recorded, reported } = await settled({}, {}, outcome)
    assert.deepEqual(
      [payment.status, payment.declineReason, payment.declineClass, payment.capturedMinor],
      [status, reason, declineClass, 0n],
    )
    assert.deepEqual(
      [transaction.state, transaction.declineReason, transaction.declineClass],
      [state, reason, declineClass],
    )
    const isOpen = state !== 'fail'
    assert.equal(payment.openTransaction, isOpen ? transaction.id : null)
    assert.deepEqual(transaction.endedAt, isOpen ? null : now)
    assert.deepEqual([recorded[0]?.askAt, recorded[0]?.entries, reported.length], [askAt, [], 1])
    assert.equal(recorded[0]?.step?.url, outcome.result === 'payer-step' ? page.url : undefined)
    assert.equal(payment.facts.redirect !== undefined, outcome.result === 'payer-step')
  })
}

test('the financial day is that of the transaction’s MID', async () => {
  const inTokyo = { cutOff: '00:00', timeZone: 'Asia/Tokyo' }
  const { payment } = await settled({}, {}, approved, { mid: inTokyo, now: new Date('2026-03-01T20:00:00Z') })
  assert.equal(payment.financialDay, '2026-03-02')
})

test('only a first step changes the reference and the acquirer’s facts of a payment', async () => {
  const facts = { acquirer: { reference: 'R-0', descriptor: 'SHOP' } }
  const refund = await settled({ ...taken, facts }, { type: 'REFUND', amountMinor: 400n }, approved)
  assert.deepEqual([refund.payment.reference, refund.payment.facts], ['R-0', facts])
  assert.deepEqual([refund.transaction.reference, refund.payment.refundedMinor], ['R-1', 400n])
  assert.deepEqual([refund.health, refund.recorded[0]?.token], [[], null])

  const first = await settled({ facts, reference: 'R-0' }, { facts: { descriptor: 'T' } }, approved)
  assert.deepEqual(first.payment.facts, { acquirer: { reference: 'R-1', descriptor: 'SHOP' } })
  assert.deepEqual(first.transaction.facts, { reference: 'R-1', descriptor: 'T' })
  assert.equal(first.payment.reference, 'R-1')
})

test('an outcome without a reference keeps the known one', async () => {
  const silent: Outcome = { result: 'approved', facts: {} }
  const { payment, transaction } = await settled({ reference: 'R-0' }, { reference: 'R-9' }, silent)
  assert.deepEqual([payment.reference, transaction.reference], ['R-9', 'R-9'])
  assert.equal((await settled({ reference: 'R-0' }, {}, silent)).payment.reference, 'R-0')
})

test('a failed follow-up leaves the payment without a decline reason', async () => {
  const { payment, transaction } = await settled(held, { type: 'CAPTURE' }, declined)
  assert.deepEqual([payment.status, payment.declineReason, transaction.declineReason], ['PENDING', null, 'No funds'])
  assert.deepEqual([payment.openTransaction, transaction.declineClass], [null, 'soft'])
})

test('a status query that changes nothing is not called back', async () => {
  const repeated = await settled({}, { state: 'undefined' }, unknown)
  assert.deepEqual([repeated.reported, repeated.recorded[0]?.callback], [[], null])
  assert.equal((await settled({}, { state: 'undefined' }, approved)).reported.length, 1)
  assert.equal((await settled({}, { state: 'sent' }, unknown)).reported.length, 1)
})

test('the next question follows the plan, and comes no later than the caller wants', async () => {
  const ask = async (asks: number, askWithinMs?: number): Promise<Date | null | undefined> =>
    (await settled({}, { asks }, unknown, askWithinMs === undefined ? {} : { askWithinMs })).recorded[0]?.askAt
  assert.deepEqual([await ask(1), await ask(2, 1000), await ask(7)], [inSeconds(30), inSeconds(1), null])
})

// Only the members that the time limit needs.
const brandUntil = (expiresAt: Date): PaymentRecord['facts'] =>
  ({ brand: { waiting: 'pending', expiresAt: expiresAt.toISOString() } }) as unknown as PaymentRecord['facts']

test('while the payer has time to act, the acquirer is asked when that time ends', async () => {
  const facts = brandUntil(inSeconds(20))
  const { payment, transaction, recorded } = await settled({ facts }, { asks: 1 }, waiting)
  assert.deepEqual([payment.status, transaction.state, recorded[0]?.askAt], ['PENDING', 'waiting', inSeconds(20)])
})

test('a payment that still waits when the payer’s time is over expires', async () => {
  const { payment } = await settled({ facts: brandUntil(inSeconds(-1)) }, {}, waiting)
  assert.deepEqual([payment.status, payment.declineReason], ['DECLINED', 'Expired'])
})

test('the reversal of a late charge changes nothing of the declined payment and is not called back', async () => {
  const reversal = { type: 'REVERSAL' } as const
  const done = await settled(reversalOfLateCharge, reversal, approved)
  assert.deepEqual(
    [done.payment.status, done.payment.declineReason, done.payment.refundedMinor, done.transaction.state],
    ['DECLINED', 'Timed out', 0n, 'success'],
  )
  assert.deepEqual([done.reported, done.alerts, done.recorded[0]?.entries], [[], [], []])

  const failed = await settled(reversalOfLateCharge, reversal, declined)
  assert.deepEqual([failed.payment.declineReason, failed.transaction.state, failed.reported], ['Timed out', 'fail', []])
  assert.deepEqual(
    failed.alerts.map(({ kind, merchantId, paymentId, text }) => [
      kind,
      merchantId,
      paymentId,
      text.includes('No funds'),
    ]),
    [['give-back', failed.payment.merchantId, failed.payment.id, true]],
  )
  assert.deepEqual((await settled(reversalOfLateCharge, reversal, unknown)).alerts, [])
})

test('a follow-up that fails on a settled payment raises no alert', async () => {
  assert.deepEqual((await settled(taken, { type: 'REVERSAL', amountMinor: 400n }, declined)).alerts, [])
})

test('less money than ordered declines the payment and raises an alert', async () => {
  const { payment, alerts } = await settled({}, {}, { result: 'approved', facts: { received: '400' } })
  assert.deepEqual([payment.status, payment.declineReason], ['DECLINED', 'Amount mismatch'])
  assert.deepEqual(
    alerts.map(({ kind }) => kind),
    ['give-back'],
  )
})

/** Another process has settled the transaction since the payment was read. */
async function afterAnother(first: Outcome, second: Outcome): Promise<SettleCall> {
  const one = await opened()
  await settled(one.payment, one.transaction, first, { opened: one })
  return settled(one.payment, one.transaction, second, { opened: one })
}

const reversalsOf = async ({ payment: { merchantId, id } }: SettleCall): Promise<readonly TransactionRecord[]> =>
  (await store.listTransactions(merchantId, id)).filter(({ type }) => type === 'REVERSAL')

test('an outcome that another process has stored stands', async () => {
  const call = await afterAnother(approved, declined)
  assert.deepEqual([call.payment.status, call.transaction.state, call.reported.length], ['SETTLED', 'success', 1])
  assert.deepEqual([call.alerts, call.wakes, await reversalsOf(call)], [[], 0, []])
  assert.deepEqual(await reversalsOf(await afterAnother(declined, declined)), [])
  assert.deepEqual(await reversalsOf(await afterAnother(approved, approved)), [])
})

test('a charge that was executed although another process wrote it off is reversed, with its reference', async () => {
  const call = await afterAnother(declined, { result: 'approved', facts: { reference: 'R-7', received: '900' } })
  assert.deepEqual([call.payment.status, call.transaction.state], ['DECLINED', 'fail'])
  assert.deepEqual(
    (await reversalsOf(call)).map(({ state, amountMinor }) => [state, amountMinor]),
    [['sent', 900n]],
  )
  assert.equal((await store.find(call.payment.merchantId, call.payment.id))?.reference, 'R-7')
})

test('an outcome is decided again if the payment changed while its transaction stayed open', async () => {
  const one = await opened()
  await settled(one.payment, one.transaction, unknown, { opened: one })
  const call = await settled(one.payment, one.transaction, approved, { opened: one })
  assert.deepEqual(
    [call.payment.status, call.payment.version, call.recorded.map(({ before }) => before.version)],
    ['SETTLED', 3, [1, 2]],
  )
  assert.deepEqual([call.wakes, call.health], [1, ['approved']])
})

test('an outcome that cannot be stored is an error', async () => {
  await assert.rejects(settled({}, {}, approved, { stale: true }), /could not be stored/)
})

test('an outcome that the status no longer allows changes nothing and raises an alert', async () => {
  const one = await opened()
  const { payment } = await settled(one.payment, one.transaction, approved, { opened: one })
  const call = await settled(payment, one.transaction, declined, { opened: one })
  assert.deepEqual([call.payment.status, call.transaction.state, call.recorded], ['SETTLED', 'success', []])
  assert.deepEqual(
    call.alerts.map(({ kind, merchantId, paymentId, text }) => [
      kind,
      merchantId,
      paymentId,
      text.includes('"declined"'),
    ]),
    [['late-outcome', payment.merchantId, payment.id, true]],
  )
  assert.deepEqual(
    (await settled(payment, one.transaction, approved, { opened: one })).alerts.map(({ kind }) => kind),
    ['late-outcome'],
  )
})

test('a late success of a declined payment is reversed and raises one alert', async () => {
  const one = await opened()
  const { payment } = await settled(one.payment, one.transaction, declined, { opened: one })
  const late = await settled(payment, one.transaction, approved, { opened: one })
  assert.deepEqual(
    late.alerts.map(({ kind }) => kind),
    ['late-success'],
  )
  assert.equal((await reversalsOf(late)).length, 1)
  const again = await settled(payment, one.transaction, declined, { opened: one })
  assert.deepEqual(
    again.alerts.map(({ kind }) => kind),
    ['late-outcome'],
  )
})

test('an open command whose money is gone ends without a change; one that is not open raises an alert', async () => {
  const lapsed: Partial<PaymentRecord> = { ...held, status: 'REVERSAL' }
  const ended = await settled(lapsed, { type: 'CAPTURE' }, declined)
  assert.deepEqual([ended.payment.status, ended.transaction.state, ended.alerts], ['REVERSAL', 'fail', []])
  const foreign = await settled({ ...lapsed, openTransaction: null }, { type: 'CAPTURE' }, declined)
  assert.deepEqual([foreign.recorded, foreign.alerts.map(({ kind }) => kind)], [[], ['late-outcome']])
})

test('a transaction of another payment is not found', async () => {
  const [one, other] = [await opened(), await opened()]
  const deps = { payments: store } as unknown as Parameters<typeof readTransaction>[0]
  const { transaction } = await readTransaction(deps, one.payment, one.transaction)
  assert.equal(transaction.id, one.transaction.id)
  await assert.rejects(readTransaction(deps, one.payment, other.transaction), /was not found/)
  await assert.rejects(readTransaction(deps, one.payment, { id: randomUUID() }), /was not found/)
})
