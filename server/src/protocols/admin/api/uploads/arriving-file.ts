/** Files that are read while they arrive, and answers that take as long as such a file. Decision 0274. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AdminRefused } from '../../../../panel/admin-refused.ts'

/** A file that arrives as the body of a request. */
export interface ArrivingFile {
  /** Can be read once. Throws a refusal if it is too large or is cut. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Aborted if the caller has gone. */
  readonly signal: AbortSignal
  /** Ends the connection on which it arrives. */
  readonly abandon: () => void
}

/** Without a byte for so long, the sender is taken for gone. */
const silenceMs = 60_000
/** A proxy waits for an answer for a minute or so. */
const slowMs = 10_000
const spaceEveryMs = 5000

export const isFile = (body: unknown): body is Readable => body instanceof Readable

/** Null if the body is none. */
export function arrivingFile(
  { body, headers, raw }: FastifyRequest,
  reply: FastifyReply,
  most: number,
): ArrivingFile | null {
  if (!isFile(body)) return null
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most)
  return { bytes: limitBytes(raw, most), signal: gone.signal, abandon: () => raw.destroy() }
}

const tooLarge = (most: number): AdminRefused =>
  new AdminRefused('too_large', {
    message: `The file is larger than ${Math.floor(most / 1_000_000)} MB. Nothing was imported. Split it.`,
  })

/** The silence of the sender does not include the time for which the reader keeps it waiting. */
export async function* limitBytes(
  source: Readable,
  most: number,
  silentMs: number = silenceMs,
): AsyncGenerator<Uint8Array> {
  const watchSender = (): NodeJS.Timeout => setTimeout(() => source.destroy(), silentMs)
  let size = 0
  let silence = watchSender()
  try {
    // A refusal in the middle leaves the connection open, so that it can be answered.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      clearTimeout(silence)
      size += chunk.length
      if (size > most) throw tooLarge(most)
      yield chunk
      silence = watchSender()
    }
  } catch (error) {
    if (error instanceof AdminRefused) throw error
    throw new AdminRefused('invalid', { message: 'The upload was cut. Nothing was imported. Send the file again.' })
  } finally {
    clearTimeout(silence)
    // What is not read would stay in the connection, before the next request.
    source.resume()
  }
}

/** Whether the whole file has arrived some time ago and the work on it goes on. */
export async function waitUntilSlow(source: IncomingMessage, work: Promise<unknown>): Promise<boolean> {
  const settled = work.then(
    () => false,
    () => false,
  )
  const arrived = new Promise((resolve) => (source.complete ? resolve(null) : source.once('end', resolve)))
  return Promise.race([settled, arrived.then(() => sleep(slowMs, true, { ref: false }))])
}

export async function* streamSpacesUntil(text: Promise<string>, everyMs = spaceEveryMs): AsyncGenerator<string> {
  for (;;) {
    const found = await Promise.race([text, sleep(everyMs, null, { ref: false })])
    yield found ?? ' '
    if (found !== null) return
  }
}
