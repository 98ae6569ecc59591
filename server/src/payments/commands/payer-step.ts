/**
 * The payer comes back, gives up, or never returns. Chapter 10 §6 ("Payer return", "Redirect expires"), §8.3.
 *
 * A return counts once: whoever ends the step first goes on, everybody else finds the payment as it stands. The return proves
 * nothing by itself; the MPI service or the acquirer is asked what happened.
 */
import { errors } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { firstTransaction } from '#domain/payment/rules.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { PayerStep, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Authentication } from '../../three-ds/mpi.ts'
import { askMpi, asRequired, settleAuthentication, threeDsOf } from '../attempt/authenticate.ts'
import { mayBeFollowed, settleAttempt } from '../attempt/cascade.ts'
import { newestOf } from '../attempt/cascade-end.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import { currentPayment } from '../exchange/current-payment.ts'
import { departureTo, type Intent } from '../exchange/sending.ts'
import { statusAnswer } from '../exchange/status-query.ts'
import { newTransaction } from '../exchange/transaction.ts'
import { payeeCardOf, storedCard } from '../methods/card.ts'
import { storedCharge } from '../methods/stored-charge.ts'
import { readStoredWallet } from '../methods/stored-wallet.ts'
import { expired } from '../outcome/interpret-outcome.ts'
import { takeBack, wasWrittenOff } from '../outcome/late-success.ts'
import { asItStands, type Performed, settle } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import { type Arrival, arrived } from './arrival.ts'

export interface Visit extends Arrival {
  readonly purpose: Exclude<Arrival['purpose'], 'storage'>
  /** What the browser brought: the form of the access-control server, or the query. */
  readonly fields: Readonly<Record<string, string>>
  readonly browser: BrowserFacts | null
}

/** Where a visit leads: to the end of the payment, or on to another page. */
export type Led =
  | { readonly to: 'merchant'; readonly payment: PaymentRecord }
  | { readonly to: 'form'; readonly payment: PaymentRecord; readonly step: PayerStep }

export async function visit(deps: Deps, visit: Visit): Promise<Led> {
  const { payment, step, waits } = await arrived(deps, visit)
  if (!waits) return late(deps, payment, step)
  if (visit.purpose === 'collector') return collected(deps, payment, step, visit.browser)

  const kind = visit.purpose === '3ds' ? '3DS' : 'REDIRECT'
  if (step.kind !== kind) throw new RefusedError(errors.notIn3ds)
  if (!(await endStep(deps, step, 'returned'))) return { to: 'merchant', payment }
  const performed =
    kind === '3DS'
      ? await authenticated(deps, payment, step, visit)
      : await redirected(deps, withBrowser(payment, visit.browser), step)
  return led(deps, performed)
}

/**
 * A payer who finished after the step's time, or after a cascade went on without it, may have paid: then the charge is taken back.
 * Chapter 10 §6.2, "Late success".
 */
async function late(deps: Deps, payment: PaymentRecord, step: PayerStep): Promise<Led> {
  const isLeft = step.state === 'expired' || payment.cascading === 'continued'
  if (payment.status === 'DECLINED' && step.kind === 'REDIRECT' && isLeft) {
    const { transaction } = await asItStands(deps, payment, { id: step.transactionId })
    const answer = wasWrittenOff(transaction) ? await statusAnswer(deps, payment, transaction) : null
    if (answer?.result === 'approved') await takeBack(deps, transaction, answer.facts)
  }
  if (payment.cascading === null) return { to: 'merchant', payment }
  return led(deps, { payment: (await newestOf(deps, payment)) ?? payment })
}

/** A further step may follow the first, on this payment or on a cascade's next one: then the browser goes on instead of back. */
async function led(deps: Deps, { payment }: Pick<Performed, 'payment'>): Promise<Led> {
  if (payment.status !== '3DS' && payment.status !== 'REDIRECT') return { to: 'merchant', payment }
  const step = await deps.steps.newest(payment.id)
  return step?.state === 'waiting' ? { to: 'form', payment, step } : { to: 'merchant', payment }
}

/** The collector page has seen the browser: now the MPI service can be asked. */
async function collected(
  deps: Deps,
  payment: PaymentRecord,
  step: PayerStep,
  browser: BrowserFacts | null,
): Promise<Led> {
  const mpi = mpiOf(deps, payment)
  const card = (await cardOf(deps, payment)).data
  const { recurringInit = false } = payment.facts
  const answer = await askMpi(deps, mpi, { payment, card, browser, recurringInit })
  const seen = withBrowser(payment, browser)
  if (answer.result === 'challenge') {
    const { url, method, params, state } = answer
    await deps.steps.move(step, { url, method, params, mpi: state })
    return { to: 'form', payment: seen, step: { ...step, url, method, params, mpi: state } }
  }
  if (!(await endStep(deps, step, 'returned'))) return { to: 'merchant', payment }
  return led(deps, await afterAuthentication(deps, seen, step, answer))
}

async function authenticated(deps: Deps, payment: PaymentRecord, step: PayerStep, visit: Visit): Promise<Performed> {
  const mpi = mpiOf(deps, payment)
  const answer = await mpi.result({ paymentId: payment.id, state: step.mpi, fields: visit.fields })
  return afterAuthentication(deps, withBrowser(payment, visit.browser), step, answer)
}

