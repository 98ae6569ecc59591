/**
 * The statement of an outcome: payment, transaction, ledger and callback change together or not at all.
 *
 * One text serves a single outcome, whose values are parameters, and a group, whose values are the columns of a record set.
 */
import type { OutcomeParameterName } from './outcome-columns.ts'

interface OutcomeText {
  /** Table expressions before the payment changes. */
  readonly expressions?: string | undefined
  readonly from?: string
  /** A value where the payment changes, and where the rest is written from the changed payment. */
  readonly reference: (name: OutcomeParameterName) => string
  readonly at: (name: OutcomeParameterName) => string
  /** What changes in the payment. */
  readonly payment: string
  readonly condition?: string | undefined
  readonly returning: string
  /** Writes the transaction. */
  readonly transaction: string
  /** Further table expressions. */
  readonly more?: string
  /** The column of the changed payment that is returned. */
  readonly result: string
}

export const outcomeText = ({ reference, at, ...parts }: OutcomeText): string =>
  `with ${parts.expressions ? `${parts.expressions}, ` : ''}changed as (
     update payments set version = payments.version + 1, ${parts.payment}, updated_at = ${reference('at')},
       callbacks_made = payments.callbacks_made + (case when ${reference('callback')}::uuid is null then 0 else 1 end)
     ${parts.from ?? ''}
     where payments.merchant_id = ${reference('merchant')} and payments.id = ${reference('payment')}
       and payments.version = ${reference('version')}${parts.condition ? ` and ${parts.condition}` : ''}
     returning ${parts.returning}
   ), ended as (
     ${parts.transaction}
   ), entries as (
     insert into ledger_entries (merchant_id, payment_id, transaction_id, position, from_account, to_account, currency, amount_minor, at)
     select ${at('merchant')}, ${at('payment')}, ${at('transaction')}, entry.position, entry.from_account, entry.to_account,
       ${at('currency')}, entry.amount, ${at('at')}
     from changed, unnest(${at('from')}::text[], ${at('to')}::text[], ${at('amounts')}::numeric[])
       with ordinality as entry (from_account, to_account, amount, position)
   ), callback as (
     insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, retry_seconds,
       next_at, created_at)
     select ${at('merchant')}, ${at('payment')}, changed.callbacks_made, ${at('callback')}, ${at('transaction')}, ${at('url')},
       ${at('content type')}, ${at('body')}, 'due', ${at('retry seconds')}, ${at('at')}, ${at('at')}
     from changed where ${at('callback')}::uuid is not null
   )${parts.more ?? ''}
   select ${parts.result} from changed`
