/** The sandbox acquirer as the command line sees it: its address, whether it answers, and its clock. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '#server/process/config.ts'
import { CommandError } from './command-error.ts'

const answerWithinMs = 3000

const demoFile = z.object({ sandbox_url: z.string().nullish() })
const clockAnswer = z.object({ now: z.iso.datetime(), offset_ms: z.number() })

/** Null if unknown. The service writes the address of the acquirer that it started into demo.json. */
export async function findSandboxUrl({ sandboxUrl: configuredUrl, dataDir }: Config): Promise<string | null> {
  if (configuredUrl !== null) return configuredUrl
  try {
    const demo: unknown = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
    return demoFile.safeParse(demo).data?.sandbox_url ?? null
  } catch {
    return null
  }
}

export interface SandboxClock {
  readonly now: Date
  readonly offsetMs: number
}

/** Reads its clock, after advancing it if asked. Rejects if the acquirer does not answer. */
export async function moveSandboxClock(url: string, advanceMs = 0): Promise<SandboxClock> {
  const move = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance_ms: advanceMs }),
  }
  const reply = await fetch(`${url}/clock`, {
    ...(advanceMs > 0 ? move : {}),
    signal: AbortSignal.timeout(answerWithinMs),
  })
  if (!reply.ok) throw new Error(`it answered ${reply.status}`)
  const { now, offset_ms } = clockAnswer.parse(await reply.json())
  return { now: new Date(now), offsetMs: offset_ms }
}

/** `answer` is null if it was not JSON. */
export function readSandboxAnswer<T>(url: string, form: z.ZodType<T>, answer: unknown): T {
  const reading = form.safeParse(answer)
  if (reading.success) return reading.data
  throw new CommandError(
    `The answer of the sandbox acquirer at ${url} cannot be read.`,
    'Another program may use this address: check SANDBOX_URL, and start the service with "npm start".',
  )
}

export async function isSandboxAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerWithinMs) })).ok
  } catch {
    return false
  }
}
