/**
 * The payer returns, gives up, or never returns. Chapter 10 §6 ("Payer return", "Redirect expires"), §8.3.
 *
 * A return counts once: the process that ends the step first continues the payment, every other process only shows its state. The return
 * proves nothing by itself, so the MPI service or the acquirer is queried.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { firstTransaction } from '#domain/payment/rules.ts'
import type { Answer, Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Authentication } from '../../three-ds/mpi.ts'
import { askMpi, enforceRule, settleAuthentication, threeDsOf } from '../attempt/authenticate.ts'
import { mayBeFollowed, settleAttempt } from '../attempt/cascade.ts'
import { findNewestAttempt } from '../attempt/cascade-end.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import { readCurrentPayment } from '../exchange/current-payment.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import { openIfOnlyThisSend } from '../exchange/only-this-send.ts'
import { type Intent, prepareDeparture } from '../exchange/sending.ts'
import { readSentTransaction } from '../exchange/sent-transaction.ts'
import { queryStatus } from '../exchange/status-query.ts'
import { openPayeeCard, storedCard } from '../methods/card.ts'
import { readStoredCharge } from '../methods/stored-charge.ts'
import { readStoredWallet } from '../methods/stored-wallet.ts'
import { expiredOutcome } from '../outcome/interpret-outcome.ts'
import { reverseLateCharge, wasWrittenOff } from '../outcome/late-success.ts'
import { type PaymentWithTransaction, readTransaction, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { findPayerStep, type PresentedAddress } from './find-payer-step.ts'

export interface Visit extends PresentedAddress {
  readonly purpose: Exclude<PresentedAddress['purpose'], 'redirect-page'>
  /** The form posted by the access-control server, or the query parameters. */
  readonly fields: Readonly<Record<string, string>>
  readonly browser: BrowserFacts | null
}

/** Where the browser goes next: back to the merchant, or to another page of the payment. */
export type VisitResult =
  | { readonly to: 'merchant'; readonly payment: PaymentRecord }
  | { readonly to: 'form'; readonly payment: PaymentRecord; readonly step: PayerStep }

export async function handleVisit(deps: Deps, visit: Visit): Promise<VisitResult> {
  const { payment, step, waits } = await findPayerStep(deps, visit)
  if (!waits) return handleLateReturn(deps, payment, step)
  if (visit.purpose === 'collector') return continueFromCollector(deps, payment, step, visit.browser)

  const kind = visit.purpose === '3ds' ? '3DS' : 'REDIRECT'
  if (step.kind !== kind) throw new RefusedError(errors.notIn3ds)
  if (!(await endStep(deps, step, 'returned', visit.fields))) return { to: 'merchant', payment }
  const result =
    kind === '3DS'
      ? await finishAuthentication(deps, payment, step, visit)
      : await finishRedirect(deps, withBrowser(payment, visit.browser), { ...step, fields: visit.fields })
  return readResult(deps, result)
}

/**
 * A payer who finished after the step expired, or after the cascade moved on, may have paid: then the charge is reversed.
 * Chapter 10 §6.2, "Late success".
 */
async function handleLateReturn(deps: Deps, payment: PaymentRecord, step: PayerStep): Promise<VisitResult> {
  const isAbandoned = step.state === 'expired' || payment.cascading === 'continued'
  if (payment.status === 'DECLINED' && step.kind === 'REDIRECT' && isAbandoned) {
    const { transaction } = await readTransaction(deps, payment, { id: step.transactionId })
    const answer = wasWrittenOff(transaction) ? await queryStatus(deps, payment, transaction) : null
    if (answer?.result === 'approved') await reverseLateCharge(deps, transaction, answer.facts)
  }
  if (payment.cascading === null) return { to: 'merchant', payment }
  return readResult(deps, { payment: (await findNewestAttempt(deps, payment)) ?? payment })
}

/** A further step may follow, on this payment or on the cascade's next attempt: then the browser goes there instead of to the merchant. */
async function readResult(deps: Deps, { payment }: Pick<PaymentWithTransaction, 'payment'>): Promise<VisitResult> {
  if (payment.status !== '3DS' && payment.status !== 'REDIRECT') return { to: 'merchant', payment }
  const step = await deps.steps.findNewest(payment)
  return step?.state === 'waiting' ? { to: 'form', payment, step } : { to: 'merchant', payment }
}