/** When the issuer said yes, the charge begins as a transaction of its own and ends that of the authentication; otherwise nothing begins. */
async function afterAuthentication(
  deps: Deps,
  before: PaymentRecord,
  step: PayerStep,
  given: Authentication,
): Promise<Performed> {
  const answer = asRequired(given, before.routing?.threeDs?.wish ?? null)
  const payment = { ...before, facts: { ...before.facts, ...threeDsOf(answer) } }
  const { transaction } = await asItStands(deps, payment, { id: step.transactionId })
  if (answer.result !== 'authenticated' && answer.result !== 'not-needed') {
    return settleAuthentication(deps, payment, transaction, answer)
  }
  const begun = await beginCharge(deps, payment, transaction)
  if (!begun) return asItStands(deps, await currentPayment(deps, payment), transaction)
  const paymentMethod = await readMethod(deps, payment)
  const threeDs = answer.result === 'authenticated' ? answer.data : null
  const payeeCard = await payeeCardOf(deps, payment)
  const data = { ...paymentMethod, payeeCard, threeDs }
  const outcome = await charge(deps, begun, data)
  return settleAttempt(deps, begun, outcome, data)
}

/** Null when the authentication took so long that the payment was ended over it. */
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
  const departure = await departureTo(deps, payment.midId)
  const beginning = { payment, transaction, sending: departure, authentication: authentication.id }
  const written = await deps.payments.begin(beginning)
  if (written !== 'begun') return null
  const { id } = transaction
  const version = payment.version + 1
  const begun = { ...payment, version, firstTransaction: id, openTransaction: id, inFlight: true }
  return { payment: begun, transaction, departure }
}

/** Above the time that asking the MPI service takes. */
const leaseSeconds = (2 * limits.acquirer.waitMs) / 1000

/** The process that ends the step goes on with the payment; if it dies over that, or nothing comes of it in time, the reconciler does. */
function endStep(deps: Deps, step: PayerStep, state: 'returned' | 'expired'): Promise<boolean> {
  return deps.steps.end(step, state, deps.clock.now(), leaseSeconds)
}

/** What the browser told goes into the payment with the outcome. Chapter 10 §8.5. */
const withBrowser = (payment: PaymentRecord, browser: BrowserFacts | null): PaymentRecord =>
  browser ? { ...payment, facts: { ...payment.facts, browser } } : payment

async function redirected(deps: Deps, payment: PaymentRecord, step: PayerStep): Promise<Performed> {
  const { transaction } = await asItStands(deps, payment, { id: step.transactionId })
  const outcome = await asked(deps, payment, transaction)
  const data = mayBeFollowed(payment, outcome) ? await storedCharge(deps, payment) : null
  return settleAttempt(deps, { payment, transaction }, outcome, data)
}

/** The acquirer says that the payer has finished, who may be on the way back or never come: whoever is first ends the step. */
export async function decidedAway(deps: Deps, payment: PaymentRecord, transactionId: string): Promise<boolean> {
  const step = await deps.steps.newest(payment.id)
  if (step?.transactionId !== transactionId || step.kind !== 'REDIRECT' || step.state !== 'waiting') return false
  if (await endStep(deps, step, 'returned')) await redirected(deps, payment, step)
  return true
}

/** Nobody came back in time. What the acquirer executed all the same counts; otherwise the payment is over. */
export async function expire(deps: Deps, step: PayerStep): Promise<void> {
  const payment = await deps.payments.find(step.merchantId, step.paymentId)
  if (!payment || !(await endStep(deps, step, 'expired'))) return
  // It was decided while the payer was away.
  if (payment.openTransaction !== step.transactionId) return
  const { transaction } = await asItStands(deps, payment, { id: step.transactionId })
  const outcome = step.kind === '3DS' ? expired : await asked(deps, payment, transaction)
  const undecided = outcome.result === 'payer-step' || outcome.result === 'waiting' || outcome.result === 'not-executed'
  await settle(deps, { payment, transaction }, undecided ? expired : outcome, { ending: { reason: 'payer-away' } })
}

async function asked(deps: Deps, payment: PaymentRecord, transaction: TransactionRecord): Promise<Outcome> {
  const answer = await statusAnswer(deps, payment, transaction)
  return answer.result === 'never-arrived' ? { result: 'not-executed', reason: 'Expired', facts: {} } : answer
}

function mpiOf(deps: Deps, payment: PaymentRecord) {
  const merchant = deps.configuration.merchant(payment.merchantId)
  const mpi = merchant && merchant.mpiService !== 'none' ? deps.mpis[merchant.mpiService] : null
  if (!mpi) throw new Error(`The MPI service of payment ${payment.id} is not configured any more.`)
  return mpi
}

/** What is charged after the authentication: a wallet's funding number, or its token, goes on as it would have without it. */
async function readMethod(deps: Deps, payment: PaymentRecord): Promise<Pick<ChargeData, 'card' | 'wallet'>> {
  const card = await cardOf(deps, payment)
  if (!payment.facts.wallet) return { card: card.data }
  const kept = await readStoredWallet(deps, payment, card)
  if (!kept) throw new Error(`The wallet data of payment ${payment.id} are gone.`)
  return kept
}

/** The verification code was in memory only, and the payer's absence outlived it. */
async function cardOf(deps: Deps, payment: PaymentRecord) {
  const record = payment.cardId === null ? null : await deps.cards.find(payment.merchantId, payment.cardId)
  if (!record) throw new Error(`The card of payment ${payment.id} is gone.`)
  return storedCard(record, await deps.vault.open(payment.merchantId, 'card', record.panSealed), null)
}
