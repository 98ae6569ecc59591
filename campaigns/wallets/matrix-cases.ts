/** What the campaigns that send cases of the wallet matrix share. */
import { openProcessContext, type ProcessContext } from '#server/assembly/process-context.ts'
import { createLog } from '#server/observe/log.ts'
import { readConfig } from '#server/process/config.ts'
import type { Cell } from '../../cli/wallet/matrix-cells.ts'
import type { Outcome } from '../../cli/wallet/matrix-run.ts'
import type { Random } from '../stage/random.ts'
import type { Stage } from '../stage/stage.ts'

/** The context of the command line for the stage's instance. */
export async function instanceOf({ folder, database, sandbox }: Stage): Promise<ProcessContext & AsyncDisposable> {
  const environment = { DATA_DIR: folder, DATABASE_URL: database.url, SANDBOX_URL: sandbox.url, DATABASE_POOL: '4' }
  const base = await openProcessContext(readConfig('all', environment), database.url, createLog({ level: 'error' }))
  return { ...base, [Symbol.asyncDispose]: () => base.pool.end() }
}

export function sampleCells(random: Random, cells: readonly Cell[], count: number): readonly Cell[] {
  const left = [...cells]
  return Array.from({ length: count }, () => left.splice(random.between(0, left.length - 1), 1)).flat()
}

export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  run: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = []
  const waiting = items.entries()
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await run(item, index)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** How many payments a case makes. */
export function paymentsOf({ way, expected }: Cell): number {
  const passes = expected === 'passes' ? 1 : 0
  if (way.kind === 'parallel') return 1
  return ['twice', 'elsewhere first', 'before'].includes(way.kind) ? 1 + passes : passes
}

export const line = ({ cell, expected, actual, http }: Outcome): string => {
  const { number, name, protocol, flow, version } = cell
  return `${number} ${name}, ${protocol}, ${flow} flow, ${version}: ${actual} (${http}) instead of ${expected}`
}
