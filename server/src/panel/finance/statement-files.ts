/** Statements as people read them: with names, and as CSV. Chapter 70 §3. */
import { exponentOf, formatAmount } from '#domain/money/money.ts'
import { bankText } from '#domain/payout/bank-text.ts'
import type { StatementSums } from '#domain/pricing/statement.ts'
import { merchantStore } from '../../store/configuration/merchants.ts'
import { type StatementRow, statementStore } from '../../store/finance/statements.ts'
import type { Grant } from '../access/permissions.ts'
import type { Actor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import { csvLine } from '../reports/csv.ts'
import { scopeOf } from '../reports/dashboard.ts'
import { closeStatements, requireOver } from './statements.ts'

export interface ShownStatement extends StatementRow {
  readonly merchantTitle: string
  readonly decimals: number
}

interface StatementPage {
  readonly merchantId: string | null
  readonly before: string | null
  readonly limit: number
}

export async function listStatementsFor(
  context: PanelContext,
  grant: Grant,
  { merchantId, before, limit }: StatementPage,
): Promise<readonly ShownStatement[]> {
  const rows = await statementStore(context.pool).list(scopeOf(grant, merchantId), before, limit)
  return rows.map((row) => showStatement(context, row))
}

export async function findStatement(
  context: PanelContext,
  merchantId: string,
  id: string,
): Promise<ShownStatement | null> {
  const row = await statementStore(context.pool).find(merchantId, id)
  return row && showStatement(context, row)
}

const showStatement = ({ configuration }: PanelContext, row: StatementRow): ShownStatement => ({
  ...row,
  merchantTitle: configuration.merchant(row.merchantId)?.title ?? row.merchantId,
  decimals: exponentOf(row.currency, configuration.cryptoCurrencies()) ?? 2,
})

/** One merchant after the other, each in a transaction of its own; a second call continues where the first one stopped. */
export async function closeAll(context: PanelContext, actor: Actor, lastDay: string): Promise<number> {
  requireOver(context, lastDay)
  let closed = 0
  for (const { id } of await merchantStore(context.pool).list())
    closed += (await closeStatements(context, actor, id, lastDay)).length
  return closed
}

// biome-ignore format: a table is read in columns.
/** The lines of a statement in the order of reading, with the sign under which each is added up. */
const statementLines: readonly (readonly [name: keyof StatementSums, title: string, sign: 1n | -1n])[] = [
  ['salesMinor',       'Sales',                  1n],
  ['refundsMinor',     'Refunds',               -1n],
  ['chargebacksMinor', 'Chargebacks',           -1n],
  ['payoutsMinor',     'Payouts to payees',     -1n],
  ['feesMinor',        'Fees',                  -1n],
  ['heldMinor',        'Kept in reserve',       -1n],
  ['releasedMinor',    'Released from reserve',  1n],
  ['correctionsMinor', 'Corrections',            1n],
  ['paidOutMinor',     'Paid out',              -1n],
]

/** Opening, the lines with their signs, closing: the lines between add up to the difference. */
export function linesOf(statement: ShownStatement): readonly (readonly [title: string, amount: string])[] {
  const writeAmount = (minor: bigint): string => formatAmount(minor, statement.currency, statement.decimals)
  return [
    ['Opening balance', writeAmount(statement.openingMinor)],
    ...statementLines.map(([name, title, sign]) => [title, writeAmount(sign * statement[name])] as const),
    ['Closing balance', writeAmount(statement.closingMinor)],
  ]
}

export const fileNameOf = ({ merchantTitle, currency, firstDay, lastDay }: ShownStatement, type: string): string =>
  `statement-${bankText(merchantTitle).replaceAll(/[^A-Za-z0-9]+/g, '-')}-${currency}-${firstDay}-${lastDay}.${type}`

export function statementCsv(statement: ShownStatement): { readonly name: string; readonly content: string } {
  const { merchantTitle, currency, firstDay, lastDay, id, reserveMinor, decimals } = statement
  const about = [merchantTitle, firstDay, lastDay, currency]
  const rows = [...linesOf(statement), ['Reserve at the end', formatAmount(reserveMinor, currency, decimals)] as const]
  // An amount is no formula, whatever its sign.
  const lines = rows.map(([title, amount]) => `${csvLine([id, ...about, title]).trimEnd()},${amount}\r\n`)
  return {
    name: fileNameOf(statement, 'csv'),
    content: csvLine(['statement', 'merchant', 'from', 'to', 'currency', 'line', 'amount']) + lines.join(''),
  }
}
