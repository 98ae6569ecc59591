/**
 * Splits a coming month off the part that would receive it, in every table: usually the last part, which has no end. See
 * decisions/months#the-last-part-has-no-end and decisions/months#any-part.
 *
 * If that part has rows, a constraint proves first that all are before the month; it is validated while payments continue. The bounds
 * are then changed in one short transaction, which gives up rather than let payments wait for its locks. A failure at any point leaves the
 * parts as they were.
 */
import { DatabaseError } from 'pg'
import type { Pool } from '../database/pool.ts'
import { boundText, lowestId, suffixOf } from './month-bounds.ts'
import { monthTables, partOf } from './month-tables.ts'
import type { Part } from './parts.ts'
import { busyCodes, runShortly } from './short-locks.ts'

/** `rows beyond`: the part has rows of that month or later already. `busy`: its locks were not free. */
export type SplitResult = 'split' | 'rows beyond' | 'busy'

interface Split {
  /** The part in which the month is now. */
  readonly part: Part
  readonly month: Date
  readonly isDistributed: boolean
}

const proof = 'before_next_part'
const tables = monthTables.map(({ table }) => table)

export async function splitOff(pool: Pool, split: Split): Promise<SplitResult> {
  const { part, month, isDistributed } = split
  const runBriefly: Shortly = (texts) => runShortly(pool, texts, isDistributed)
  try {
    await removeProofs(pool, part, runBriefly)
    for (const { table, key } of monthTables)
      await prove(pool, partOf(table, part.suffix), conditionOf(part, month, key), runBriefly)
    await runBriefly(boundChanges(split))
    return 'split'
  } catch (error) {
    const result = resultOf(error)
    // A constraint that stayed would refuse the payments of the month.
    await removeProofs(pool, part, runBriefly).catch(() => undefined)
    if (result === null) throw error
    return result
  }
}

const violatedCheck = '23514'

function resultOf(error: unknown): SplitResult | null {
  const code = error instanceof DatabaseError ? (error.code ?? '') : ''
  if (code === violatedCheck) return 'rows beyond'
  return busyCodes.includes(code) ? 'busy' : null
}

const conditionOf = ({ from }: Part, month: Date, key: string): string =>
  [...(from === null ? [] : [`${key} >= '${lowestId(from)}'`]), `${key} < '${lowestId(month)}'`].join(' and ')

type Shortly = (texts: readonly string[]) => Promise<unknown>

/** A part without rows needs no proof. */
async function prove(pool: Pool, part: string, condition: string, shortly: Shortly): Promise<void> {
  const { rowCount } = await pool.query(`select 1 from ${part} limit 1`)
  if (rowCount === 0) return
  await shortly([`alter table ${part} add constraint ${proof} check (${condition}) not valid`])
  await shortly([`alter table ${part} validate constraint ${proof}`])
}

/** Left behind by a process that died. */
async function removeProofs(pool: Pool, { suffix }: Part, shortly: Shortly): Promise<void> {
  const parts = tables.map((table) => partOf(table, suffix))
  const { rows } = await pool.query<{ part: string }>(
    'select conrelid::regclass::text as part from pg_constraint where conname = $1 and conrelid = any($2::text[]::regclass[])',
    [proof, parts],
  )
  for (const { part } of rows) await shortly([`alter table ${part} drop constraint if exists ${proof}`])
}

/** In a distributed database parts have no keys between them (decisions/months#keys-within-a-month), and attaching an empty table distributes it. */
export function boundChanges({ part, month, isDistributed }: Split): readonly string[] {
  const suffix = suffixOf(month)
  const creations = monthTables.flatMap(({ table, refersTo, fillFactor, analyseFraction, unanalysed = [] }) => [
    `create table ${partOf(table, suffix)} (like public.${table} including all)`,
    ...(fillFactor !== undefined && !isDistributed
      ? [`alter table ${partOf(table, suffix)} set (fillfactor = ${fillFactor})`]
      : []),
    ...(analyseFraction !== undefined && !isDistributed
      ? [`alter table ${partOf(table, suffix)} set (autovacuum_analyze_scale_factor = ${analyseFraction})`]
      : []),
    ...(isDistributed ? [] : unanalysed).map(
      (column) => `alter table ${partOf(table, suffix)} alter column ${column} set statistics 0`,
    ),
    ...(refersTo && !isDistributed
      ? [
          `alter table ${partOf(table, suffix)} add constraint ${refersTo.name}
           foreign key (${refersTo.columns}) references ${partOf(refersTo.table, suffix)} (${refersTo.target})`,
        ]
      : []),
  ])
  const changes = tables.flatMap((table) => [
    `alter table ${table} detach partition ${partOf(table, part.suffix)}`,
    `alter table ${table} attach partition ${partOf(table, part.suffix)} ${boundText({ from: part.from, to: month })}`,
    `alter table ${table} attach partition ${partOf(table, suffix)} ${boundText({ from: month, to: part.to })}`,
    `alter table ${partOf(table, part.suffix)} drop constraint if exists ${proof}`,
  ])
  return [...creations, `lock table ${tables.join(', ')} in access exclusive mode`, ...changes]
}
