/** Cores of the machine, and which programs may run on them. By `taskset` of Linux. */
import { execFileSync } from 'node:child_process'
import { StartupError } from '#server/process/startup-error.ts'
import { childrenOf } from './processes.ts'

/** Of this process, and so of the programs that it starts. */
export function ownCores(): readonly number[] {
  const [, list = ''] = /:\s*([\d,-]+)\s*$/.exec(taskset('--cpu-list', '--pid', String(process.pid))) ?? []
  return coresIn(list)
}

/** A list as taskset writes it: `0-2,5`. */
export function coresIn(list: string): readonly number[] {
  return list.split(',').flatMap((part) => {
    const [first = Number.NaN, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

/** The program with all its threads and its present children; later children follow it by themselves. */
export function pinTo(cores: readonly number[], pid: number): void {
  for (const one of [pid, ...childrenOf(pid)]) {
    try {
      taskset('--all-tasks', '--cpu-list', '--pid', cores.join(','), String(one))
    } catch (error) {
      // A child may have ended in the meantime.
      if (one === pid) throw error
    }
  }
}

function taskset(...args: readonly string[]): string {
  try {
    return execFileSync('taskset', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw new StartupError(
      'Programs cannot be bound to cores: taskset failed.',
      'Measure on Linux with the package util-linux installed.',
      { cause: error },
    )
  }
}