/** The collector page has read the browser's details, which the MPI service requires. */
async function continueFromCollector(
  deps: Deps,
  payment: PaymentRecord,
  step: PayerStep,
  browser: BrowserFacts | null,
): Promise<VisitResult> {
  const mpi = requireMpi(deps, payment)
  const card = (await openCard(deps, payment)).data
  const { recurringInit = false } = payment.facts
  const answer = await askMpi(deps, mpi, { payment, card, browser, recurringInit })
  const seen = withBrowser(payment, browser)
  if (answer.result === 'challenge') {
    const { url, method, params, state } = answer
    await deps.steps.move(step, { url, method, params, mpi: state })
    return { to: 'form', payment: seen, step: { ...step, url, method, params, mpi: state } }
  }
  if (!(await endStep(deps, step, 'returned'))) return { to: 'merchant', payment }
  return readResult(deps, await continueAfterAuthentication(deps, seen, step, answer))
}

async function finishAuthentication(
  deps: Deps,
  payment: PaymentRecord,
  step: PayerStep,
  visit: Visit,
): Promise<PaymentWithTransaction> {
  const mpi = requireMpi(deps, payment)
  const answer = await mpi.readResult({ paymentId: payment.id, state: step.mpi, fields: visit.fields })
  return continueAfterAuthentication(deps, withBrowser(payment, visit.browser), step, answer)
}

/** After a successful authentication the charge begins as a new transaction and the 3DS transaction ends; otherwise no charge begins. */
async function continueAfterAuthentication(
  deps: Deps,
  before: PaymentRecord,
  step: PayerStep,
  received: Authentication,
): Promise<PaymentWithTransaction> {
  const answer = enforceRule(received, before.routing?.threeDs?.wish ?? null)
  const payment = { ...before, facts: { ...before.facts, ...threeDsOf(answer) } }
  const { transaction } = await readTransaction(deps, payment, { id: step.transactionId })
  if (answer.result !== 'authenticated' && answer.result !== 'not-needed') {
    return settleAuthentication(deps, payment, transaction, answer)
  }
  const begun = await beginCharge(deps, payment, transaction)
  if (!begun) return readTransaction(deps, await readCurrentPayment(deps, payment), transaction)
  const paymentMethod = await readMethod(deps, payment)
  const threeDs = answer.result === 'authenticated' ? answer.data : null
  const payeeCard = await openPayeeCard(deps, payment)
  const data = { ...paymentMethod, payeeCard, threeDs }
  const outcome = await charge(deps, begun, data)
  return settleAttempt(deps, begun, outcome, data)
}

/** Null if the payment was ended while the authentication was still running. */
async function beginCharge(
  deps: Deps,
  payment: PaymentRecord,
  authentication: TransactionRecord,
): Promise<Intent | null> {
  if (payment.midId === null) throw new Error(`Payment ${payment.id} has no MID.`)
  const now = deps.clock.now()
  const transaction = newTransaction(payment, {
    id: deps.ids.next(),
    type: firstTransaction(payment.action, payment.holds),
    amountMinor: payment.amountMinor,
    midId: payment.midId,
    parameters: payment.parameters,
    creditvoidId: null,
    useId: null,
    createdAt: now,
  })
  const departure = await prepareDeparture(deps, payment.midId)
  const beginning = { payment, transaction, sending: departure, authentication: authentication.id }
  const written = await deps.payments.begin(beginning)
  if (written !== 'begun') return null
  const { id } = transaction
  const version = payment.version + 1
  const begun = { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true }
  return { payment: begun, transaction, departure }
}

/** Must exceed the timeout of a request to the MPI service. */
const leaseSeconds = (2 * limits.acquirer.waitMs) / 1000

/** The process that ends the step continues the payment; if it dies or the lease runs out, the reconciler continues. */
export function endStep(
  deps: Deps,
  step: PayerStep,
  state: 'returned' | 'expired',
  fields: PayerStep['fields'] = {},
): Promise<boolean> {
  return deps.steps.end({ ...step, fields }, state, deps.clock.now(), leaseSeconds)
}

/** The browser's details are stored together with the outcome. Chapter 10 §8.5. */
const withBrowser = (payment: PaymentRecord, browser: BrowserFacts | null): PaymentRecord =>
  browser ? { ...payment, facts: { ...payment.facts, browser } } : payment

async function finishRedirect(
  deps: Deps,
  payment: PaymentRecord,
  step: PayerStep,
  reported?: Outcome,
): Promise<PaymentWithTransaction> {
  const { transaction } = await readTransaction(deps, payment, { id: step.transactionId })
  const outcome =
    reported ?? (await complete(deps, payment, transaction, step)) ?? (await askOutcome(deps, payment, transaction))
  const data = mayBeFollowed(payment, outcome) ? await readStoredCharge(deps, payment) : null
  return settleAttempt(deps, { payment, transaction }, outcome, data)
}

