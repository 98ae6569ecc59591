/** A new payment and its first transaction, written before any request is sent. */
import { formatExpiry } from '#domain/card.ts'
import type { Merchant, Mode, Protocol } from '#domain/merchant.ts'
import { newPayment, type TransactionType } from '#domain/payment/payment.ts'
import { type FirstCommand, firstRules, firstTransaction } from '#domain/payment/rules.ts'
import { languageOf } from '#domain/place/language.ts'
import { countersOf, type LimitUse } from '#domain/routing/limit-use.ts'
import type {
  CardRecord,
  JsonObject,
  Opening,
  PaymentRecord,
  StoredFacts,
  TransactionRecord,
} from '../../contracts/records.ts'
import { newTransaction } from '../exchange/new-transaction.ts'
import type { UsableCard } from '../methods/card.ts'
import type { Deps } from '../request/deps.ts'
import type { OrderData } from '../request/order-data.ts'
import { limitUsesAt } from '../routing/limit-usage.ts'
import type { Placement } from '../routing/placement.ts'

export interface DraftInput {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly protocol: Protocol
  /** The action as answers and callbacks name it. */
  readonly action: FirstCommand
  readonly channel: string | null
  readonly order: OrderData
  readonly card: Pick<UsableCard, 'record' | 'mask' | 'pan10'> | null
  /** False if only the card's mask may be stored; absent means that the card is stored. */
  readonly storesCard?: boolean | undefined
  readonly cardSource: PaymentRecord['cardSource']
  readonly cardToken: string | null
  readonly payerEmail: string | null
  readonly payer: Readonly<Record<string, string>>
  readonly payee: Readonly<Record<string, string>>
  readonly payerIp: string | null
  readonly language: string | undefined
  readonly callbackUrl: string | null
  /** Absent for payments that the option "Reject duplicate orders" exempts. Chapter 10 §1.4. */
  readonly aloneInOrder?: boolean
  readonly customData: JsonObject | null
  readonly parameters: JsonObject | null
  readonly facts: StoredFacts
  readonly chainId: string | null
  readonly subscriptionId: string | null
  readonly planDate: string | null
  /** The Checkout session that the payment is made on. */
  readonly session?: Opening['session']
  readonly useId: string | null
  /** Given if the charge's identifier is derived, as for a plan's date; otherwise a new one is made. */
  readonly transactionId?: string | undefined
}

export interface DraftedPayment {
  readonly payment: PaymentRecord
  readonly transaction: TransactionRecord
  /** The limits of its MID and mapping that it counts towards. */
  readonly limits: readonly LimitUse[]
}

interface Identity {
  readonly paymentId: string
  /** Given if the payer's authentication precedes the charge. */
  readonly type?: TransactionType
}

export function draftPayment(
  deps: Deps,
  draft: DraftInput,
  { choice, explanation, cascade }: Placement,
  { paymentId, type }: Identity,
): DraftedPayment {
  const { merchant, order, card } = draft
  const now = deps.clock.now()
  const rule = firstRules[draft.action]
  const transactionId = draft.transactionId ?? deps.ids.next()
  const limits = limitUsesAt(deps, choice, order.currency)
  const payment: PaymentRecord = {
    ...newPayment({ kind: rule.kind, amountMinor: order.amountMinor, holds: choice.holds, recurring: rule.recurring }),
    merchantId: merchant.id,
    id: paymentId,
    version: 1,
    protocol: draft.protocol,
    action: draft.action,
    mode: draft.mode,
    orderId: order.id,
    orderDescription: order.description,
    amountDecimals: order.amountDecimals,
    currency: order.currency,
    declineReason: null,
    midId: choice.mid.id,
    mappingId: choice.mapping.id,
    channel: draft.channel,
    routing: explanation,
    cardId: draft.storesCard === false ? null : (card?.record.id ?? null),
    pan10: card?.pan10 ?? null,
    cardMask: card?.mask ?? null,
    cardExpiry: card ? expiryOf(card.record) : null,
    cardSource: draft.cardSource,
    cardToken: draft.cardToken,
    payerEmail: draft.payerEmail,
    payerIp: draft.payerIp,
    payer: draft.payer,
    payee: draft.payee,
    customData: draft.customData,
    parameters: draft.parameters,
    facts: {
      ...draft.facts,
      ...callbackOfPlan(draft),
      ...cascade,
      ...(limits.length > 0 ? { limits: countersOf(limits) } : {}),
    },
    language: languageOf(draft.language),
    callbackUrl: draft.callbackUrl ?? notificationUrl(merchant, draft.mode),
    aloneInOrder: draft.aloneInOrder ?? false,
    firstTransaction: transactionId,
    reference: null,
    openTransaction: transactionId,
    chainId: draft.chainId,
    subscriptionId: draft.subscriptionId,
    planDate: draft.planDate,
    sessionId: draft.session?.id ?? null,
    cascadeId: null,
    attempt: 1,
    cascading: null,
    createdAt: now,
    updatedAt: now,
  }
  const transaction = newTransaction(payment, {
    id: transactionId,
    type: type ?? firstTransaction(draft.action, choice.holds),
    amountMinor: order.amountMinor,
    midId: choice.mid.id,
    parameters: draft.parameters,
    creditvoidId: null,
    useId: draft.useId,
    createdAt: now,
  })
  return { payment, transaction, limits }
}

const expiryOf = ({ expiryMonth: month, expiryYear: year }: CardRecord): string | null =>
  month === null || year === null ? null : formatExpiry({ month, year })

/** The callback_url of a payment that starts a plan is stored, because the plan's payments use it too. Chapter 10 §9.2. */
const callbackOfPlan = ({ callbackUrl, facts }: DraftInput): Pick<StoredFacts, 'sentCallbackUrl'> =>
  callbackUrl !== null && facts.schedule && !facts.planned ? { sentCallbackUrl: callbackUrl } : {}

/** Fixed when the payment is created: without an address now, no callback is ever sent for it. Chapter 10 §11.1. */
const notificationUrl = (merchant: Merchant, mode: Mode): string | null =>
  mode === 'test' ? (merchant.testNotificationUrl ?? merchant.notificationUrl) : merchant.notificationUrl
