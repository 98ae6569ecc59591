/** How many processes `--processes auto` starts. */
import { availableParallelism } from 'node:os'
import type { Role } from './config.ts'
import { memoryLimit, shareOf } from './memory-guard.ts'

interface Machine {
  /** Those that this process may use, with the quota of its container. */
  readonly processors: number
  /** Of the container or the unit; null if there is none. */
  readonly memoryLimit: number | null
}

export const mostProcesses = 128

/** What `gatehouse doctor` recommends for a process. */
const usualProcessBytes = 400 * 2 ** 20

/** One per processor, and no more than the memory limit holds with the worker of the role `all`; always one. */
export function automaticProcesses(role: Role, machine: Machine = thisMachine()): number {
  const { processors, memoryLimit: limit } = machine
  let count = Math.min(processors, mostProcesses)
  const workers = role === 'all' ? 1 : 0
  while (count > 1 && limit !== null && shareOf(limit, count + workers) < usualProcessBytes) count -= 1
  return count
}

const thisMachine = (): Machine => ({ processors: availableParallelism(), memoryLimit: memoryLimit() })