/** Sends the fields of the payer's return to the acquirer; null if it does not need them. */
async function complete(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  { mpi: state, fields }: PayerStep,
): Promise<Outcome | null> {
  const acquirer = await deps.acquirers.find(transaction.midId)
  const { complete: send } = acquirer.account
  if (!send) return null
  const sent = await readSentTransaction(deps, payment, transaction)
  const { sendBy } = await prepareDeparture(deps, transaction.midId)
  // An acquirer may have charged by itself once the payer was authenticated, and an earlier completion may have been executed.
  return openIfOnlyThisSend(await acquirer.exchange('complete', () => send({ ...sent, state, fields }, sendBy)))
}

/** Sends the fields of the payer's return again, if the acquirer's answer to them was lost. Null if the payer has not returned. */
export async function completeAgain(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
): Promise<Outcome | null> {
  const step = await deps.steps.findNewest(payment)
  const isBack = step?.transactionId === transaction.id && step.kind === 'REDIRECT' && step.state === 'returned'
  return isBack ? complete(deps, payment, transaction, step) : null
}

/** The acquirer's event and the payer's return may arrive in either order, or the payer never returns: the first to arrive ends the step. */
export async function settleDecidedRedirect(
  deps: Deps,
  payment: PaymentRecord,
  transactionId: string,
  reported?: Outcome,
): Promise<boolean> {
  const step = await deps.steps.findNewest(payment)
  if (step?.transactionId !== transactionId || step.kind !== 'REDIRECT' || step.state !== 'waiting') return false
  if (await endStep(deps, step, 'returned')) await finishRedirect(deps, payment, step, reported)
  return true
}

/** The payer did not return in time. If the acquirer executed the charge anyway, it counts; otherwise the payment ends. */
export async function expireStep(deps: Deps, step: PayerStep): Promise<void> {
  const payment = await deps.payments.find(step.merchantId, step.paymentId)
  if (!payment || !(await endStep(deps, step, 'expired'))) return
  // The payment was decided while the payer was away.
  if (payment.openTransaction !== step.transactionId) return
  const { transaction } = await readTransaction(deps, payment, { id: step.transactionId })
  const outcome = step.kind === '3DS' ? expiredOutcome : await askWithoutReturn(deps, payment, transaction)
  const undecided = outcome.result === 'payer-step' || outcome.result === 'waiting' || outcome.result === 'not-executed'
  await settle(deps, { payment, transaction }, undecided ? expiredOutcome : outcome, {
    ending: { reason: 'payer-away' },
  })
}

/** An acquirer that waits for the payer's return before it charges has not charged, although it cannot be asked. */
async function askWithoutReturn(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Outcome> {
  const answer = await queryStatus(deps, payment, transaction)
  const { account } = await deps.acquirers.find(transaction.midId)
  return answer.result === 'cannot-be-asked' && account.complete ? expiredOutcome : outcomeIn(answer)
}

async function askOutcome(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Outcome> {
  return outcomeIn(await queryStatus(deps, payment, transaction))
}

function outcomeIn(answer: Answer): Outcome {
  switch (answer.result) {
    case 'never-arrived':
      return { result: 'not-executed', reason: 'Expired', facts: {} }
    case 'cannot-be-asked':
      return { result: 'unknown', reason: 'The acquirer has not reported the outcome yet', facts: {} }
    case 'approved':
    case 'declined':
    case 'not-executed':
    case 'waiting':
    case 'payer-step':
    case 'unknown':
      return answer
  }
}

function requireMpi(deps: Deps, payment: PaymentRecord) {
  const merchant = deps.configuration.merchant(payment.merchantId)
  const mpi = merchant && merchant.mpiService !== 'none' ? deps.mpis[merchant.mpiService] : null
  if (!mpi) throw new Error(`The MPI service of payment ${payment.id} is no longer configured.`)
  return mpi
}

/** An authentication does not change how a wallet's funding number or token is sent. */
async function readMethod(deps: Deps, payment: PaymentRecord): Promise<Pick<ChargeData, 'card' | 'wallet'>> {
  const card = await openCard(deps, payment)
  if (!payment.facts.wallet) return { card: card.data }
  const wallet = await readStoredWallet(deps, payment, card)
  if (!wallet) throw new Error(`The stored wallet data of payment ${payment.id} is missing.`)
  return wallet
}

/** Without the verification code, which is held in memory only and is lost when the payer is redirected. */
async function openCard(deps: Deps, payment: PaymentRecord) {
  const record = payment.cardId === null ? null : await deps.cards.find(payment.merchantId, payment.cardId)
  if (!record) throw new Error(`The stored card of payment ${payment.id} is missing.`)
  return storedCard(record, await deps.vault.open(payment.merchantId, 'card', record.panSealed), null)
}
