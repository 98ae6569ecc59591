/** One flow for each capability of the table, the same for every acquirer that offers it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Wallet, wallets } from '#domain/mid.ts'
import type { CapabilityId } from '#server/connectors/capability-table.ts'
import type { AcquirerFacts, FollowUp, Order, Outcome } from '#server/connectors/connector.ts'
import {
  canaries,
  followUpWith,
  orderWith,
  payerReturnWith,
  type SampleInput,
  statusQueryWith,
} from '#server/connectors/testing/contract-samples.ts'
import { contestDispute, decideAt } from './disputes/contest-dispute.ts'
import { outcomeOf, type StandInHere } from './stand-in-here.ts'

interface ProofScene {
  readonly at: StandInHere
  /** A card for which the acquirer authenticates the payer; any card where it never does. */
  readonly challengedCard: string
  readonly authenticates: boolean
  /** Movements that the stand-in has recorded since the flow began, as `sale 1000 executed`. */
  readonly movements: () => Promise<readonly string[]>
}

type Proof = (scene: ProofScene) => Promise<void>

const today = new Date('2026-11-16T11:59:59Z')

const newOrder = (changes: SampleInput = {}): Order =>
  orderWith({ transactionId: randomUUID(), paymentId: randomUUID(), createdAt: today, ...changes })

function followUpOf(order: Order, facts: AcquirerFacts, amountMinor: string): FollowUp {
  const { transactionId, paymentId } = order
  const reference = facts.reference ?? null
  const first = { transactionId, reference, amountMinor: order.amountMinor ?? 0n, createdAt: today, facts }
  const names = { transactionId: randomUUID(), paymentId, originalTransactionId: transactionId }
  return followUpWith({ ...names, reference, first, amountMinor, createdAt: today })
}

/** Many acquirers take a follow-up or a payout first and decide later; the record shows that they did. */
const assertTaken = ({ result, ...rest }: Outcome): void =>
  assert.ok(result === 'approved' || result === 'waiting', JSON.stringify({ result, ...rest }))

const assertApproved = (outcome: Outcome): void => assert.equal(outcome.result, 'approved', JSON.stringify(outcome))

const sell = ({ at }: ProofScene, order: Order): Promise<Outcome> => outcomeOf(() => at.account.sale(order))

const proveSale = async (scene: ProofScene): Promise<void> => {
  assertApproved(await sell(scene, newOrder()))
  assert.deepEqual(await scene.movements(), ['sale 1000 executed'])
}

const proveHold = async ({ at, movements }: ProofScene): Promise<void> => {
  assertApproved(await outcomeOf(() => at.account.authorize?.(newOrder())))
  assert.deepEqual(await movements(), ['authorize 1000 executed'])
}

/** A follow-up on a sale or a hold of 1000. */
const proveFollowUp =
  (first: 'sale' | 'authorize', step: 'capture' | 'refund' | 'reverse' | 'void', amount: string): Proof =>
  async ({ at, movements }) => {
    const order = newOrder()
    const { facts } = await outcomeOf(() => at.account[first]?.(order))
    assertTaken(await outcomeOf(() => at.account[step]?.(followUpOf(order, facts, amount))))
    // An acquirer without a void refunds the whole payment.
    const kinds = step === 'void' ? ['void', 'refund'] : [step]
    const [begun, ...later] = await movements()
    assert.equal(begun, `${first} 1000 executed`)
    assert.ok(
      kinds.some((kind) => later.join() === `${kind} ${amount} executed`),
      later.join(),
    )
  }

/** Something in the order takes the place of the page on which the acquirer would authenticate the payer. */
const proveWithoutPage =
  (changes: SampleInput): Proof =>
  async (scene) => {
    const { challengedCard, authenticates } = scene
    const card = { number: challengedCard }
    if (authenticates) assert.equal((await sell(scene, newOrder({ card }))).result, 'payer-step')
    assertApproved(await sell(scene, newOrder({ card, ...changes })))
    assert.deepEqual(await scene.movements(), ['sale 1000 executed'])
  }

/** One after the other, because acquirers write the tokens of the two wallets differently. */
const proveForEachWallet =
  (proofOf: (name: Wallet) => Proof): Proof =>
  async (scene) => {
    for (const name of wallets) {
      const before = (await scene.movements()).length
      await proofOf(name)({ ...scene, movements: async () => (await scene.movements()).slice(before) })
    }
  }

/** Wallet B encrypts for one gateway, so that its token is the acquirer's own where the acquirer is that gateway: `id`. */
const walletTokens: Readonly<Record<Wallet, string>> = {
  walletapay: '{"paymentData":{"version":"EC_v1","data":"c2VjcmV0"},"transactionIdentifier":"5a"}',
  walletbpay: '{"id":"tok_visa","protocolVersion":"ECv2","signature":"c2ln","signedMessage":"{}"}',
}

const proveWalletToken =
  (name: Wallet): Proof =>
  async (scene) => {
    const wallet = { name, token: walletTokens[name] }
    assertApproved(await sell(scene, newOrder({ card: null, wallet })))
    assert.deepEqual(await scene.movements(), ['sale 1000 executed'])
  }

const proveZeroAmount: Proof = async ({ at, movements }) => {
  assertApproved(await outcomeOf(() => at.account.authorize?.(newOrder({ amountMinor: '0' }))))
  const moved = (await movements()).filter((movement) => !/^\w+ 0 executed$/.test(movement))
  assert.deepEqual(moved, [])
}

