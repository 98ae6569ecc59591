// The connector of CyberSource against the stand-in for CyberSource, over HTTP.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { openCybersource } from '#sandbox/acquirers/cybersource/stand-in.ts'
import type { FollowUp, MoneyOperation, Order, StatusQuery } from '#server/connectors/connector.ts'
import { cybersource } from '#server/connectors/cybersource/index.ts'
import type { AcquirerFacts, Outcome } from '#server/connectors/outcome.ts'
import { followUpWith, orderWith, statusQueryWith } from '#server/connectors/testing/contract-samples.ts'
import { openStandInHere, outcomeOf, type StandInHere, undoOutcomeOf } from './stand-in-here.ts'

let at: StandInHere
let entriesBefore = 0
before(async () => {
  at = await openStandInHere(openCybersource, cybersource)
})
beforeEach(async () => {
  entriesBefore = (await at.ledger()).length
})
afterEach(async () => {
  await put('search', { current: true })
  await fetch(`${at.url}/faults`, { method: 'DELETE' })
})
after(() => at.close())

/** Of this test. */
const ledger = async (): Promise<readonly string[]> => (await at.ledger()).slice(entriesBefore)

const put = (path: string, body: object): Promise<Response> =>
  fetch(`${at.url}/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const newOrder = (changes: object = {}): Order =>
  orderWith({ transactionId: randomUUID(), paymentId: randomUUID(), ...changes })

const followUpOf = (order: Order, facts: AcquirerFacts, amountMinor: string, changes: object = {}): FollowUp =>
  followUpWith({
    transactionId: randomUUID(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    reference: facts.reference ?? null,
    amountMinor,
    ...changes,
  })

const captureOf = ({ transactionId, amountMinor }: FollowUp, { reference }: AcquirerFacts) => ({
  transactionId,
  amountMinor: String(amountMinor),
  reference,
})

/** What the reconciler knows of a transaction that was sent: half a minute ago, or too long ago for the search. */
const sentOf = (
  { transactionId, paymentId, amountMinor }: Pick<FollowUp, 'transactionId' | 'paymentId'> & Pick<Order, 'amountMinor'>,
  changes: { readonly operation?: MoneyOperation; readonly age?: string; readonly reference?: string } = {},
): StatusQuery => {
  const { operation = 'sale', age = '11:59:30', reference } = changes
  const query = statusQueryWith({
    transactionId,
    paymentId,
    operation,
    reference: null,
    amountMinor: String(amountMinor),
  })
  return {
    ...query,
    createdAt: new Date(`2026-11-16T${age}Z`),
    first: { ...query.first, reference: reference ?? null },
  }
}

const sale = (order: Order): Promise<Outcome> => outcomeOf(() => at.account.sale(order))
const authorize = (order: Order): Promise<Outcome> => outcomeOf(() => at.account.authorize?.(order))
const undo = (sent: StatusQuery): Promise<Outcome> => undoOutcomeOf(() => at.account.undo?.(sent))

const hideFromSearch = () => put('search', { current: false })

test('a sale is refunded in part, never beyond its amount, and voided', async () => {
  const [order, other] = [newOrder(), newOrder()]
  const [sold, another] = [await sale(order), await sale(other)]
  assert.equal(sold.result, 'approved')
  assert.match(sold.facts.reference ?? '', /^77\d{20}$/)
  assert.equal(sold.facts.networkTransactionId?.length, 15)
  assert.deepEqual(sold.facts.extended, { avs_result: 'Y', cvv_result: 'M', processor_response: '00' })

  const refund = (amount: string) => outcomeOf(() => at.account.refund?.(followUpOf(order, sold.facts, amount)))
  assert.equal((await refund('400')).result, 'approved')
  assert.equal((await refund('700')).result, 'not-executed')
  assert.equal((await outcomeOf(() => at.account.void?.(followUpOf(other, another.facts, '1000')))).result, 'approved')
  assert.deepEqual(await ledger(), [
    'sale 1000 executed',
    'sale 1000 executed',
    'refund 400 executed',
    'void 1000 executed',
  ])
})

test('a hold is captured in part, the capture is refunded in part, and the rest of the hold is released', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  const capture = followUpOf(order, facts, '600')
  const captured = await outcomeOf(() => at.account.capture?.(capture))
  assert.equal(captured.result, 'approved')
  const captures = [captureOf(capture, captured.facts)]
  const refund = followUpOf(order, facts, '200', { captures })
  assert.equal((await outcomeOf(() => at.account.refund?.(refund))).result, 'approved')
  const rest = followUpOf(order, facts, '400', { captures })
  assert.equal((await outcomeOf(() => at.account.reverse?.(rest))).result, 'approved')
  assert.deepEqual(await ledger(), [
    'authorize 1000 executed',
    'capture 600 executed',
    'refund 200 executed',
    'reverse 400 executed',
  ])
})

test('a captured hold is voided by its capture', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  const capture = followUpOf(order, facts, '1000')
  const captured = await outcomeOf(() => at.account.capture?.(capture))
  const cancel = followUpOf(order, facts, '1000', { captures: [captureOf(capture, captured.facts)] })
  assert.equal((await outcomeOf(() => at.account.void?.(cancel))).result, 'approved')
  assert.deepEqual((await ledger()).slice(1), ['capture 1000 executed', 'void 1000 executed'])
})

test('a hold is released, and a sale that is released is voided', async () => {
  const [held, sold] = [newOrder(), newOrder()]
  const [hold, charge] = [await authorize(held), await sale(sold)]
  const release = (order: Order, facts: AcquirerFacts) =>
    outcomeOf(() => at.account.reverse?.(followUpOf(order, facts, '1000')))
  assert.equal((await release(held, hold.facts)).result, 'approved')
  assert.equal((await release(sold, charge.facts)).result, 'approved')
  assert.deepEqual((await ledger()).slice(2), ['reverse 1000 executed', 'void 1000 executed'])
})

// biome-ignore format: a table is read in columns.
const declines = [
  [ '220400', 'Insufficient funds, soft' ],
  [ '220200', 'Expired card, hard' ],
  [ '220500', 'Stolen or lost card, fraud' ],
  [ '220700', 'Issuer unavailable, technical' ],
  [ '247800', 'Authentication required, authentication_required' ],
  [ '255500', 'Declined by the issuer, fraud' ],
] as const

test('a declined amount is declined with its reason and class', async () => {
  for (const [amountMinor, wanted] of declines) {
    const outcome = await sale(newOrder({ amountMinor }))
    assert.equal(outcome.result === 'declined' && `${outcome.reason}, ${outcome.declineClass}`, wanted)
  }
  assert.equal(
    (await ledger()).every((entry) => entry.endsWith('declined')),
    true,
  )
})

test('a payment that CyberSource holds back after the issuer approved it is declined, and its hold is released', async () => {
  for (const [amountMinor, wanted] of [
    ['220000', 'soft'],
    ['248000', 'fraud'],
    ['248100', 'fraud'],
  ]) {
    const outcome = await sale(newOrder({ amountMinor }))
    assert.equal(outcome.result === 'declined' && outcome.declineClass, wanted)
  }
  assert.deepEqual(await ledger(), [
    'sale 220000 declined',
    'reverse 220000 executed',
    'sale 248000 declined',
    'reverse 248000 executed',
    'sale 248100 declined',
    'reverse 248100 executed',
  ])
})

test('a sale whose answer was lost is found by the search, and charged once', async () => {
  const order = newOrder({ amountMinor: '66601' })
  assert.equal((await sale(order)).result, 'unknown')
  const found = await at.account.status(sentOf(order))
  assert.equal(found.result, 'approved')
  assert.ok(found.result === 'approved' && found.facts.networkTransactionId && found.facts.approvalCode)
  assert.deepEqual(await ledger(), ['sale 66601 executed'])
})

test('a sale that the search does not show is reversed by our own id, however often', async () => {
  const order = newOrder({ amountMinor: '66601' })
  assert.equal((await sale(order)).result, 'unknown')
  await hideFromSearch()
  assert.equal((await at.account.status(sentOf(order))).result, 'cannot-be-asked')
  for (const _ of ['first', 'again']) assert.equal((await undo(sentOf(order))).result, 'not-executed')
  assert.deepEqual(await ledger(), ['sale 66601 executed', 'void 66601 executed'])
})

test('once a reversal may have been sent, an approval that the search shows is not believed', async () => {
  const order = newOrder({ amountMinor: '66601' })
  await sale(order)
  assert.equal((await at.account.status(sentOf(order, { age: '11:57:00' }))).result, 'cannot-be-asked')
  assert.equal((await at.account.status(sentOf(order, { age: '11:57:01' }))).result, 'approved')
})

test('a hold whose answer was lost is released by our own id', async () => {
  const order = newOrder({ amountMinor: '66601' })
  assert.equal((await authorize(order)).result, 'unknown')
  assert.equal((await undo(sentOf(order, { operation: 'authorize' }))).result, 'not-executed')
  assert.deepEqual(await ledger(), ['authorize 66601 executed', 'reverse 66601 executed'])
})

test('a sale that was held back before its answer was lost is not captured, and its hold is released', async () => {
  await put('faults', { fault: 'reply-lost' })
  const order = newOrder({ amountMinor: '248000' })
  assert.equal((await sale(order)).result, 'unknown')
  await fetch(`${at.url}/faults`, { method: 'DELETE' })
  assert.equal((await at.account.status(sentOf(order))).result, 'cannot-be-asked')
  assert.equal((await undo(sentOf(order))).result, 'not-executed')
  assert.deepEqual(await ledger(), ['sale 248000 declined', 'reverse 248000 executed'])
})

const status = async (sent: StatusQuery): Promise<string> => (await at.account.status(sent)).result

test('a transaction that never arrived is reported so once the search is complete, at the age that the connector declares, and not before', async () => {
  assert.equal(
    at.account.recovery.decidesAfterMs,
    Date.parse('2026-11-16T12:00:00Z') - Date.parse('2026-11-16T10:30:00Z'),
  )
  const [order, sold] = [newOrder({ amountMinor: '66606' }), newOrder({ amountMinor: '100000' })]
  assert.equal((await sale(order)).result, 'unknown')
  const refund = followUpOf(sold, (await sale(sold)).facts, '66606')
  assert.equal((await outcomeOf(() => at.account.refund?.(refund))).result, 'unknown')
  for (const [sent, operation] of [
    [order, 'sale'],
    [refund, 'refund'],
  ] as const) {
    assert.equal((await undo(sentOf(sent, { operation }))).result, 'unknown', operation)
    assert.equal(await status(sentOf(sent, { operation, age: '11:30:01' })), 'cannot-be-asked', operation)
    assert.equal(await status(sentOf(sent, { operation, age: '11:30:00' })), 'unknown', operation)
    assert.equal(await status(sentOf(sent, { operation, age: '10:30:01' })), 'unknown', operation)
    assert.equal(await status(sentOf(sent, { operation, age: '10:30:00' })), 'never-arrived', operation)
  }
  assert.deepEqual(await ledger(), ['sale 100000 executed'])
})

test('no reversal is sent in the hour after which the search counts as complete', async () => {
  const order = newOrder({ amountMinor: '66601' })
  await sale(order)
  assert.equal((await undo(sentOf(order, { age: '11:30:00' }))).result, 'unknown')
  assert.deepEqual(await ledger(), ['sale 66601 executed'])
  assert.equal((await undo(sentOf(order, { age: '11:30:01' }))).result, 'not-executed')
})

test('a refund that was executed and reversed is not executed, also if the answer to the reversal was lost', async () => {
  const sold = newOrder({ amountMinor: '100000' })
  const refund = followUpOf(sold, (await sale(sold)).facts, '66601')
  assert.equal((await outcomeOf(() => at.account.refund?.(refund))).result, 'unknown')
  await put('faults', { fault: 'reply-lost' })
  assert.equal((await undo(sentOf(refund, { operation: 'refund' }))).result, 'unknown')
  assert.equal(await status(sentOf(refund, { operation: 'refund', age: '10:30:00' })), 'not-executed')
  assert.deepEqual((await ledger()).slice(1), ['refund 66601 executed', 'void 66601 executed'])
})

test('a charge that can no longer be reversed is approved once the search is complete', async () => {
  const order = newOrder({ amountMinor: '66601' })
  await sale(order)
  // The processor knows no time-out reversals: to it our id is one that it never got.
  const transactionId = `${randomUUID().slice(0, 24)}${order.transactionId.slice(-12)}`
  const unreversible = (age: string): StatusQuery => ({ ...sentOf(order, { age }), transactionId })
  assert.equal((await undo(unreversible('11:59:00'))).result, 'unknown')
  assert.equal(await status(unreversible('10:30:01')), 'unknown')
  assert.equal(await status(unreversible('10:30:00')), 'approved')
  assert.deepEqual(await ledger(), ['sale 66601 executed'])
})

test('a capture, a refund and a payout whose answers were lost are voided by our own ids', async () => {
  const [held, sold, paid] = [
    newOrder({ amountMinor: '100000' }),
    newOrder({ amountMinor: '100000' }),
    newOrder({ amountMinor: '66601' }),
  ]
  const [hold, charge] = [await authorize(held), await sale(sold)]
  const capture = followUpOf(held, hold.facts, '66601')
  const refund = followUpOf(sold, charge.facts, '66601')
  assert.equal((await outcomeOf(() => at.account.capture?.(capture))).result, 'unknown')
  assert.equal((await outcomeOf(() => at.account.refund?.(refund))).result, 'unknown')
  assert.equal((await outcomeOf(() => at.account.credit?.(paid))).result, 'unknown')
  for (const [sent, operation] of [
    [capture, 'capture'],
    [refund, 'refund'],
    [paid, 'credit'],
  ] as const)
    assert.equal((await undo(sentOf(sent, { operation }))).result, 'not-executed', operation)
  assert.deepEqual((await ledger()).slice(2), [
    'capture 66601 executed',
    'refund 66601 executed',
    'credit 66601 executed',
    'void 66601 executed',
    'void 66601 executed',
    'void 66601 executed',
  ])
})

test('a release whose answer was lost is requested again and executed once', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  const release = followUpOf(order, facts, '1000')
  assert.equal((await outcomeOf(() => at.account.reverse?.(release))).result, 'approved')
  const sent = sentOf(release, { operation: 'reverse', reference: facts.reference ?? '' })
  assert.equal((await at.account.status(sent)).result, 'approved')
  await hideFromSearch()
  assert.equal((await undo(sent)).result, 'approved')
  assert.deepEqual(await ledger(), ['authorize 1000 executed', 'reverse 1000 executed'])
})

test('a card is verified with an amount of zero, and nothing is held', async () => {
  const order = newOrder({ amountMinor: '0' })
  assert.equal((await sale(order)).result, 'approved')
  assert.deepEqual(await ledger(), ['authorize 0 executed'])
  assert.equal((await at.account.status(sentOf(order))).result, 'approved')
})

test('an error and garbage in place of an answer leave the outcome unknown', async () => {
  for (const amountMinor of ['66603', '66604', '66605'])
    assert.equal((await sale(newOrder({ amountMinor }))).result, 'unknown', amountMinor)
})

test('wrong credentials are refused before anything is executed, and the check says so', async () => {
  const wrong = at.accountWith({ shared_secret: Buffer.alloc(32, 7).toString('base64') })
  const outcome = await outcomeOf(() => wrong.sale(newOrder()))
  assert.equal(outcome.result === 'not-executed' && outcome.reason, 'The acquirer refused the credentials')
  assert.equal((await wrong.check?.(null))?.kind, 'refused')
  assert.equal((await at.accountWith({ merchant_id: 'another' }).check?.(null))?.kind, 'refused')
  assert.deepEqual(await at.account.check?.(null), { kind: 'accepted' })
  assert.deepEqual(await ledger(), [])
})

test('an id of ours that CyberSource has seen before decides nothing', async () => {
  const order = newOrder()
  assert.equal((await sale(order)).result, 'approved')
  assert.equal((await sale(order)).result, 'unknown')
  assert.deepEqual(await ledger(), ['sale 1000 executed'])
})

test('an encrypted and signed notification leads back to its transaction', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  const capture = followUpOf(order, facts, '600')
  await outcomeOf(() => at.account.capture?.(capture))
  const wanted = capture.transactionId.slice(-12)
  // Captures of other tests are reported to the same address.
  for (;;) {
    const [event] = await at.nextEvents()
    assert.ok(event?.kind === 'decided')
    if (event.transactionId !== wanted) continue
    assert.equal(event.paymentId, order.paymentId)
    break
  }
})

test('the stand-in knows the same after a restart', async () => {
  const order = newOrder()
  const { facts } = await authorize(order)
  await at.restart()
  assert.equal((await outcomeOf(() => at.account.capture?.(followUpOf(order, facts, '1000')))).result, 'approved')
  assert.deepEqual(await ledger(), ['authorize 1000 executed', 'capture 1000 executed'])
})
