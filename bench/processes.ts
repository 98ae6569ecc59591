/** The resources that a process has used, as counted by the system. Linux only: elsewhere these figures are left out. */
import { readdirSync, readFileSync } from 'node:fs'

/** The system counts in hundredths of a second on every known platform. */
const ticksPerSecond = 100

export const canCount = process.platform === 'linux'

/** Seconds of CPU time, in user and system mode. */
export function cpuSeconds(pid: number): number {
  const [user = 0, system = 0] = timesOf(pid)
  return user + system
}

/** The same for a program with all its children, including those that have ended. */
export function cpuSecondsOfFamily(pid: number): number {
  return [cpuSeconds(pid), endedSecondsOf(pid), ...childrenOf(pid).map(cpuSeconds)].reduce(
    (sum, seconds) => sum + seconds,
    0,
  )
}

/** The same of all children of the process that have ended. */
export function endedSecondsOf(pid: number): number {
  const [, , user = 0, system = 0] = timesOf(pid)
  return user + system
}

/** With its arguments, or the title that it gave itself. */
export const commandOf = (pid: number): string => readIfThere(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()

interface MachineTime {
  /** Seconds of all CPUs together in which anything ran. */
  readonly busy: number
  readonly total: number
}

export function machineTime(): MachineTime {
  const [first = ''] = readIfThere('/proc/stat').split('\n')
  // user, nice, system, idle, waiting for disks, and then interrupts and steal time
  const [user = 0, nice = 0, system = 0, idle = 0, waiting = 0, ...rest] = first.split(/\s+/).slice(1, 9).map(Number)
  const busy = [user, nice, system, ...rest].reduce((sum, ticks) => sum + ticks, 0)
  return { busy: busy / ticksPerSecond, total: (busy + idle + waiting) / ticksPerSecond }
}

export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/status`)) ?? []
  return Number(kilobytes) / 1024
}

/** Own user and system time, then those of ended children; the process name before them may contain spaces. */
function timesOf(pid: number): readonly number[] {
  const text = readIfThere(`/proc/${pid}/stat`)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map((ticks) => Number(ticks) / ticksPerSecond)
}

export function childrenOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const text = readIfThere(`/proc/${entry}/stat`)
    const parent = text.slice(text.lastIndexOf(')') + 2).split(' ')[1]
    return Number(parent) === pid ? [Number(entry)] : []
  })
}

/** The time of a process that has ended is counted by its parent. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
