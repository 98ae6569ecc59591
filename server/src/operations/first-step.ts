/** The first step of a payment with the payer: SALE, DEBIT, CARD2CARD and the payout CREDIT2CARD. Chapter 10 §7.1, §7.5, §7.8, §7.9. */
import { errors } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Protocol, Side } from '#domain/merchant.ts'
import { type FirstCommand, firstRules } from '#domain/payment/rules.ts'
import type { Need } from '#domain/routing.ts'
import type { Secret } from '#domain/secret.ts'
import type { ExternalThreeDs } from '../connectors/connector.ts'
import type { JsonObject, ScheduleWish, StoredCredentialFacts, StoredFacts } from '../records.ts'
import { RefusedError } from '../refused-error.ts'
import type { Authentication } from '../three-ds/mpi.ts'
import { mpiFor, outcomeOf, threeDsOf } from './authenticate.ts'
import { type CardInput, type UsableCard, usableCard } from './card.ts'
import { charge } from './charge.ts'
import { type ChosenMid, chooseMid } from './choose-mid.ts'
import type { Deps } from './deps.ts'
import { type Draft, type Drafted, drafted, type OrderData } from './draft.ts'
import { refuseDuplicate } from './duplicate-order.ts'
import { type Performed, settle } from './perform.ts'
import { collectorUrl, threeDsReturnUrl } from './return-url.ts'
import { askIfForgotten } from './transaction.ts'

export interface FirstStepRequest {
  readonly merchant: Merchant
  readonly side: Side
  readonly protocol: Protocol
  readonly mapping: ProtocolMapping
  readonly action: 'SALE' | 'DEBIT' | 'CARD2CARD' | 'CREDIT2CARD'
  readonly auth: boolean
  readonly channel: string | null
  readonly order: OrderData
  readonly card: CardInput
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
}

export async function firstStep(deps: Deps, request: FirstStepRequest): Promise<Performed> {
  await refuseDuplicate(deps, request)
  const card = await usableCard(deps, request.merchant, request.side, request.card)
  const paymentId = deps.ids.next()
  const chosen = await chooseMid(deps, request.merchant.id, needOf(request, card), paymentId)
  const authentication = await authenticate(deps, request, card, paymentId)

  const payeeCard = await keepPayeeCard(deps, request)
  const draft = draftOf(deps, request, card, chosen, paymentId, authentication, payeeCard)
  if (authentication && authentication.result !== 'not-needed' && authentication.result !== 'authenticated') {
    const opened = await open(deps, drafted(deps, draft, chosen, paymentId, '3DS'), card)
    return settle(
      deps,
      opened.payment,
      opened.transaction,
      outcomeOf(authentication, collectorUrl(deps, opened.payment)),
    )
  }
  const { payment, transaction } = await open(deps, drafted(deps, draft, chosen, paymentId), card)
  const outcome = await charge(deps, payment, transaction, {
    card: card.data,
    payeeCard: request.payeeCard,
    threeDs: authentication?.result === 'authenticated' ? authentication.data : request.threeDs,
    credentials: card.credentials,
  })
  return settle(deps, payment, transaction, outcome)
}

async function open(deps: Deps, { payment, transaction }: Drafted, card: UsableCard): Promise<Drafted> {
  const written = await deps.payments.open({
    payment,
    card: card.record,
    transaction,
    sentBy: deps.processNumber,
    askAt: askIfForgotten(transaction.createdAt),
  })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)
  // Another payment of the order began at the same moment.
  if (written === 'duplicate-order') throw new RefusedError(errors.previousPaymentOpen)
  return { payment, transaction }
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

function needOf(request: FirstStepRequest, card: UsableCard): Need {
  return {
    side: request.side,
    channelId: request.channel,
    protocol: request.protocol,
    kind: firstRules[request.action].kind,
    auth: request.auth,
    recurring: request.recurringInit ? 'init' : 'none',
    moto: request.moto,
    wallet: null,
    methods: [],
    brand: null,
    card: { network: card.network },
    requires3ds: false,
    currency: request.order.currency,
    amountMinor: request.order.amountMinor,
    preferCardOnFile: request.saveCard || request.card.source === 'token',
    chainMidId: null,
    rule: null,
  }
}

/** Null when no MPI service takes part. */
function authenticate(
  deps: Deps,
  request: FirstStepRequest,
  card: UsableCard,
  paymentId: string,
): Promise<Authentication> | null {
  const mpi = mpiFor(deps, request.merchant, {
    moto: request.moto,
    externalThreeDs: request.threeDs !== null,
    payerPresent: request.payerPresent,
    withToken: request.card.source === 'token',
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
    browser: null,
    recurringInit: request.recurringInit,
    language: request.language ?? 'en',
    merchantName: request.merchant.title,
  })
}

function draftOf(
  deps: Deps,
  request: FirstStepRequest,
  card: UsableCard,
  { choice }: ChosenMid,
  paymentId: string,
  authentication: Authentication | null,
  payeeCard: UsableCard | null,
): Draft {
  const recurringToken = request.recurringInit ? deps.ids.next() : null
  const cardOnFile = choice.mid.cardOnFileEnabled && choice.capabilities.cardOnFile
  return {
    ...request,
    command: commandOf(request),
    card,
    cardSource: request.card.source,
    cardToken: request.card.source === 'token' ? card.token : null,
    aloneInOrder: request.mapping.rejectDuplicateOrders,
    // The e-mail never takes part in a payout's signatures. Chapter 10 §4.3.
    payerEmail: request.payer['email'] ?? null,
    facts: {
      ...factsOf(request, card, cardOnFile),
      ...issuerOf(deps, card),
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

function issuerOf({ issuers }: Deps, { data }: UsableCard): Pick<StoredFacts, 'issuer'> {
  const issuer = issuers.of(data.number.reveal())
  return issuer ? { issuer } : {}
}

/** A payout by token goes to the person of the token; names that were sent win. Chapter 10 §7.8. */
function payeeOf({ action, payee }: FirstStepRequest, { name }: UsableCard): Readonly<Record<string, string>> {
  if (action !== 'CREDIT2CARD' || !name) return payee
  return { ...(name.first ? { first_name: name.first } : {}), ...(name.last ? { last_name: name.last } : {}), ...payee }
}

function factsOf(request: FirstStepRequest, card: UsableCard, cardOnFile: boolean): StoredFacts {
  const { threeDs, payerReturn } = request
  const storedCredential = credentialOf(request, cardOnFile)
  return {
    ...(request.motoType === null ? {} : { motoType: request.motoType }),
    // Chapter 10 §7.1.9: it has an effect only with a saved card.
    payerPresent: request.card.source !== 'token' || request.payerPresent,
    ...(request.saveCard ? { issuedToken: card.token } : {}),
    ...(storedCredential ? { storedCredential } : {}),
    ...(card.network === null ? {} : { network: card.network }),
    ...(threeDs ? { threeDs: givenAuthentication(threeDs) } : {}),
    ...(payerReturn ? { termUrl: payerReturn.url, termTarget: payerReturn.target ?? '_top' } : {}),
    ...(request.schedule ? { schedule: request.schedule } : {}),
  }
}

/** Chapter 10 §7.1.9: a chain is told as recurring, a saved card only on a Card-on-File MID. */
function credentialOf(
  { saveCard, card, payerPresent, recurringInit }: FirstStepRequest,
  cardOnFile: boolean,
): StoredCredentialFacts | null {
  if (recurringInit) return { initiator: 'cardholder', sequence: 'initial', source: 'recurring' }
  if (!cardOnFile) return null
  if (card.source === 'token') {
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