const proveCardOnFile: Proof = async (scene) => {
  const { facts } = await sell(scene, newOrder({ registerCard: true }))
  const reference = facts.storedCredential ?? null
  const storedCredential = { initiator: 'cardholder', sequence: 'subsequent', source: 'card_token', reference }
  assertApproved(await sell(scene, newOrder({ storedCredential })))
  assert.deepEqual(await scene.movements(), ['sale 1000 executed', 'sale 1000 executed'])
}

const proveMerchantInitiated: Proof = async (scene) => {
  const { facts } = await sell(scene, newOrder({ recurringInit: true }))
  const { networkTransactionId } = facts
  assert.ok(networkTransactionId, 'the network’s id of the first payment')
  const reference = facts.storedCredential ?? null
  const storedCredential = { initiator: 'merchant', sequence: 'subsequent', source: 'recurring', reference }
  const card = { number: reference === null ? scene.challengedCard : canaries.number, verificationCode: null }
  const later = newOrder({ card, storedCredential, networkTransactionId, payerPresent: false, returnUrl: null })
  assertApproved(await sell(scene, later))
  assert.deepEqual(await scene.movements(), ['sale 1000 executed', 'sale 1000 executed'])
}

const proveOwnThreeDs: Proof = async (scene) => {
  const { at, challengedCard, movements } = scene
  const order = newOrder({ card: { number: challengedCard } })
  const begun = await sell(scene, order)
  assert.ok(begun.result === 'payer-step', begun.result)
  assert.deepEqual(await movements(), [])
  const body = new URLSearchParams({ decision: 'approve' })
  const page = await fetch(begun.url, { method: 'POST', body, redirect: 'manual' })
  const fields = Object.fromEntries(new URL(page.headers.get('location') ?? '').searchParams)
  const { transactionId, paymentId } = order
  const names = { transactionId, paymentId, reference: begun.facts.reference ?? null, createdAt: today }
  const { complete, status } = at.account
  const done = complete
    ? await outcomeOf(() => complete(payerReturnWith({ ...names, state: begun.state, fields })))
    : await status(statusQueryWith(names))
  assert.equal(done.result, 'approved')
  assert.deepEqual(await movements(), ['sale 1000 executed'])
}

const provePayout: Proof = async ({ at, movements }) => {
  assertTaken(await outcomeOf(() => at.account.credit?.(newOrder({ payeeCard: canaries.payeeNumber }))))
  assert.deepEqual(await movements(), ['credit 1000 executed'])
}

/** The stand-in signs as the acquirer does, and the connector verifies. */
const proveNotifications: Proof = async ({ at }) => {
  const order = newOrder()
  const { facts } = await outcomeOf(() => at.account.authorize?.(order))
  await outcomeOf(() => at.account.capture?.(followUpOf(order, facts, '1000')))
  for (;;) {
    const events = await at.nextEvents()
    if (events.some(({ paymentId }) => paymentId === order.paymentId)) return
  }
}

const proveDisputes: Proof = async (scene) => {
  const order = newOrder()
  const { facts } = await sell(scene, order)
  await contestDispute(scene.at, order.paymentId, facts.reference ?? assert.fail('The payment has no reference.'))
}

/** A dispute that the acquirer decides is reported as decided, and a won one with its money. */
const proveDecisions: Proof = async (scene) => {
  for (const decision of ['won', 'lost']) {
    const order = newOrder()
    const { facts } = await sell(scene, order)
    await decideAt(scene.at, order.paymentId, facts.reference ?? assert.fail('The payment has no reference.'), decision)
  }
}

const threeDs = {
  eci: '05',
  authenticationValue: canaries.authenticationValue,
  dsTransId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  version: '2.2.0',
  transStatus: 'Y',
  xid: null,
}
const decrypted = { panType: 'DPAN', dataType: '3DSecure', cryptogram: canaries.cryptogram, eci: '05' }
const emv = { panType: 'DPAN', dataType: 'EMV', emvData: canaries.emvData }

export const proofs: Readonly<Record<CapabilityId, Proof>> = {
  sale: proveSale,
  authorize: proveHold,
  capture: proveFollowUp('authorize', 'capture', '1000'),
  partialCapture: proveFollowUp('authorize', 'capture', '600'),
  refund: proveFollowUp('sale', 'refund', '1000'),
  partialRefund: proveFollowUp('sale', 'refund', '400'),
  reverse: proveFollowUp('authorize', 'reverse', '1000'),
  void: proveFollowUp('sale', 'void', '1000'),
  zeroAmount: proveZeroAmount,
  moto: proveWithoutPage({ moto: true }),
  cardOnFile: proveCardOnFile,
  merchantInitiated: proveMerchantInitiated,
  ownThreeDs: proveOwnThreeDs,
  externalThreeDs: proveWithoutPage({ threeDs }),
  walletToken: proveForEachWallet(proveWalletToken),
  walletDecrypted: proveForEachWallet((name) => proveWithoutPage({ wallet: { name, decrypted } })),
  walletEmv: proveWithoutPage({ wallet: { name: 'walletapay', decrypted: emv } }),
  payout: provePayout,
  notifications: proveNotifications,
  disputes: proveDisputes,
  disputeDecisions: proveDecisions,
}
