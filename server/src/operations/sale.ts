/** The first step of a payment: chooses the MID, writes the intent, asks the acquirer, writes the outcome. */
import { errors, violations } from '#domain/errors.ts'
import { languageOf } from '#domain/language.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Protocol, Side } from '#domain/merchant.ts'
import { newPayment } from '#domain/payment/payment.ts'
import { firstRules } from '#domain/payment/rules.ts'
import type { Need } from '#domain/routing.ts'
import type { ExternalThreeDs, Order, Outcome } from '../connectors/connector.ts'
import type { JsonObject, PaymentRecord, StoredCredentialFacts, StoredFacts, TransactionRecord } from '../records.ts'
import { invalid, RefusedError } from '../refused-error.ts'
import { type CardInput, type UsableCard, usableCard } from './card.ts'
import { type ChosenMid, chooseMid } from './choose-mid.ts'
import type { Deps } from './deps.ts'
import { type Performed, settle } from './perform.ts'
import { askIfForgotten, newTransaction } from './transaction.ts'

export type { CardInput } from './card.ts'

export interface SaleRequest {
  readonly merchant: Merchant
  readonly side: Side
  readonly protocol: Protocol
  readonly mapping: ProtocolMapping
  readonly action: 'SALE'
  readonly auth: boolean
  readonly channel: string | null
  readonly order: {
    readonly id: string
    readonly description: string
    readonly amountMinor: bigint
    readonly amountDecimals: number
    readonly currency: string
  }
  readonly card: CardInput
  readonly saveCard: boolean
  readonly payer: Readonly<Record<string, string>>
  readonly payerIp: string
  readonly language: string | undefined
  readonly callbackUrl: string | null
  readonly motoType: string | null
  readonly moto: boolean
  readonly payerPresent: boolean
  readonly threeDs: ExternalThreeDs | null
  readonly parameters: JsonObject | null
  readonly customData: JsonObject | null
  readonly useId: string | null
}

export async function sale(deps: Deps, request: SaleRequest): Promise<Performed> {
  await refuseDuplicate(deps, request)
  const card = await usableCard(deps, request.merchant, request.side, request.card)
  const paymentId = deps.ids.next()
  const chosen = await chooseMid(deps, request.merchant.id, needOf(request, card), paymentId)

  const { payment, transaction } = opened(deps, request, card, chosen, paymentId)
  const written = await deps.payments.open({
    payment,
    card: card.record,
    transaction,
    sentBy: deps.processNumber,
    askAt: askIfForgotten(transaction.createdAt),
  })
  if (written === 'idempotency-clash') throw new RefusedError(errors.duplicateRequest)

  const outcome = await ask(deps, payment, transaction, orderOf(deps, payment, transaction, card, request.threeDs))
  return settle(deps, payment, transaction, outcome)
}

/** Mapping option "Reject duplicate orders", chapter 10 §1.4. */
async function refuseDuplicate(deps: Deps, { mapping, merchant, order, side }: SaleRequest): Promise<void> {
  if (!mapping.rejectDuplicateOrders) return
  const earlier = await deps.payments.newestOfOrder(merchant.id, order.id, side)
  if (!earlier || earlier.status === 'DECLINED') return
  if (['3DS', 'REDIRECT', 'PREPARE'].includes(earlier.status)) throw new RefusedError(errors.previousPaymentOpen)
  throw invalid({ param: 'order_id', text: violations.duplicate })
}

