/**
 * Outcomes of concurrent requests in one statement. See decisions/database#groups.
 *
 * The text is that of a single outcome; its values are columns of a record set instead of parameters. An outcome whose payment has changed
 * matches no row and is reported as stale, without an effect on the others. Only outcomes that write nothing beyond payment, transaction,
 * ledger and callback: no saved card, no payer step, no plan, no limit, no sealed wallet
 * data, no claim.
 */
import type { OutcomeRecord } from '../../../contracts/records.ts'
import { groupRow, groupValue } from '../../database/insertion.ts'
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

// biome-ignore format: a table is read in columns.
const columnTypes: Readonly<Record<string, string>> = {
  status:             'text',
  state:              'text',
  amount_minor:       'numeric',
  authorised_minor:   'numeric',
  captured_minor:     'numeric',
  refunded_minor:     'numeric',
  charged_back_minor: 'numeric',
  financial_day:      'date',
  decline_reason:     'text',
  decline_class:      'text',
  reference:          'text',
  facts:              'jsonb',
  open_transaction:   'uuid',
  ask_at:             'timestamptz',
  ended_at:           'timestamptz',
}

const sumPaid = (column: string): string => `paid ${column}`
const sumEnded = (column: string): string => `ended ${column}`

/** A group that the database refuses is written payment by payment, so that a missing type would only be slow. */
function typeOf(column: string): string {
  const type = columnTypes[column]
  if (type === undefined) throw new Error(`The column ${column} of an outcome has no type.`)
  return type
}

const paidColumns = payment.columns.map((column) => [sumPaid(column), typeOf(column)] as const)
const endedColumns = transaction.columns.map((column) => [sumEnded(column), typeOf(column)] as const)

/** What is written from the changed payment; the payment's own columns are not needed any more then. */
const writtenColumns = [...types, ...endedColumns]
const columns = [...writtenColumns, ...paidColumns]
const typed = columns.map(([name, type]) => `"${name}" ${type}`).join(', ')
const listColumns = (names: readonly (readonly [name: string, type: string])[]): string =>
  names.map(([name]) => `given."${name}"`).join(', ')

// Condition and limit exclude no row. They make the planner expect few rows, so that it uses the keys of payments even if their table was
// nearly empty when it made the plan.
const settleGroup = sql<{ payment: string }, readonly [rows: string, count: number]>(
  'transaction.settle-group',
  outcomeText({
    expressions: `given as materialized (select ${listColumns(columns)} from json_to_recordset($1) as given (${typed})
     where given.version > 0 limit $2)`,
    from: 'from given',
    reference: (name) => `given."${name}"`,
    at: (name) => `changed."${name}"`,
    payment: payment.groupText((column) => `given."${sumPaid(column)}"`),
    transaction: `update transactions set ${transaction.groupText((column) => `changed."${sumEnded(column)}"`)}, lease_until = null
     from changed where merchant_id = changed.merchant and payment_id = changed.payment and id = changed."transaction"`,
    returning: `${listColumns(writtenColumns)}, payments.callbacks_made`,
    result: 'payment',
  }),
)

const rowOf = groupRow<OutcomeRecord>([
  ...outcomeParameters.fields(types.map(([name]) => name)),
  ...payment.fields(sumPaid),
  ...transaction.fields(sumEnded),
])

/** The ids of the payments whose outcomes were written; the others have changed meanwhile. */
export async function settleTogether(pool: Pool, outcomes: readonly OutcomeRecord[]): Promise<ReadonlySet<string>> {
  const rows = await query(pool, settleGroup, [groupValue(outcomes.map(rowOf)), outcomes.length])
  return new Set(rows.map(({ payment: id }) => id))
}
