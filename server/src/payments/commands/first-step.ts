/**
 * The first step of a payment, with any payment method: SALE, debits, transfers and payouts. Chapter 10 §7.1, §7.5, §7.8, §7.9,
 * chapter 20 §6, §10–§12, chapter 40 §9.
 */
import { knowsBrowser } from '#domain/browser.ts'
import { errors, type Refusal } from '#domain/errors.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { isMoto } from '#domain/payment/moto.ts'
import { isSent } from '#domain/payment/payment.ts'
import { firstRules } from '#domain/payment/rules.ts'
import type { LimitClash, OpenResult } from '../../contracts/ports.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import type { Authentication } from '../../three-ds/mpi.ts'
import { askMpi, enforceRule, mpiFor, settleAuthentication } from '../attempt/authenticate.ts'
import { settleAttempt } from '../attempt/cascade.ts'
import { withCommission } from '../attempt/debit-commission.ts'
import { type DraftedPayment, draftPayment } from '../attempt/draft.ts'
import { refuseDuplicate } from '../attempt/duplicate-order.ts'
import { newDraftInput, paidBySavedCard } from '../attempt/first-draft.ts'
import { withSealedAddress } from '../attempt/sealed-address.ts'
import { type ChargeData, charge } from '../exchange/charge.ts'
import { type Intent, localDeparture, prepareDeparture } from '../exchange/sending.ts'
import { requireUsableCard, type UsableCard } from '../methods/card.ts'
import { prepareMethod } from '../methods/prepare-method.ts'
import type { PreparedMethod } from '../methods/prepared-method.ts'
import { refuseUsedToken } from '../methods/refused-token.ts'
import type { PaymentWithTransaction } from '../outcome/perform.ts'
import type { Deps } from '../request/deps.ts'
import type { FirstStepRequest } from '../request/first-step-request.ts'
import { isLimitClash } from '../routing/limit-usage.ts'
import { placePayment } from '../routing/placement.ts'
import { calculate } from './calculation.ts'

export async function takeFirstStep(deps: Deps, original: FirstStepRequest): Promise<PaymentWithTransaction> {
  const request = withCommission(original)
  if (firstRules[request.action].kind === 'credit' && !request.mapping.payouts)
    throw new RefusedError(errors.payoutsOff)
  await refuseDuplicate(deps, request)
  const paymentId = request.checkout?.paymentId ?? deps.ids.next()
  const ready = await prepareMethod(deps, request, paymentId)
  const authentication = await authenticate(deps, request, ready, paymentId)

  const payeeCard = await storePayeeCard(deps, request)
  const proved = authentication?.result === 'authenticated' ? authentication.data : request.threeDs
  const pending = authentication && isPending(authentication) ? authentication : null
  const sealedRequest = await withSealedAddress(deps, request)
  const intent = await placePayment(ready.chosen, ready.noCascadeBecause, (placement) => {
    const draft = newDraftInput(deps, sealedRequest, ready, { placement, paymentId, authentication, payeeCard })
    const identity = { paymentId, ...(pending ? ({ type: '3DS' } as const) : {}) }
    return open(deps, request, draftPayment(deps, draft, placement, identity), ready)
  })
  const { payment, transaction } = intent
  if (pending) return settleAuthentication(deps, payment, transaction, pending)
  if (transaction.type === 'CALC') return calculate(deps, { payment, transaction })
  const data: ChargeData = {
    // If the provider gets the wallet's token itself, it gets no card data. Chapter 40 §9.
    card: ready.wallet?.payment.token ? null : (ready.card?.data ?? null),
    wallet: ready.wallet?.payment ?? null,
    payeeCard: request.payeeCard,
    threeDs: proved,
    credentials: ready.card?.credentials ?? {},
    parameters: ready.parameters ? ready.parameters.sent : request.parameters,
  }
  return settleAttempt(deps, { payment, transaction }, await charge(deps, intent, data), data)
}

type UnfinishedAuthentication = Exclude<Authentication, { result: 'not-needed' | 'authenticated' }>

/** The payer has to be redirected, or the payment ends because the authentication failed. */
const isPending = (authentication: Authentication): authentication is UnfinishedAuthentication =>
  authentication.result !== 'not-needed' && authentication.result !== 'authenticated'

/** Returns the limit without room instead of throwing, so that the next MID is tried. */
async function open(
  deps: Deps,
  request: FirstStepRequest,
  drafted: DraftedPayment,
  ready: PreparedMethod,
): Promise<Intent | LimitClash> {
  const { payment, transaction, limits } = drafted
  const goesOut = isSent(transaction.type) && !payment.routing?.declined
  const departure = goesOut ? await prepareDeparture(deps, transaction.midId) : localDeparture(deps)
  const written = await deps.payments.open({
    payment,
    card: ready.storesCard === false ? null : (ready.card?.record ?? null),
    transaction,
    sending: departure,
    tokenUses: ready.wallet?.tokenUses ?? [],
    sealedData: ready.sealedData ?? null,
    session: request.checkout?.session ?? null,
    limits,
  })
  if (written === 'opened') return { payment, transaction, departure }
  if (isLimitClash(written)) return written
  if (written === 'token-used' && ready.wallet) throw await refuseUsedToken(deps, request, ready.wallet)
  throw new RefusedError(refusals[written])
}

/** Refusals for concurrent writes: the same idempotency key, or another payment of the same order, token or session. */
const refusals: Readonly<Record<Exclude<OpenResult, 'opened' | LimitClash>, Refusal>> = {
  'idempotency-clash': errors.duplicateRequest,
  'duplicate-order': errors.previousPaymentOpen,
  'token-used': errors.walletTokenExpired,
  'session-busy': errors.duplicateRequest,
  'session-changed': errors.duplicateRequest,
  // Only later attempts of a cascade get these two.
  'budget-spent': errors.retryNotAllowed,
  'cascade-ended': errors.duplicateRequest,
}

/** The recipient's card of a transfer is stored too, because sending the charge again needs it. */
async function storePayeeCard(deps: Deps, { merchant, mode, payeeCard }: FirstStepRequest): Promise<UsableCard | null> {
  if (!payeeCard) return null
  const card = await requireUsableCard(deps, merchant, mode, {
    source: 'card',
    number: payeeCard,
    expiry: null,
    verificationCode: null,
  })
  await deps.cards.keep(card.record, deps.clock.now())
  return card
}

/** Null if no MPI service is involved. */
async function authenticate(
  deps: Deps,
  request: FirstStepRequest,
  { card, canAuthenticate, chosen }: PreparedMethod,
  paymentId: string,
): Promise<Authentication | null> {
  if (!card || !canAuthenticate || chosen.declined !== null) return null
  const mpi = mpiFor(deps, request.merchant, {
    moto: isMoto(request.motoType),
    externalThreeDs: request.threeDs !== null,
    payerPresent: request.payerPresent,
    withToken: paidBySavedCard(request),
    hasReturn: request.payerReturn !== null,
    rule: chosen.threeDs,
  })
  if (!mpi) return null
  const { merchant, order, payer, payerIp, language = 'en', recurringInit } = request
  const payment = { ...order, merchantId: merchant.id, id: paymentId, payer, payerIp, language }
  const answer = await askMpi(deps, mpi, { payment, card: card.data, browser: browserOf(request), recurringInit })
  return enforceRule(answer, chosen.threeDs)
}

/** Only Checkout knows the browser beforehand; otherwise the collector page reads it. */
function browserOf({ checkout }: FirstStepRequest): BrowserFacts | null {
  const browser = checkout?.facts.browser
  return knowsBrowser(browser) ? browser : null
}
