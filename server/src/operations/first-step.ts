/**
 * The first step of a payment, whatever it is paid with: SALE, debits, transfers and payouts. Chapter 10 §7.1, §7.5, §7.8, §7.9,
 * chapter 20 §6, §10–§12, chapter 40 §9.
 */
import { knowsBrowser } from '#domain/browser.ts'
import { errors, type Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Protocol, Side } from '#domain/merchant.ts'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import type { FirstCommand } from '#domain/payment/rules.ts'
import type { Secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../connectors/connector.ts'
import type { Opened } from '../ports.ts'
import type { JsonObject, ScheduleWish, StoredCredentialFacts, StoredFacts } from '../records.ts'
import { RefusedError } from '../refused-error.ts'
import type { Authentication } from '../three-ds/mpi.ts'
import { mpiFor, outcomeOf, threeDsOf } from './authenticate.ts'
import { calculate } from './calculation.ts'
import { type UsableCard, usableCard } from './card.ts'
import { charge } from './charge.ts'
import type { CheckoutAttempt } from './checkout-attempt.ts'
import { withCommission } from './debit-commission.ts'
import type { Deps } from './deps.ts'
import { type Draft, type Drafted, drafted, type OrderData } from './draft.ts'
import { refuseDuplicate } from './duplicate-order.ts'
import { type Means, type ReadyMeans, readyMeans } from './means.ts'
import { type Performed, settle } from './perform.ts'
import { usedMeanwhile } from './refused-token.ts'
import { collectorUrl, threeDsReturnUrl } from './return-url.ts'
import { askIfForgotten } from './transaction.ts'

export type FirstAction =
  | 'SALE'
  | 'DEBIT'
  | 'CARD2CARD'
  | 'CREDIT2CARD'
  | 'CREDIT2VIRTUAL'
  | 'CREDIT2CRYPTO'
  | 'DEBIT2VIRTUAL'
  | 'DEBIT2VIRTUAL_CALC'

export interface FirstStepRequest {
  readonly merchant: Merchant
  readonly side: Side
  readonly protocol: Protocol
  readonly mapping: ProtocolMapping
  readonly action: FirstAction
  readonly auth: boolean
  readonly channel: string | null
  readonly order: OrderData
  readonly means: Means
  /** The recipient of a transfer. */
  readonly payeeCard: Secret<string> | null
  readonly saveCard: boolean
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly payerIp: string | null
  readonly language: string | undefined
  readonly callbackUrl: string | null
  /** Where the payer's browser goes in the end; without it no payer step is possible. */
  readonly payerReturn: { readonly url: string; readonly target: string | null } | null
  readonly motoType: string | null
  readonly moto: boolean
  readonly payerPresent: boolean
  readonly threeDs: ExternalThreeDs | null
  readonly recurringInit: boolean
  readonly schedule: ScheduleWish | null
  readonly parameters: JsonObject | null
  readonly customData: JsonObject | null
  readonly useId: string | null
  /** For whoever looks into what was refused. */
  readonly requestId?: string | undefined
  /** What a Checkout session adds. */
  readonly checkout?: CheckoutAttempt
}

export async function firstStep(deps: Deps, asked: FirstStepRequest): Promise<Performed> {
  const request = withCommission(asked)
  await refuseDuplicate(deps, request)
  const paymentId = request.checkout?.paymentId ?? deps.ids.next()
  const ready = await readyMeans(deps, request, paymentId)
  const authentication = await authenticate(deps, request, ready, paymentId)

  const payeeCard = await keepPayeeCard(deps, request)
  const draft = draftOf(deps, request, ready, paymentId, authentication, payeeCard)
  if (authentication && authentication.result !== 'not-needed' && authentication.result !== 'authenticated') {
    const opened = await open(deps, request, drafted(deps, draft, ready.chosen, paymentId, '3DS'), ready)
    return settle(
      deps,
      opened.payment,
      opened.transaction,
      outcomeOf(authentication, collectorUrl(deps, opened.payment)),
    )
  }
  if (request.action === 'DEBIT2VIRTUAL_CALC') {
    return calculate(deps, await open(deps, request, drafted(deps, draft, ready.chosen, paymentId, 'CALC'), ready))
  }
  const { payment, transaction } = await open(deps, request, drafted(deps, draft, ready.chosen, paymentId), ready)
  const outcome = await charge(deps, payment, transaction, {
    // Where the token itself goes on, the provider takes no card data. Chapter 40 §9.
    card: ready.wallet?.payment.token ? null : (ready.card?.data ?? null),
    wallet: ready.wallet?.payment ?? null,
    payeeCard: request.payeeCard,
    threeDs: authentication?.result === 'authenticated' ? authentication.data : request.threeDs,
    credentials: ready.card?.credentials ?? {},
    parameters: ready.parameters ? ready.parameters.sent : request.parameters,
  })
  return settle(deps, payment, transaction, outcome)
}

async function open(
  deps: Deps,
  request: FirstStepRequest,
  { payment, transaction }: Drafted,
  ready: ReadyMeans,
): Promise<Drafted> {
  const written = await deps.payments.open({
    payment,
    card: ready.cardKept === false ? null : (ready.card?.record ?? null),
    transaction,
    sentBy: deps.processNumber,
    askAt: askIfForgotten(transaction.createdAt),
    tokenUses: ready.wallet?.tokenUses ?? [],
    kept: ready.kept ?? null,
    session: request.checkout?.session ?? null,
  })
  if (written === 'token-used' && ready.wallet) throw await usedMeanwhile(deps, request, ready.wallet)
  if (written !== 'opened') throw new RefusedError(refusals[written])
  return { payment, transaction }
}

/** Something else was written at the same moment: another use of the key, another payment of the order, the token or the session. */
const refusals: Readonly<Record<Exclude<Opened, 'opened'>, Refusal>> = {
  'idempotency-clash': errors.duplicateRequest,
  'duplicate-order': errors.previousPaymentOpen,
  'token-used': errors.walletTokenExpired,
  'session-busy': errors.duplicateRequest,
  'session-changed': errors.duplicateRequest,
}

/** The recipient's card of a transfer is kept as well: a repeated send needs it. */
async function keepPayeeCard(deps: Deps, { merchant, side, payeeCard }: FirstStepRequest): Promise<UsableCard | null> {
  if (!payeeCard) return null
  const card = await usableCard(deps, merchant, side, {
    source: 'card',
    number: payeeCard,
    expiry: null,
    verificationCode: null,
  })
  await deps.cards.keep(card.record, deps.clock.now())
  return card
}

const commandOf = ({ action, auth }: FirstStepRequest): FirstCommand => (action === 'SALE' && auth ? 'AUTH' : action)

/** Null when no MPI service takes part. */
function authenticate(
  deps: Deps,
  request: FirstStepRequest,
  { card, authenticable }: ReadyMeans,
  paymentId: string,
): Promise<Authentication> | null {
  if (!card || !authenticable) return null
  const mpi = mpiFor(deps, request.merchant, {
    moto: request.moto,
    externalThreeDs: request.threeDs !== null,
    payerPresent: request.payerPresent,
    withToken: savedCard(request),
    hasReturn: request.payerReturn !== null,
  })
  if (!mpi) return null
  return mpi.authenticate({
    paymentId,
    amountMinor: request.order.amountMinor,
    currency: request.order.currency,
    card: card.data,
    payer: request.payer,
    payerIp: request.payerIp,
    returnUrl: threeDsReturnUrl(deps, { merchantId: request.merchant.id, id: paymentId }),
    browser: browserOf(request),
    recurringInit: request.recurringInit,
    language: request.language ?? 'en',
    merchantName: request.merchant.title,
  })
}

/** Known beforehand only to Checkout; otherwise the browser is looked at when it comes. */
function browserOf({ checkout }: FirstStepRequest): BrowserFacts | null {
  const browser = checkout?.facts.browser
  return knowsBrowser(browser) ? browser : null
}

function draftOf(
  deps: Deps,
  request: FirstStepRequest,
  { card, cardKept, wallet, brand, parameters, chosen: { choice } }: ReadyMeans,
  paymentId: string,
  authentication: Authentication | null,
  payeeCard: UsableCard | null,
): Draft {
  const recurringToken = request.recurringInit ? deps.ids.next() : null
  const cardOnFile = choice.mid.cardOnFileEnabled && choice.capabilities.cardOnFile
  const { commissionMinor } = request.order
  return {
    ...request,
    command: commandOf(request),
    parameters: parameters ? parameters.shown : request.parameters,
    card,
    cardKept,
    cardSource: sourceOf(request, card),
    cardToken: savedCard(request) ? (card?.token ?? null) : null,
    aloneInOrder: request.mapping.rejectDuplicateOrders,
    // The e-mail never takes part in a payout's signatures. Chapter 10 §4.3.
    payerEmail: request.payer['email'] ?? null,
    session: request.checkout?.session ?? null,
    facts: {
      ...request.checkout?.facts,
      ...factsOf(request, card, cardOnFile),
      ...(card ? issuerOf(deps, card) : {}),
      ...(wallet ? { wallet: wallet.facts } : {}),
      ...(brand ? { brand } : {}),
      ...(request.order.openAmount ? { openAmount: true } : {}),
      ...(commissionMinor === undefined ? {} : { commissionMinor: String(commissionMinor) }),
      ...(recurringToken ? { recurringInit: true, recurringToken, recurringFirst: paymentId } : {}),
      ...(authentication ? threeDsOf(authentication) : {}),
      ...(payeeCard ? { payeeCardMask: payeeCard.mask, payeeCardId: payeeCard.record.id } : {}),
    },
    payee: payeeOf(request, card),
    chainId: recurringToken,
    subscriptionId: null,
    planDate: null,
  }
}

const savedCard = ({ means }: FirstStepRequest): boolean => means.kind === 'card' && means.card.source === 'token'

/** Null where no number is known. */
function sourceOf({ means }: FirstStepRequest, card: UsableCard | null): Draft['cardSource'] {
  if (means.kind === 'card') return means.card.source
  return card ? 'wallet' : null
}

function issuerOf({ issuers }: Deps, { data }: UsableCard): Pick<StoredFacts, 'issuer'> {
  const issuer = issuers.of(data.number.reveal())
  return issuer ? { issuer } : {}
}

/** A payout by token goes to the person of the token; names that were sent win. Chapter 10 §7.8. */
function payeeOf({ action, payee }: FirstStepRequest, card: UsableCard | null): Readonly<Record<string, string>> {
  const name = card?.name
  if (action !== 'CREDIT2CARD' || !name) return payee
  return { ...(name.first ? { first_name: name.first } : {}), ...(name.last ? { last_name: name.last } : {}), ...payee }
}

function factsOf(request: FirstStepRequest, card: UsableCard | null, cardOnFile: boolean): StoredFacts {
  const { threeDs, payerReturn } = request
  const storedCredential = credentialOf(request, cardOnFile)
  return {
    ...(request.motoType === null ? {} : { motoType: request.motoType }),
    // Chapter 10 §7.1.9: it has an effect only with a saved card.
    payerPresent: !savedCard(request) || request.payerPresent,
    ...(request.saveCard && card ? { issuedToken: card.token } : {}),
    ...(storedCredential ? { storedCredential } : {}),
    ...(card?.network ? { network: card.network } : {}),
    ...(threeDs ? { threeDs: givenAuthentication(threeDs) } : {}),
    ...(payerReturn ? { termUrl: payerReturn.url, termTarget: payerReturn.target ?? '_top' } : {}),
    ...(request.schedule ? { schedule: request.schedule } : {}),
  }
}

/** Chapter 10 §7.1.9: a chain is told as recurring, a saved card only on a Card-on-File MID. */
function credentialOf(request: FirstStepRequest, cardOnFile: boolean): StoredCredentialFacts | null {
  const { saveCard, payerPresent, recurringInit } = request
  if (recurringInit) return { initiator: 'cardholder', sequence: 'initial', source: 'recurring' }
  if (!cardOnFile) return null
  if (savedCard(request)) {
    return { initiator: payerPresent ? 'cardholder' : 'merchant', sequence: 'subsequent', source: 'card_token' }
  }
  return saveCard ? { initiator: 'cardholder', sequence: 'initial', source: 'card_token' } : null
}

/** Stored as given; the authentication value itself goes to the acquirer only. Chapter 10 §7.1.8. */
const givenAuthentication = ({ eci, dsTransId, xid, transStatus, version }: ExternalThreeDs) => ({
  threeDSServerTransID: null,
  dsTransID: dsTransId,
  acsTransID: null,
  xid,
  transStatus,
  transStatusReason: null,
  eci,
  protocolVersion: version,
  authenticationFlow: null,
})
