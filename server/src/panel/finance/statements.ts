/** Closes periods with a statement per merchant and currency, and compares the sum of all statements with the ledger. Chapter 70 §3. */

import { changeOf, type Movement, owedOf, sumsOf } from '#domain/pricing/statement.ts'
import { addDays } from '#domain/schedule/day.ts'
import { utcDay } from '#domain/time.ts'
import { extendTimeLimit, inTransaction } from '../../store/database/transaction.ts'
import { accountStore } from '../../store/finance/accounts.ts'
import { lockStatements, type StatementRow, statementStore } from '../../store/finance/statements.ts'
import { readWholeLedger } from '../../store/months/whole-ledger.ts'
import { invalid } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { Actor, AdminContext } from '../context.ts'

/** An outcome is written within seconds of its time; an hour later no entry of a day can still appear. */
const graceMs = 3_600_000

export const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
export const dayAfter = (day: string): string => addDays(day, 1)

/** Refused for a day that is not over. */
export function requireOver({ clock }: Pick<AdminContext, 'clock'>, lastDay: string): void {
  if (startOf(dayAfter(lastDay)).getTime() + graceMs > clock.now().getTime())
    throw invalid('lastDay', 'Enter a day that ended at least an hour ago, in UTC.')
}

/** One statement per currency up to the last day, each from the day after the one before. Currencies that are closed already are skipped. */
export async function closeStatements(
  context: AdminContext,
  actor: Actor,
  merchantId: string,
  lastDay: string,
): Promise<readonly StatementRow[]> {
  requireOver(context, lastDay)
  const { pool, clock, ids } = context
  return await inTransaction(pool, async (client) => {
    await lockStatements(client, merchantId)
    await extendTimeLimit(client)
    const accounts = accountStore(client)
    const store = statementStore(client)
    const latest = new Map((await store.listLatest(merchantId)).map((one) => [one.currency, one]))
    const firstAt = await accounts.findFirstAt(merchantId)
    if (firstAt === null) return []
    // Each closing was of all currencies: one without a statement has no entry before the last.
    const closedUntil = [...latest.values()]
      .map((one) => one.lastDay)
      .toSorted()
      .at(-1)
    const firstOpenDay = closedUntil === undefined ? utcDay(firstAt) : dayAfter(closedUntil)
    const beginnings = new Set([firstOpenDay, ...[...latest.values()].map((one) => dayAfter(one.lastDay))])
    const statements: StatementRow[] = []
    const madeAt = clock.now()
    for (const firstDay of beginnings) {
      if (firstDay > lastDay) continue
      const sums = await accounts.sumMovements(merchantId, startOf(firstDay), startOf(dayAfter(lastDay)))
      const moved = Map.groupBy(sums, ({ currency }) => currency)
      const isDue = (currency: string): boolean => {
        const before = latest.get(currency)
        return (before ? dayAfter(before.lastDay) : firstOpenDay) === firstDay
      }
      for (const currency of new Set([...moved.keys(), ...latest.keys()].filter(isDue))) {
        const period = { merchantId, currency, firstDay, lastDay, id: ids.next(), madeBy: actor.label, madeAt }
        const statement = statementOf(period, latest.get(currency), moved.get(currency) ?? [])
        await store.insert(statement)
        statements.push(statement)
      }
    }
    if (statements.length > 0)
      await note(client, clock, actor, {
        action: 'statement.close',
        subject: `merchant ${merchantId}`,
        merchantId,
        after: statements.map((one) => ({ ...one, madeAt: undefined })).map(textual),
      })
    return statements
  })
}

type Period = Pick<StatementRow, 'merchantId' | 'currency' | 'firstDay' | 'lastDay' | 'id' | 'madeBy' | 'madeAt'>

function statementOf(period: Period, before: StatementRow | undefined, movements: readonly Movement[]): StatementRow {
  const sums = sumsOf(movements)
  const openingMinor = before?.closingMinor ?? 0n
  return {
    ...period,
    ...sums,
    openingMinor,
    closingMinor: openingMinor + changeOf(sums),
    reserveMinor: (before?.reserveMinor ?? 0n) + sums.heldMinor - sums.releasedMinor,
  }
}

const textual = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )

/** What the statements of a merchant add up to, and what its accounts say. */
export interface StatementFault {
  readonly merchantId: string
  readonly currency: string
  readonly lastDay: string
  readonly statementsMinor: bigint
  readonly ledgerMinor: bigint
}

interface StatementComparison {
  readonly checked: number
  readonly faults: readonly StatementFault[]
}

/**
 * Compares what the statements of each merchant add up to with what its accounts say up to the same day. Null while a month of payments is removed,
 * because the ledger does not have all entries then.
 */
export const findStatementFaults = (
  { pool }: Pick<AdminContext, 'pool'>,
  merchantIds: readonly string[] | null,
): Promise<StatementComparison | null> => readWholeLedger(pool, () => compareStatements(pool, merchantIds))

async function compareStatements(
  pool: AdminContext['pool'],
  merchantIds: readonly string[] | null,
): Promise<StatementComparison> {
  const store = statementStore(pool)
  const faults: StatementFault[] = []
  let checked = 0
  for (const merchantId of await store.listMerchants(merchantIds)) {
    const totals = Map.groupBy(await store.listTotals(merchantId), ({ lastDay }) => lastDay)
    for (const [lastDay, ofDay] of totals) {
      const sums = await inTransaction(pool, async (client) => {
        await extendTimeLimit(client)
        return accountStore(client).sumMovements(merchantId, new Date(0), startOf(dayAfter(lastDay)))
      })
      for (const { currency, changeMinor } of ofDay) {
        checked += 1
        const ledgerMinor = owedOf(sums.filter((one) => one.currency === currency))
        if (ledgerMinor !== changeMinor)
          faults.push({ merchantId, currency, lastDay, statementsMinor: changeMinor, ledgerMinor })
      }
    }
  }
  return { checked, faults }
}
