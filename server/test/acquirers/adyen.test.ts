// The connector of Adyen against the stand-in for Adyen, over HTTP.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, test } from 'node:test'
import { openAdyen } from '#sandbox/acquirers/adyen/stand-in.ts'
import { adyen } from '#server/connectors/adyen/index.ts'
import type { FollowUp, Order } from '#server/connectors/connector.ts'
import type { AcquirerFacts, Outcome } from '#server/connectors/outcome.ts'
import {
  followUpWith,
  orderWith,
  payerReturnWith,
  statusQueryWith,
} from '#server/connectors/testing/contract-samples.ts'
import { openStandInHere, outcomeOf, type StandInHere, undoOutcomeOf } from './stand-in-here.ts'

let at: StandInHere
beforeEach(async () => {
  at = await openStandInHere(openAdyen, adyen)
})
afterEach(() => at.close())

const newIds = () => ({ transactionId: randomUUID(), paymentId: randomUUID() })

const newOrder = (changes: object = {}): Order => orderWith({ ...newIds(), ...changes })

const followUpOf = (order: Order, facts: AcquirerFacts, amountMinor: string): FollowUp =>
  followUpWith({
    transactionId: randomUUID(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    reference: facts.reference ?? null,
    amountMinor,
  })

const sale = (order: Order): Promise<Outcome> => outcomeOf(() => at.account.sale(order))
const authorize = (order: Order): Promise<Outcome> => outcomeOf(() => at.account.authorize?.(order))

async function decidedAs(): Promise<readonly string[]> {
  const events = await at.nextEvents()
  return events.flatMap((event) => (event.kind === 'decided' ? [event.transactionId, event.outcome?.result ?? ''] : []))
}

test('a hold is captured in part, refunded in part, and each step is decided by its notification', async () => {
  const order = newOrder()
  const hold = await authorize(order)
  assert.equal(hold.result, 'approved')
  assert.deepEqual(await decidedAs(), [order.transactionId.slice(-12), 'approved'])

  const capture = followUpOf(order, hold.facts, '600')
  assert.equal((await outcomeOf(() => at.account.capture?.(capture))).result, 'waiting')
  assert.deepEqual(await decidedAs(), [capture.transactionId.slice(-12), 'approved'])

  for (const [amount, result] of [
    ['200', 'approved'],
    ['500', 'declined'],
  ] as const) {
    const refund = await outcomeOf(() => at.account.refund?.(followUpOf(order, hold.facts, amount)))
    assert.equal(refund.result, 'waiting')
    const [event] = await at.nextEvents()
    assert.ok(event?.kind === 'decided')
    assert.deepEqual([event.acquirerReference, event.outcome?.result], [refund.facts.reference, result])
  }

  assert.deepEqual(await at.ledger(), [
    'authorize 1000 executed',
    'capture 600 executed',
    'refund 200 executed',
    'refund 500 declined',
  ])
})

test('a hold is released and a sale is voided, as a whole', async () => {
  const [held, sold] = [newOrder(), newOrder()]
  const [hold, charge] = [await authorize(held), await sale(sold)]
  await outcomeOf(() => at.account.reverse?.(followUpOf(held, hold.facts, '1000')))
  await outcomeOf(() => at.account.void?.(followUpOf(sold, charge.facts, '1000')))
  assert.deepEqual(await at.ledger(), [
    'authorize 1000 executed',
    'sale 1000 executed',
    'reverse 1000 executed',
    'void 1000 executed',
  ])
})

test('a declined card is declined with its class', async () => {
  const outcome = await sale(newOrder({ card: { holder: 'Not enough balance' } }))
  assert.equal(
    outcome.result === 'declined' && `${outcome.reason}, ${outcome.declineClass}`,
    'Not enough balance, soft',
  )
  assert.deepEqual(await at.ledger(), ['sale 1000 declined'])
})

// biome-ignore format: a table is read in columns.
const decisions = [
  ['approve', 'approved'],
  ['decline', 'declined'],
] as const

for (const [decision, result] of decisions) {
  test(`after the payer's "${decision}" on the page of 3-D Secure the payment is ${result}, once`, async () => {
    const order = newOrder({ card: { number: '4917610000000000' } })
    const begun = await sale(order)
    assert.ok(begun.result === 'payer-step')
    assert.deepEqual(await at.ledger(), [])
    const page = await fetch(begun.url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' })
    const fields = Object.fromEntries(new URL(page.headers.get('location') ?? '').searchParams)
    const back = payerReturnWith({ transactionId: order.transactionId, paymentId: order.paymentId, fields })
    for (const _ of ['comes back', 'reloads'])
      assert.equal((await outcomeOf(() => at.account.complete?.(back))).result, result)
    assert.deepEqual(await at.ledger(), [`sale 1000 ${result === 'approved' ? 'executed' : 'declined'}`])
  })
}

test('a forged return of the payer decides nothing', async () => {
  const order = newOrder({ card: { number: '4917610000000000' } })
  await sale(order)
  const back = payerReturnWith({ ...newIds(), fields: { redirectResult: 'forged' } })
  assert.equal((await outcomeOf(() => at.account.complete?.(back))).result, 'unknown')
  assert.deepEqual(await at.ledger(), [])
})

// biome-ignore format: a table is read in columns.
const faults = [
  // amount   what happens
  ['66601', 'the reply is lost after execution'],
  ['66603', 'Adyen answers 500 before execution'],
  ['66604', 'Adyen answers 500 after execution'],
  ['66605', 'a proxy answers'],
  ['66606', 'the request is lost'],
] as const

for (const [amountMinor, what] of faults) {
  test(`${what}: the outcome is unknown, and the repeated request is recovered with one effect, also after a restart`, async () => {
    const order = newOrder({ amountMinor })
    assert.equal((await sale(order)).result, 'unknown')
    await at.restart()
    // After a restart of the gateway the verification code is gone.
    const again = { ...order, card: order.card && { ...order.card, verificationCode: null } }
    const recovered = [await sale(again), await sale(again)]
    assert.deepEqual(
      recovered.map(({ result }) => result),
      ['approved', 'approved'],
    )
    assert.deepEqual(await at.ledger(), [`sale ${amountMinor} executed`])
  })
}

test('a capture whose reply is lost has one effect however often it is repeated', async () => {
  const order = newOrder({ amountMinor: '100000' })
  const hold = await authorize(order)
  const capture = followUpOf(order, hold.facts, '66601')
  const results = [1, 2, 3].map(() => () => outcomeOf(() => at.account.capture?.(capture)))
  const found: string[] = []
  for (const send of results) found.push((await send()).result)
  assert.deepEqual(found, ['unknown', 'waiting', 'waiting'])
  assert.deepEqual(await at.ledger(), ['authorize 100000 executed', 'capture 66601 executed'])
})

test('a technical cancel undoes a hold by our own reference, and is acknowledged where nothing arrived', async () => {
  const order = newOrder({ amountMinor: '66601' })
  assert.equal((await authorize(order)).result, 'unknown')
  const { transactionId, paymentId } = order
  const sent = statusQueryWith({ transactionId, paymentId, operation: 'authorize', reference: null })
  assert.equal((await undoOutcomeOf(() => at.account.undo?.(sent))).result, 'not-executed')
  assert.deepEqual(await at.ledger(), ['authorize 66601 executed', 'reverse 66601 executed'])
  const never = statusQueryWith({ ...newIds(), operation: 'sale', reference: null })
  assert.equal((await undoOutcomeOf(() => at.account.undo?.(never))).result, 'not-executed')
})

test('a card that was stored at Adyen is charged later by its reference', async () => {
  const first = await sale(newOrder({ registerCard: true }))
  const reference = first.facts.storedCredential ?? ''
  const later = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference }
  assert.equal((await sale(newOrder({ storedCredential: later }))).result, 'approved')
  const other = { ...later, reference: `another/${reference.split('/')[1]}` }
  assert.equal((await sale(newOrder({ storedCredential: other }))).result, 'not-executed')
})

test('wrong credentials are named, and nothing is executed', async () => {
  const wrongKey = at.accountWith({ api_key: 'x'.repeat(30) })
  const wrongAccount = at.accountWith({ merchant_account: 'AnotherECOM' })
  const checks = await Promise.all([at.account, wrongKey, wrongAccount].map(async (account) => account.check?.(null)))
  assert.deepEqual(
    checks.map((check) => (check?.kind === 'refused' ? check.field : check?.kind)),
    ['accepted', 'api_key', 'merchant_account'],
  )
  assert.equal((await outcomeOf(() => wrongKey.sale(newOrder()))).result, 'not-executed')
  assert.deepEqual(await at.ledger(), [])
})

test('the record of the stand-in has no card number and no verification code', async () => {
  await sale(newOrder())
  const notifications = await (await fetch(`${at.url}/notifications`)).text()
  assert.doesNotMatch(notifications, /4111111111111111|917\b/)
})
