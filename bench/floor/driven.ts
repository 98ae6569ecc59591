/** Programs that repeat payments directly on the database, and what a payment by them costs. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Stage } from '../../campaigns/stage/stage.ts'
import { canCount, cpuSecondsOfFamily } from '../processes.ts'

const drivenSchema = z.object({
  payments: z.number(),
  /** Payments before the measured time, which the database has worked for as well. */
  warmUp: z.number(),
  seconds: z.number(),
  /** CPU time of the driver itself, in the measured time. */
  cpuSeconds: z.number(),
})

export type Driven = z.infer<typeof drivenSchema>

export interface DrivenRun {
  readonly perSecond: number
  /** Milliseconds of CPU time per payment, of driver and database together; null if the system does not provide it. */
  readonly cpuMs: number | null
}

export async function measureDriver({ database }: Stage, drive: () => Promise<Driven>): Promise<DrivenRun> {
  const server = database.pid() ?? 0
  const before = canCount ? cpuSecondsOfFamily(server) : 0
  const { payments, warmUp, seconds, cpuSeconds } = await drive()
  const used = canCount ? cpuSecondsOfFamily(server) - before : 0
  return {
    perSecond: payments / seconds,
    cpuMs: canCount ? (cpuSeconds / payments + used / (payments + warmUp)) * 1000 : null,
  }
}

/** A driver in Node prints its result as the last line of its output; libraries may have printed others. */
export async function runNodeDriver(
  program: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Driven> {
  const driver = spawn(process.execPath, program, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => driver.once('close', resolve))
  const [said, status] = await Promise.all([text(driver.stdout), ended])
  if (status !== 0) throw new Error(`${program[0]} ended with status ${status}.`)
  return drivenSchema.parse(JSON.parse(said.trim().split('\n').at(-1) ?? ''))
}
