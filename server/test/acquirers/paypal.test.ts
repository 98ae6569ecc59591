import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import type { FollowUp, Order, Outcome, PayerReturn } from '#server/connectors/connector.ts'
import { followUpWith, orderWith, payerReturnWith } from '#server/connectors/testing/contract-samples.ts'
import { outcomeOf, paypalScene } from './paypal-scene.ts'

const scene = await paypalScene()
const { account, decide } = scene
after(() => scene.close())

let effectsBefore = 0
beforeEach(async () => {
  effectsBefore = (await scene.ledger()).length
})

/** What the stand-in has decided since the test began. */
const ledger = async () => (await scene.ledger()).slice(effectsBefore)

const orderOf = (changes: Readonly<Record<string, unknown>> = {}): Order =>
  orderWith({ transactionId: randomUUID(), paymentId: randomUUID(), ...changes })

const followUpOf = (
  order: Order,
  reference: string | undefined,
  changes: Readonly<Record<string, unknown>> = {},
): FollowUp =>
  followUpWith({
    transactionId: randomUUID(),
    paymentId: order.paymentId,
    originalTransactionId: order.transactionId,
    reference: reference ?? null,
    ...changes,
  })

const returnOf = (order: Order, reference: string | undefined, operation: 'sale' | 'authorize'): PayerReturn =>
  payerReturnWith({
    transactionId: order.transactionId,
    paymentId: order.paymentId,
    reference: reference ?? null,
    operation,
  })

const referenceOf = ({ facts }: Outcome): string | undefined => facts.reference

const byPaypal = { brand: { code: 'paypal', kind: 'redirect', expiresAt: '2099-01-01T00:00:00.000Z' }, card: null }

function pageOf(outcome: Outcome): string {
  assert.equal(outcome.result, 'payer-step')
  return outcome.result === 'payer-step' ? outcome.url : ''
}

test('a hold is captured in part and refunded in part, and another hold is released', async () => {
  const order = orderOf()
  const hold = await outcomeOf(() => account.authorize?.(order))
  assert.equal(hold.result, 'approved')
  const capture = followUpOf(order, referenceOf(hold), { amountMinor: '600' })
  const captured = await outcomeOf(() => account.capture?.(capture))
  assert.equal(captured.result, 'approved')
  const refund = followUpOf(order, referenceOf(hold), {
    amountMinor: '250',
    captures: [{ transactionId: capture.transactionId, reference: referenceOf(captured), amountMinor: 600n }],
  })
  assert.equal((await outcomeOf(() => account.refund?.(refund))).result, 'approved')

  const other = orderOf()
  const otherHold = await outcomeOf(() => account.authorize?.(other))
  const release = followUpOf(other, referenceOf(otherHold), { amountMinor: '1000' })
  assert.equal((await outcomeOf(() => account.reverse?.(release))).result, 'approved')
  // Repeated after a lost answer: the hold is released already.
  assert.equal((await outcomeOf(() => account.reverse?.(release))).result, 'approved')

  const entry = (transactionId: string, kind: string, amount: string) => ({
    transactionId,
    kind,
    amount,
    currency: 'EUR',
    state: 'executed',
  })
  assert.deepEqual(await ledger(), [
    entry(order.transactionId, 'authorize', '1000'),
    entry(capture.transactionId, 'capture', '600'),
    entry(refund.transactionId, 'refund', '250'),
    entry(other.transactionId, 'authorize', '1000'),
    entry(release.transactionId, 'reverse', '1000'),
  ])
})

test('a sale is refunded in parts until nothing is left', async () => {
  const order = orderOf({ currency: 'HUF', amountMinor: '100000' })
  const sale = await outcomeOf(() => account.sale(order))
  assert.equal(sale.result, 'approved')
  const refund = (amountMinor: string) => followUpOf(order, referenceOf(sale), { amountMinor, currency: 'HUF' })
  assert.equal((await outcomeOf(() => account.refund?.(refund('40000')))).result, 'approved')
  assert.equal((await outcomeOf(() => account.refund?.(refund('60100')))).result, 'declined')
  assert.equal((await outcomeOf(() => account.refund?.(refund('60000')))).result, 'approved')
})

test('a late sale is reversed by a refund of its capture', async () => {
  const order = orderOf()
  const sale = await outcomeOf(() => account.sale(order))
  const reversal = followUpOf(order, referenceOf(sale), { amountMinor: '1000' })
  assert.equal((await outcomeOf(() => account.reverse?.(reversal))).result, 'approved')
  assert.deepEqual(
    (await ledger()).map(({ kind }) => kind),
    ['sale', 'refund'],
  )
})

for (const [name, reason, declineClass] of [
  ['CCREJECT-REFUSED', 'Do not honor', 'soft'],
  ['CCREJECT-IF', 'Insufficient funds', 'soft'],
  ['CCREJECT-EC', 'Expired card', 'hard'],
  ['CCREJECT-SF', 'Suspected fraud', 'fraud'],
] as const) {
  test(`PayPal's test name ${name} is declined: ${reason}`, async () => {
    const outcome = await outcomeOf(() => account.sale(orderOf({ card: { holder: name } })))
    assert.equal(outcome.result, 'declined')
    if (outcome.result !== 'declined') return
    assert.deepEqual([outcome.reason, outcome.declineClass], [reason, declineClass])
    assert.deepEqual(
      (await ledger()).map(({ state }) => state),
      ['declined'],
    )
  })
}

