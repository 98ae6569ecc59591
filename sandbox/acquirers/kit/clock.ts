/**
 * The time of the stand-ins: the machine's, moved forward by tests that move the gateway's clock. Signatures of notifications carry it, and a
 * gateway whose clock is minutes ahead would refuse them as too old. The offset is stored, since a company's clock outlives its processes.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '#domain/json.ts'
import { failure, type Reply } from '../../kit/reply.ts'
import type { Call } from '../../kit/routes.ts'

let offsetMs = 0

export const now = (): Date => new Date(Date.now() + offsetMs)

const fileIn = (folder: string): string => join(folder, 'clock')

/** Called once by the program that has opened the folder. */
export async function readClock(folder: string): Promise<void> {
  const stored = Number(await readFile(fileIn(folder), 'utf8').catch(() => '0'))
  if (stored > offsetMs) offsetMs = stored
}

/** `POST /clock` with `{"advance_ms": 60000}`, as at the sandbox acquirer. */
export async function advanceClock(folder: string, { body }: Pick<Call, 'body'>): Promise<Reply> {
  const ms = isObject(body) ? body.advance_ms : undefined
  if (typeof ms !== 'number' || !Number.isSafeInteger(ms) || ms < 0)
    return failure(400, 'invalid_request', 'Give advance_ms, 0 or more.')
  offsetMs += ms
  await writeFile(fileIn(folder), String(offsetMs))
  return { status: 200, body: { now: now().toISOString() } }
}
