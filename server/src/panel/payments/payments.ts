/** Payments at the panel: searched by any filter, and shown with everything that is known. Chapter 50 §8. */
import { maskedAddress } from '#domain/address/callback-address.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import { listPaymentEvents, type PaymentEvent } from '../../store/acquirers/notification-log.ts'
import { type LoggedCallback, listLoggedCallbacks } from '../../store/callbacks/callback-log.ts'
import { unresolvedList } from '../../store/finance/unresolved-list.ts'
import { type LedgerEntry, listLedgerEntries } from '../../store/payments/ledger.ts'
import type { FoundPayment } from '../../store/payments/search/found-payment.ts'
import type { PaymentFilter } from '../../store/payments/search/payment-conditions.ts'
import { countPayments, listAttemptsOfCascade, searchPayments } from '../../store/payments/search/payment-search.ts'
import { readErasedAt } from '../../store/retention/erased-payments.ts'
import { type RefusedToken, refusedTokenStore } from '../../store/wallets/refused-tokens.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { invalid } from '../admin-refused.ts'
import type { PanelContext } from '../panel-context.ts'
import { type AllowedCommands, findAllowedCommands } from './allowed-commands.ts'
import { amountsByCurrency } from './amounts-by-currency.ts'
import { requirePayment } from './payment-commands.ts'

/** What a person searches by; translated to what the table of payments contains. */
export interface PaymentQuery extends PaymentFilter {
  /** Its MIDs are searched for. */
  readonly connector?: string | undefined
  /** In the currency of the filter, or in any currency by that currency's own decimals. */
  readonly amount?: string | undefined
  readonly amountMin?: string | undefined
  readonly amountMax?: string | undefined
  readonly currency?: string | undefined
  /** The last name, or the first name and the last name. */
  readonly payerName?: string | undefined
}

/** What a search reads: a worker that writes exports has no more. */
export type SearchContext = Pick<PanelContext, 'reports' | 'configuration'>

/** A merchant that is not the caller's has no payments. */
export async function findPaymentsFor(
  context: SearchContext,
  grant: Grant,
  wish: PaymentQuery,
  limit: number,
): Promise<readonly FoundPayment[]> {
  const scope = scopeOf(grant, wish)
  const filter = interpretQuery(context, wish)
  return scope === 'none' ? [] : await context.reports.read((on) => searchPayments(on, filter, scope, limit))
}

export async function countFor(context: SearchContext, grant: Grant, wish: PaymentQuery): Promise<bigint> {
  const scope = scopeOf(grant, wish)
  const filter = interpretQuery(context, wish)
  return scope === 'none' ? 0n : await context.reports.read((on) => countPayments(on, filter, scope))
}

/** Refuses what cannot be understood, such as an amount with more decimals than its currency has. */
export function interpretQuery(context: Pick<PanelContext, 'configuration'>, query: PaymentQuery): PaymentFilter {
  const { connector, amount, amountMin, amountMax, payerName, ...filter } = query
  // No index has it: alone it would read every payment.
  if (filter.cardId !== undefined && filter.card === undefined && filter.lastFour === undefined)
    throw invalid(
      'cardId',
      'Give the card’s digits as well (card or lastFour); the stored card is looked for among them.',
    )
  const units = (field: string, written: string | undefined): string | undefined =>
    written === undefined ? undefined : amountsByCurrency(context, { field, amount: written, currency: query.currency })
  return {
    ...filter,
    ...(connector === undefined ? {} : { midIds: midsOfConnector(context, connector) }),
    ...(payerName === undefined ? {} : nameFilter(payerName)),
    amountBy: units('amount', amount),
    amountMinBy: units('amountMin', amountMin),
    amountMaxBy: units('amountMax', amountMax),
  }
}

const midsOfConnector = (
  { configuration }: Pick<PanelContext, 'configuration'>,
  connector: string,
): readonly string[] =>
  configuration
    .mids()
    .filter((mid) => mid.connector === connector)
    .map(({ id }) => id)

/** The last word is the last name, because the index has last names. */
function nameFilter(name: string): PaymentFilter {
  const words = name.trim().split(/\s+/)
  const first = words.slice(0, -1).join(' ')
  return { lastName: words.at(-1), firstName: first === '' ? undefined : first }
}

/** The name of a MID, also for users who may not see MIDs: every explanation of a payment names it. */
export const midNamed = (
  { configuration }: Pick<PanelContext, 'configuration'>,
  midId: string | null,
): string | null => (midId === null ? null : (configuration.mid(midId)?.name ?? null))

/** Null means no further restriction: the filter itself names the merchant. */
function scopeOf(grant: Grant, { merchantId }: PaymentFilter): readonly string[] | null | 'none' {
  if (typeof merchantId === 'string') return reaches(grant, merchantId) ? null : 'none'
  return grant.merchants === 'all' ? null : [...grant.merchants]
}

export interface PaymentDetails {
  readonly payment: PaymentRecord
  readonly transactions: readonly TransactionRecord[]
  /** Transactions about which the acquirer is asked no more, so that people decide. */
  readonly unresolved: readonly string[]
  readonly callbacks: readonly LoggedCallback[]
  readonly ledger: readonly LedgerEntry[]
  /** What its acquirers reported by themselves. */
  readonly notifications: readonly PaymentEvent[]
  /** Refused wallet tokens of the same order. */
  readonly refusedTokens: readonly RefusedToken[]
  /** The attempts of its cascade, including itself. */
  readonly attempts: readonly FoundPayment[]
  readonly offers: AllowedCommands
  /** When its payer's data was erased; null if it was not. */
  readonly erasedAt: Date | null
}

export async function readDetails(
  context: PanelContext,
  merchantId: string,
  paymentId: string,
): Promise<PaymentDetails> {
  const payment = await requirePayment(context, merchantId, paymentId)
  const { pool, ids } = context
  const [transactions, callbacks, ledger, refusedTokens, attempts, erased] = await Promise.all([
    context.operations.listTransactions(payment),
    listLoggedCallbacks(pool, { merchantId, paymentId, limit: 500 }),
    listLedgerEntries(pool, merchantId, paymentId),
    refusedTokenStore(pool, ids).find({ merchantId, orderId: payment.orderId, limit: 20 }),
    listAttemptsOfCascade(pool, merchantId, payment.cascadeId ?? paymentId),
    readErasedAt(pool, merchantId, paymentId),
  ])
  const notifications = await listPaymentEvents(pool, paymentId, midsOfPayment(payment, transactions))
  const unresolved = await findUnresolved(pool, merchantId, transactions)
  const offers = findAllowedCommands(context, payment)
  const callbackUrl = payment.callbackUrl && maskedAddress(payment.callbackUrl)
  return {
    payment: { ...payment, callbackUrl },
    transactions,
    unresolved,
    callbacks,
    ledger,
    notifications,
    refusedTokens,
    attempts,
    offers,
    erasedAt: erased,
  }
}

/** Few transactions are open, so that most payments cost no statement. */
async function findUnresolved(
  pool: PanelContext['pool'],
  merchantId: string,
  transactions: readonly TransactionRecord[],
): Promise<readonly string[]> {
  const open = transactions.filter(({ state }) => state === 'undefined' || state === 'waiting')
  const found = await Promise.all(open.map(({ id }) => unresolvedList(pool, [merchantId]).findOutcome(id)))
  return found.flatMap((one) => (one === null ? [] : [one.transactionId]))
}

const midsOfPayment = ({ midId }: PaymentRecord, transactions: readonly TransactionRecord[]): readonly string[] => [
  ...new Set([...(midId === null ? [] : [midId]), ...transactions.map((one) => one.midId)]),
]