const challenged = { card: { number: '4868719166101368' } }

for (const [decision, result] of [
  ['approve', 'approved'],
  ['decline', 'declined'],
] as const) {
  test(`3-D Secure: the payer's bank says ${decision}, and the payment is ${result}`, async () => {
    const order = orderOf(challenged)
    const begun = await outcomeOf(() => account.sale(order))
    await decide(pageOf(begun), decision)
    const done = await outcomeOf(() => account.complete?.(returnOf(order, referenceOf(begun), 'sale')))
    assert.equal(done.result, result)
    assert.equal((await ledger()).length, decision === 'approve' ? 1 : 0)
  })
}

test('SCA_ALWAYS authenticates every payer, and no payer of a charge that the merchant begins', async () => {
  const always = scene.with({ three_ds: 'SCA_ALWAYS' })
  assert.equal((await outcomeOf(() => always.sale(orderOf()))).result, 'payer-step')
  const storedCredential = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference: null }
  const later = orderOf({
    storedCredential,
    payerPresent: false,
    returnUrl: null,
    networkTransactionId: '300002654435761',
  })
  assert.equal((await outcomeOf(() => always.sale(later))).result, 'approved')
})

for (const step of ['sale', 'authorize'] as const) {
  test(`a PayPal account: ${step} after the approval of the payer, once, however often the browser comes back`, async () => {
    const order = orderOf(byPaypal)
    const begun = await outcomeOf(() => account[step]?.(order))
    const payer = returnOf(order, referenceOf(begun), step)
    assert.equal((await account.status(payer)).result, 'payer-step')
    const back = await decide(pageOf(begun), 'approve')
    assert.equal(back.origin + back.pathname, order.returnUrl)
    assert.equal((await account.status(payer)).result, 'cannot-be-asked')
    const done = await outcomeOf(() => account.complete?.(payer))
    assert.equal(done.result, 'approved')
    assert.deepEqual(await outcomeOf(() => account.complete?.(payer)), done)
    assert.deepEqual(await account.status(payer), done)
    assert.deepEqual(
      (await ledger()).map(({ kind, transactionId }) => [kind, transactionId]),
      [[step, order.transactionId]],
    )
  })
}

test('a payer who cancels at PayPal is declined, and no money moves', async () => {
  const order = orderOf(byPaypal)
  const begun = await outcomeOf(() => account.sale(order))
  const back = await decide(pageOf(begun), 'decline')
  assert.equal(back.searchParams.get('paypal_cancelled'), '1')
  const done = await outcomeOf(() => account.complete?.(returnOf(order, referenceOf(begun), 'sale')))
  assert.deepEqual(done, { result: 'declined', reason: 'Cancelled by the payer', declineClass: 'hard', facts: {} })
  assert.deepEqual(await ledger(), [])
})

/** The stand-in has a fault for each of these amounts. */
for (const [amountMinor, what] of [
  ['66601', 'the answer is lost after the execution'],
  ['66603', 'PayPal answers 500 before the execution'],
  ['66604', 'PayPal answers 500 after the execution'],
  ['66605', 'a proxy answers with a page after the execution'],
  ['66606', 'the request is lost'],
] as const) {
  test(`${what}: unknown, and approved once when it is repeated without the verification code`, async () => {
    const order = orderOf({ amountMinor })
    assert.equal((await outcomeOf(() => account.sale(order))).result, 'unknown')
    const again: Order = { ...order, card: order.card && { ...order.card, verificationCode: null } }
    assert.equal((await outcomeOf(() => account.sale(again))).result, 'approved')
    assert.equal((await ledger()).length, 1)
  })
}

test('the answer to a refund is lost: repeated, it is refunded once', async () => {
  const order = orderOf({ amountMinor: '100000' })
  const sale = await outcomeOf(() => account.sale(order))
  const refund = followUpOf(order, referenceOf(sale), { amountMinor: '66601' })
  assert.equal((await outcomeOf(() => account.refund?.(refund))).result, 'unknown')
  const again = await outcomeOf(() => account.refund?.(refund))
  assert.equal(again.result, 'approved')
  const question = { ...refund, operation: 'refund', reference: referenceOf(again) ?? null } as const
  assert.deepEqual(await account.status(question), again)
  assert.equal((await ledger()).length, 2)
})

test('wrong credentials charge nothing, and the check says which value is wrong', async () => {
  const wrong = scene.with({ client_secret: 'another' })
  assert.equal((await outcomeOf(() => wrong.sale(orderOf()))).result, 'not-executed')
  assert.deepEqual(await ledger(), [])
  assert.deepEqual(await scene.account.check?.(null), { kind: 'accepted' })
  assert.equal((await wrong.check?.(null))?.kind, 'refused')
  const webhook = await scene.with({ webhook_id: 'UNKNOWN1' }).check?.(null)
  assert.deepEqual(webhook?.kind === 'refused' && webhook.field, 'webhook_id')
  const nowhere = await scene.with({ base_url: 'http://127.0.0.1:1' }).check?.(null)
  assert.equal(nowhere?.kind, 'no-answer')
})