function needOf(request: SaleRequest, card: UsableCard): Need {
  return {
    side: request.side,
    channelId: request.channel,
    protocol: request.protocol,
    kind: firstRules[request.action].kind,
    auth: request.auth,
    recurring: 'none',
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

function opened(
  deps: Deps,
  request: SaleRequest,
  card: UsableCard,
  { choice, explanation }: ChosenMid,
  paymentId: string,
): { payment: PaymentRecord; transaction: TransactionRecord } {
  const { merchant, order, useId } = request
  const now = deps.clock.now()
  const rule = firstRules[request.auth ? 'AUTH' : request.action]
  const transactionId = deps.ids.next()
  const payment: PaymentRecord = {
    ...newPayment({ kind: rule.kind, amountMinor: order.amountMinor, holds: choice.holds, recurring: rule.recurring }),
    merchantId: merchant.id,
    id: paymentId,
    version: 1,
    protocol: request.protocol,
    action: request.action,
    test: request.side === 'test',
    orderId: order.id,
    orderDescription: order.description,
    amountDecimals: order.amountDecimals,
    currency: order.currency,
    declineReason: null,
    midId: choice.mid.id,
    mappingId: choice.mapping.id,
    channel: request.channel,
    routing: explanation,
    cardId: card.record.id,
    pan10: card.pan10,
    cardMask: card.mask,
    cardExpiry: `${String(card.record.expiryMonth).padStart(2, '0')}/${card.record.expiryYear}`,
    cardSource: request.card.source,
    cardToken: request.card.source === 'token' ? card.token : null,
    payerEmail: request.payer['email'] ?? null,
    payerIp: request.payerIp,
    payer: request.payer,
    payee: {},
    customData: request.customData,
    parameters: request.parameters,
    facts: factsOf(request, card, choice.mid.cardOnFileEnabled && choice.capabilities.cardOnFile),
    language: languageOf(request.language),
    callbackUrl: request.callbackUrl ?? notificationUrl(merchant, request.side),
    firstTransaction: transactionId,
    reference: null,
    openTransaction: transactionId,
    createdAt: now,
    updatedAt: now,
  }
  const transaction = newTransaction(payment, {
    id: transactionId,
    type: choice.holds ? rule.onDmsMid : rule.records,
    amountMinor: order.amountMinor,
    midId: choice.mid.id,
    parameters: request.parameters,
    creditvoidId: null,
    useId,
    createdAt: now,
  })
  return { payment, transaction }
}

/** Fixed when the payment is created: without an address now, no callback is ever sent for it. Chapter 10 §11.1. */
const notificationUrl = (merchant: Merchant, side: Side): string | null =>
  side === 'test' ? (merchant.testNotificationUrl ?? merchant.notificationUrl) : merchant.notificationUrl

function factsOf(request: SaleRequest, card: UsableCard, cardOnFile: boolean): StoredFacts {
  const { threeDs } = request
  const storedCredential = cardOnFile ? credentialOf(request) : null
  return {
    ...(request.motoType === null ? {} : { motoType: request.motoType }),
    payerPresent: request.payerPresent,
    ...(request.saveCard ? { issuedToken: card.token } : {}),
    ...(storedCredential ? { storedCredential } : {}),
    ...(card.network === null ? {} : { network: card.network }),
    ...(threeDs ? { threeDs: givenAuthentication(threeDs) } : {}),
  }
}

/** Chapter 10 §7.1.9: only on a Card-on-File MID, and `payer_present` counts only with a token. */
function credentialOf({ saveCard, card, payerPresent }: SaleRequest): StoredCredentialFacts | null {
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

/** What goes to the acquirer; the reconciler builds the same from what was stored, without the verification code. */
export function orderOf(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  card: Pick<UsableCard, 'data'> & { readonly credentials?: Readonly<Record<string, string>> },
  threeDs: ExternalThreeDs | null,
): Order {
  const { facts } = payment
  const mid = deps.configuration.mid(transaction.midId)
  const connector = mid ? deps.acquirers.connector(mid.connector) : null
  return {
    transactionId: transaction.id,
    paymentId: payment.id,
    orderId: payment.orderId,
    description: payment.orderDescription,
    amountMinor: transaction.amountMinor,
    currency: payment.currency,
    card: card.data,
    payeeCard: null,
    payer: payment.payer,
    payee: payment.payee,
    // An acquirer that takes only IPv4 gets no IPv6 address. Chapter 10 §2.
    payerIp: payment.payerIp?.includes(':') && !connector?.supports.ipv6 ? null : payment.payerIp,
    moto: facts.motoType !== undefined && facts.motoType !== 'ecommerce',
    payerPresent: facts.payerPresent ?? true,
    storedCredential: facts.storedCredential
      ? { ...facts.storedCredential, reference: card.credentials?.[transaction.midId] ?? null }
      : null,
    threeDs,
    recurringInit: false,
    networkTransactionId: null,
    registerCard: facts.issuedToken !== undefined && facts.storedCredential !== undefined,
    descriptor: mid?.descriptor ?? '',
    parameters: payment.parameters ?? {},
    test: payment.test,
  }
}

export async function ask(
  deps: Deps,
  payment: PaymentRecord,
  transaction: TransactionRecord,
  order: Order,
): Promise<Outcome> {
  const acquirer = await deps.acquirers.of(transaction.midId)
  return acquirer.exchange(payment.holds ? 'authorize' : 'sale', (connector, wire) =>
    payment.holds && connector.authorize ? connector.authorize(order, wire) : connector.sale(order, wire),
  )
}
