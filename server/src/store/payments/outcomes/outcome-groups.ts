/**
 * Outcomes of concurrent requests in one statement. Decision 0136.
 *
 * The text is that of a single outcome; its values are columns of a record set instead of parameters. An outcome whose payment has changed
 * matches no row and is reported as stale, without an effect on the others. Only outcomes that write nothing beyond payment, transaction,
 * ledger and callback: no saved card, no payer step, no plan, no limit, no sealed wallet
 * data, no claim.
 */
import type { OutcomeRecord } from '../../../contracts/records.ts'
import { groupValue } from '../../database/insertion.ts'
import { type Pool, query, sql } from '../../database/pool.ts'
import { outcomeParameters, payment, transaction } from './outcome-columns.ts'
import { outcomeText } from './outcome-text.ts'

// biome-ignore format: a table is read in columns.
const types = [
  ['merchant',      'uuid'],
  ['payment',       'uuid'],
  ['version',       'integer'],
  ['transaction',   'uuid'],
  ['at',            'timestamptz'],
  ['currency',      'text'],
  ['from',          'text[]'],
  ['to',            'text[]'],
  ['amounts',       'numeric[]'],
  ['callback',      'uuid'],
  ['url',           'text'],
  ['content type',  'text'],
  ['body',          'text'],
  ['retry seconds', 'integer[]'],
] as const

const names = types.map(([name]) => name)

const columns = [...types, ['paid', 'payments'], ['ended', 'transactions']] as const
const typed = columns.map(([name, type]) => `"${name}" ${type}`).join(', ')
const listed = columns.map(([name]) => `given."${name}"`).join(', ')

// Condition and limit exclude no row. They make the planner expect few rows, so that it uses the keys of payments even if their table was
// nearly empty when it made the plan.
const settleGroup = sql<{ payment: string }, readonly [rows: string, count: number]>(
  'transaction.settle-group',
  outcomeText({
    expressions: `given as materialized (select ${listed} from json_to_recordset($1) as given (${typed})
     where given.version > 0 limit $2)`,
    from: 'from given',
    given: (name) => `given."${name}"`,
    at: (name) => `changed."${name}"`,
    payment: payment.groupText('given.paid'),
    transaction: `update transactions set ${transaction.groupText('changed.ended')}, lease_until = null
     from changed where merchant_id = changed.merchant and payment_id = changed.payment and id = changed."transaction"`,
    returning: `${listed}, payments.callbacks_made`,
    result: 'payment',
  }),
)

/** The ids of the payments whose outcomes were written; the others have changed meanwhile. */
export async function settleTogether(pool: Pool, outcomes: readonly OutcomeRecord[]): Promise<ReadonlySet<string>> {
  const rows = outcomes.map((outcome) => ({
    ...outcomeParameters.row(outcome, names),
    paid: payment.row(outcome),
    ended: transaction.row(outcome),
  }))
  return new Set((await query(pool, settleGroup, [groupValue(rows), rows.length])).map(({ payment: id }) => id))
}
