/** The columns of payments, transactions and cards, read and written. */
import type { Protocol } from '#domain/merchant.ts'
import type { DeclineClass, Kind, Status, TransactionState, TransactionType } from '#domain/payment/payment.ts'
import type { FirstCommand } from '#domain/payment/rules.ts'
import type { Explanation } from '#domain/routing/explanation.ts'
import type {
  CardRecord,
  CardSource,
  JsonObject,
  PaymentRecord,
  RecordedFacts,
  Sending,
  StoredFacts,
  TransactionRecord,
} from '../../contracts/records.ts'
import { columnsOf } from '../database/columns.ts'
import { insertion } from '../database/insertion.ts'

// biome-ignore format: a table is read in columns.
export const paymentInsertion = insertion<PaymentRecord>('payments', [
  ['merchant_id',        (payment) => payment.merchantId],
  ['id',                 (payment) => payment.id],
  ['version',            (payment) => payment.version],
  ['protocol',           (payment) => payment.protocol],
  ['action',             (payment) => payment.action],
  ['kind',               (payment) => payment.kind],
  ['status',             (payment) => payment.status],
  ['test',               (payment) => payment.mode === 'test'],
  ['recurring',          (payment) => payment.recurring],
  ['holds',              (payment) => payment.holds],
  ['order_id',           (payment) => payment.orderId],
  ['order_description',  (payment) => payment.orderDescription],
  ['amount_minor',       (payment) => payment.amountMinor],
  ['amount_decimals',    (payment) => payment.amountDecimals],
  ['currency',           (payment) => payment.currency],
  ['mid_id',             (payment) => payment.midId],
  ['mapping_id',         (payment) => payment.mappingId],
  ['channel',            (payment) => payment.channel],
  ['routing',            (payment) => payment.routing],
  ['card_id',            (payment) => payment.cardId],
  ['pan10',              (payment) => payment.pan10],
  ['card_mask',          (payment) => payment.cardMask],
  ['card_expiry',        (payment) => payment.cardExpiry],
  ['card_source',        (payment) => payment.cardSource],
  ['card_token',         (payment) => payment.cardToken],
  ['payer_email',        (payment) => payment.payerEmail],
  ['payer_ip',           (payment) => payment.payerIp],
  ['payer',              (payment) => payment.payer],
  ['payee',              (payment) => payment.payee],
  ['custom_data',        (payment) => payment.customData],
  ['parameters',         (payment) => payment.parameters],
  ['facts',              (payment) => payment.facts],
  ['language',           (payment) => payment.language],
  ['callback_url',       (payment) => payment.callbackUrl],
  ['alone_in_order',     (payment) => payment.aloneInOrder],
  ['first_transaction',  (payment) => payment.firstTransaction],
  ['open_transaction',   (payment) => payment.openTransaction],
  ['chain_id',           (payment) => payment.chainId],
  ['subscription_id',    (payment) => payment.subscriptionId],
  ['plan_date',          (payment) => payment.planDate],
  ['session_id',         (payment) => payment.sessionId],
  ['cascade_id',         (payment) => payment.cascadeId],
  ['attempt',            (payment) => payment.attempt],
  ['created_at',         (payment) => payment.createdAt],
  ['updated_at',         (payment) => payment.updatedAt],
])

/** A transaction with its sending process and the time for which only that process may touch it. */
interface SentTransaction extends TransactionRecord {
  readonly sending: Sending
}

/** A time this many milliseconds from now, by the database's clock. */
export const fromNow = (milliseconds: string): string =>
  `clock_timestamp() + make_interval(secs => ${milliseconds}::float8 / 1000)`

// biome-ignore format: a table is read in columns.
export const transactionInsertion = insertion<SentTransaction>('transactions', [
  ['merchant_id',     (transaction) => transaction.merchantId],
  ['payment_id',      (transaction) => transaction.paymentId],
  ['id',              (transaction) => transaction.id],
  ['type',            (transaction) => transaction.type],
  ['state',           (transaction) => transaction.state],
  ['amount_minor',    (transaction) => transaction.amountMinor],
  ['mid_id',          (transaction) => transaction.midId],
  ['parameters',      (transaction) => transaction.parameters],
  ['creditvoid_id',   (transaction) => transaction.creditvoidId],
  ['idempotency_use', (transaction) => transaction.useId],
  ['sent_by',         (transaction) => transaction.sending.sentBy],
  ['in_flight_until', (transaction) => transaction.sending.inFlightMs, fromNow],
  ['ask_at',          (transaction) => transaction.sending.inFlightMs, fromNow],
  ['created_at',      (transaction) => transaction.createdAt],
])

// biome-ignore format: a table is read in columns.
export const cardInsertion = insertion<CardRecord & { readonly createdAt: Date }>('cards', [
  ['merchant_id',  (card) => card.merchantId],
  ['id',           (card) => card.id],
  ['pan_sealed',   (card) => card.panSealed],
  ['bin',          (card) => card.bin],
  ['last_four',    (card) => card.lastFour],
  ['pan_length',   (card) => card.panLength],
  ['expiry_month', (card) => card.expiryMonth],
  ['expiry_year',  (card) => card.expiryYear],
  ['network',      (card) => card.network],
  ['created_at',   (card) => card.createdAt],
])

