/**
 * What only one payment may have: an order that is paid once, a session, a date of a plan, a use of an idempotency key. See
 * decisions/months#claims-across-months.
 *
 * Payments are in parts by month, and a unique index holds within one part only, so each rule is the primary key of a small table. The
 * statement that opens, declines or returns a payment writes and frees its claims itself; one that needs none has no expression for them.
 *
 * The expressions are the last of their statement. PostgreSQL runs them first after the payment is written, so that all statements take
 * payment, claims, limits and cards in this order and cannot deadlock.
 */

import { freeingStatuses, takesOrder } from '#domain/payment/payment.ts'
import type { Opening, OutcomeRecord } from '../../contracts/records.ts'
import { literals } from '../database/columns.ts'

export type Claim = keyof typeof claims

interface ClaimText {
  /** In names of statements, which have 63 characters at most. */
  readonly letter: string
  /** The table expression; `merchant` is the statement's parameter, or null if each row names its own. */
  readonly text: (merchant: string | null) => string
  readonly isMade: (by: Pick<Opening, 'payment' | 'transaction'>) => boolean
}

const freeing = literals(freeingStatuses)

// In the order of their keys, so that two groups with the same claims cannot deadlock.
const claims = {
  order: {
    letter: 'o',
    text: (merchant) => `order_claim as (
     insert into order_claims (merchant_id, order_id, test, payment_id)
     select ${merchant ?? 'payment.merchant_id'}, payment.order_id, payment.test, payment.id from payment
     where payment.alone_in_order and payment.status not in (${freeing}) order by 1, 2, 3
   )`,
    isMade: ({ payment }) => payment.aloneInOrder && takesOrder(payment.status),
  },
  session: {
    letter: 's',
    text: (merchant) => `session_claim as (
     insert into session_claims (merchant_id, session_id, payment_id)
     select ${merchant ?? 'payment.merchant_id'}, payment.session_id, payment.id from payment
     where payment.session_id is not null and payment.status not in (${freeing}) order by 1, 2
   )`,
    isMade: ({ payment }) => payment.sessionId !== null && takesOrder(payment.status),
  },
  date: {
    letter: 'd',
    text: (merchant) => `date_claim as (
     insert into plan_claims (merchant_id, subscription_id, plan_date, payment_id)
     select ${merchant ?? 'payment.merchant_id'}, payment.subscription_id, payment.plan_date, payment.id from payment
     where payment.subscription_id is not null and payment.plan_date is not null and payment.attempt = 1
     order by 1, 2, 3
   )`,
    isMade: ({ payment }) => payment.subscriptionId !== null && payment.planDate !== null && payment.attempt === 1,
  },
  use: {
    letter: 'u',
    text: (merchant) => `use_claim as (
     insert into key_uses (merchant_id, use_id, payment_id, transaction_id)
     select ${merchant ?? 'transaction.merchant_id'}, transaction.idempotency_use, transaction.payment_id, transaction.id from transaction
     where transaction.idempotency_use is not null order by 1, 2
   )`,
    isMade: ({ transaction }) => transaction.useId !== null,
  },
} as const satisfies Record<string, ClaimText>

const names: readonly Claim[] = ['order', 'session', 'date', 'use']

/** The claims of a payment that is opened. */
export const claimsOf = (opening: Pick<Opening, 'payment' | 'transaction'>): readonly Claim[] =>
  names.filter((name) => claims[name].isMade(opening))

/** Lists the claims of several payments together. */
export function claimsOfAll(openings: readonly Opening[]): readonly Claim[] {
  const found = new Set(openings.flatMap(claimsOf))
  return names.filter((name) => found.has(name))
}

/**
 * Table expressions for a statement that inserts `payment` and `transaction`, both with the columns that claims consist of. Without a
 * merchant, which statements of a distributed database name, each row names its own.
 */
export const claimTexts = (kinds: readonly Claim[], merchant: string | null): readonly string[] =>
  kinds.map((name) => claims[name].text(merchant))

/** The end of the name of a statement with these claims. */
export const claimSuffix = (kinds: readonly Claim[]): string =>
  kinds.length === 0 ? '' : `-claims-${kinds.map((name) => claims[name].letter).join('')}`

/** What refuses a second use: its claim, or the index of the part from before the claims. */
export const useClashes: readonly string[] = ['key_uses_pkey', 'transactions_idempotency']

export const claimedPayment =
  'merchant_id, id, order_id, test, status, alone_in_order, session_id, subscription_id, plan_date, attempt'
export const claimedTransaction = 'merchant_id, payment_id, id, idempotency_use'

/** What an outcome does with the claims of order and session; those of dates and uses stay. */
export type ClaimChange = 'kept' | 'freed' | 'taken'

export function claimChangeOf({ before, after }: Pick<OutcomeRecord, 'before' | 'after'>): ClaimChange {
  const [stood, stands] = [takesOrder(before.status), takesOrder(after.status)]
  if (stood === stands || (!before.aloneInOrder && before.sessionId === null)) return 'kept'
  return stands ? 'taken' : 'freed'
}

export const changedColumns = 'order_id, test, alone_in_order, session_id'

/** Further table expressions for a statement that changes a payment in `changed`, with the columns above. */
export const changeTexts: Readonly<Record<ClaimChange, (merchant: string, payment: string) => string>> = {
  kept: () => '',
  freed: (merchant, payment) => `, order_freed as (
     delete from order_claims held using changed
     where held.merchant_id = ${merchant} and held.order_id = changed.order_id and held.test = changed.test and held.payment_id = ${payment}
   ), session_freed as (
     delete from session_claims held using changed
     where held.merchant_id = ${merchant} and held.session_id = changed.session_id and held.payment_id = ${payment}
   )`,
  taken: (merchant, payment) => `, order_claim as (
     insert into order_claims (merchant_id, order_id, test, payment_id)
     select ${merchant}, changed.order_id, changed.test, ${payment} from changed where changed.alone_in_order
   ), session_claim as (
     insert into session_claims (merchant_id, session_id, payment_id)
     select ${merchant}, changed.session_id, ${payment} from changed where changed.session_id is not null
   )`,
}
