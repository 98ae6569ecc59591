/** Files that are read while they arrive, and answers that take as long as such a file. See decisions/imports#uploads. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AdminRefused } from '../../../../panel/admin-refused.ts'

/** A file that arrives as the body of a request. */
export interface ArrivingFile {
  /** Can be read once. Throws a refusal if it is too large or is cut. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Aborted, with a refusal, if the caller has gone or the file was abandoned. */
  readonly signal: AbortSignal
  /** Ends the work on it and the connection on which it arrives: another request has taken its place. */
  readonly abandon: () => void
}

/**
 * How long an import, whose transaction is open, waits for its sender. A line of 1 Mbit/s suffices for files of any size. See
 * decisions/imports#uploads.
 */
export const patience = {
  /** Without a byte for so long, the sender is taken for gone. */
  silentMs: 60_000,
  /** In all, and a second more for so many bytes. */
  waitingMs: 60_000,
  bytesPerSecond: 100_000,
}
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
    if (!reply.raw.writableFinished) gone.abort(cut())
  })
  if (Number(headers['content-length'] ?? 0) > most) throw tooLarge(most)
  const abandon = (): void => {
    gone.abort(cut())
    // Of a request that has arrived, nothing else ends the connection.
    raw.socket.destroy()
  }
  return { bytes: limitBytes(raw, most), signal: gone.signal, abandon }
}

const cut = (): AdminRefused =>
  new AdminRefused('invalid', { message: 'The upload was cut. Nothing was imported. Send the file again.' })

const tooSlow = (): AdminRefused =>
  new AdminRefused('invalid', {
    message:
      'The connection is too slow. Nothing was imported. Split the file, or import it with "gatehouse settlement import" on a server.',
  })

const tooLarge = (most: number): AdminRefused =>
  new AdminRefused('too_large', {
    message: `The file is larger than ${most / 1_000_000_000} GB. Nothing was imported. Split it.`,
  })

/** The silence of the sender does not include the time for which the reader keeps it waiting. */
export async function* limitBytes(
  source: Readable,
  most: number,
  { silentMs, waitingMs, bytesPerSecond }: typeof patience = patience,
): AsyncGenerator<Uint8Array> {
  const watchSender = (): NodeJS.Timeout => setTimeout(() => source.destroy(), silentMs)
  let size = 0
  let waitedMs = 0
  let since = performance.now()
  let silence = watchSender()
  try {
    // A refusal in the middle leaves the connection open, so that it can be answered.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      clearTimeout(silence)
      size += chunk.length
      waitedMs += performance.now() - since
      if (size > most) throw tooLarge(most)
      if (waitedMs > waitingMs + (size * 1000) / bytesPerSecond) throw tooSlow()
      yield chunk
      since = performance.now()
      silence = watchSender()
    }
  } catch (error) {
    if (error instanceof AdminRefused) throw error
    throw cut()
  } finally {
    clearTimeout(silence)
    // What is not read would stay in the connection, before the next request.
    source.resume()
  }
}

/** True if the whole file has arrived some time ago and the work on it goes on. */
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
