/** Sends requests to any running api process of a stage. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from './merchant.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'

export type Ask = (url: string) => Promise<Reply>

/** A minute, in which every killed process is back. */
const tries = 1200
const pauseMs = 50

/**
 * A request that was not sent goes to another process, because nothing can have happened; one that may have been received is never
 * repeated.
 */
export async function askAnyApi({ apis }: Pick<Stage, 'apis'>, random: Random, ask: Ask): Promise<Reply> {
  for (let count = 0; count < tries; count += 1) {
    const running = apis.filter(({ isRunning, url }) => isRunning && url !== '')
    const api = running[random.between(0, running.length - 1)]
    const reply = api && (await ask(api.url))
    if (reply && (reply.answered || reply.sent)) return reply
    await sleep(pauseMs)
  }
  throw new Error('No gateway process could be reached.')
}