export interface PaymentRow {
  merchant_id: string
  id: string
  version: number
  protocol: Protocol
  action: FirstCommand
  kind: Kind
  status: Status
  test: boolean
  recurring: boolean
  holds: boolean
  order_id: string
  order_description: string
  amount_minor: bigint
  amount_decimals: number
  currency: string
  authorised_minor: bigint
  captured_minor: bigint
  refunded_minor: bigint
  charged_back_minor: bigint
  financial_day: string | null
  decline_reason: string | null
  decline_class: DeclineClass | null
  mid_id: string | null
  mapping_id: string | null
  channel: string | null
  routing: Explanation | null
  card_id: string | null
  pan10: string | null
  card_mask: string | null
  card_expiry: string | null
  card_source: CardSource | null
  card_token: string | null
  payer_email: string | null
  payer_ip: string | null
  payer: Record<string, string>
  payee: Record<string, string>
  custom_data: JsonObject | null
  parameters: JsonObject | null
  facts: StoredFacts
  language: string
  callback_url: string | null
  alone_in_order: boolean
  first_transaction: string
  reference: string | null
  open_transaction: string | null
  chain_id: string | null
  subscription_id: string | null
  plan_date: string | null
  session_id: string | null
  cascade_id: string | null
  attempt: number
  cascading: 'continues' | 'continued' | null
  created_at: Date
  updated_at: Date
}

// biome-ignore format: a list of names.
export const paymentColumns = columnsOf<PaymentRow>()([
  'merchant_id', 'id', 'version', 'protocol', 'action', 'kind', 'status', 'test', 'recurring', 'holds', 'order_id',
  'order_description', 'amount_minor', 'amount_decimals', 'currency', 'authorised_minor', 'captured_minor',
  'refunded_minor', 'charged_back_minor', 'financial_day', 'decline_reason', 'decline_class', 'mid_id', 'mapping_id',
  'channel', 'routing', 'card_id', 'pan10', 'card_mask', 'card_expiry', 'card_source', 'card_token', 'payer_email',
  'payer_ip', 'payer', 'payee', 'custom_data', 'parameters', 'facts', 'language', 'callback_url', 'alone_in_order',
  'first_transaction', 'reference', 'open_transaction', 'chain_id', 'subscription_id', 'plan_date', 'session_id',
  'cascade_id', 'attempt', 'cascading', 'created_at', 'updated_at',
])

export function paymentFrom(row: PaymentRow): PaymentRecord {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    version: row.version,
    protocol: row.protocol,
    action: row.action,
    kind: row.kind,
    status: row.status,
    mode: row.test ? 'test' : 'live',
    recurring: row.recurring,
    holds: row.holds,
    orderId: row.order_id,
    orderDescription: row.order_description,
    amountMinor: row.amount_minor,
    amountDecimals: row.amount_decimals,
    currency: row.currency,
    authorisedMinor: row.authorised_minor,
    capturedMinor: row.captured_minor,
    refundedMinor: row.refunded_minor,
    chargedBackMinor: row.charged_back_minor,
    financialDay: row.financial_day,
    declineReason: row.decline_reason,
    declineClass: row.decline_class,
    inFlight: row.open_transaction !== null,
    midId: row.mid_id,
    mappingId: row.mapping_id,
    channel: row.channel,
    routing: row.routing,
    cardId: row.card_id,
    pan10: row.pan10,
    cardMask: row.card_mask,
    cardExpiry: row.card_expiry,
    cardSource: row.card_source,
    cardToken: row.card_token,
    payerEmail: row.payer_email,
    payerIp: row.payer_ip,
    payer: row.payer,
    payee: row.payee,
    customData: row.custom_data,
    parameters: row.parameters,
    facts: row.facts,
    language: row.language,
    callbackUrl: row.callback_url,
    aloneInOrder: row.alone_in_order,
    firstTransaction: row.first_transaction,
    reference: row.reference,
    openTransaction: row.open_transaction,
    chainId: row.chain_id,
    subscriptionId: row.subscription_id,
    planDate: row.plan_date,
    sessionId: row.session_id,
    cascadeId: row.cascade_id,
    attempt: row.attempt,
    cascading: row.cascading,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export interface TransactionRow {
  merchant_id: string
  payment_id: string
  id: string
  type: TransactionType
  state: TransactionState
  amount_minor: bigint
  mid_id: string
  reference: string | null
  parameters: JsonObject | null
  facts: RecordedFacts
  decline_reason: string | null
  decline_class: DeclineClass | null
  creditvoid_id: string | null
  idempotency_use: string | null
  asks: number
  created_at: Date
  ended_at: Date | null
}

// biome-ignore format: a list of names.
export const transactionColumns = columnsOf<TransactionRow>()([
  'merchant_id', 'payment_id', 'id', 'type', 'state', 'amount_minor', 'mid_id', 'reference', 'parameters', 'facts',
  'decline_reason', 'decline_class', 'creditvoid_id', 'idempotency_use', 'asks', 'created_at', 'ended_at',
])

export function transactionFrom(row: TransactionRow): TransactionRecord {
  return {
    merchantId: row.merchant_id,
    paymentId: row.payment_id,
    id: row.id,
    type: row.type,
    state: row.state,
    amountMinor: row.amount_minor,
    midId: row.mid_id,
    reference: row.reference,
    parameters: row.parameters,
    facts: row.facts,
    declineReason: row.decline_reason,
    declineClass: row.decline_class,
    creditvoidId: row.creditvoid_id,
    useId: row.idempotency_use,
    asks: row.asks,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
