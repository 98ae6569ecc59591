/**
 * The connection to a 3DS server: JSON request and answer, limited in time and length.
 *
 * Nothing is sent twice and no redirect is followed. Every failure is "no answer", and the log describes it without any part of the bodies
 * or the token, because they contain card numbers and proofs.
 */

import { Agent, type buildConnector } from 'undici'
import { errorCode } from '#domain/error-code.ts'
import type { Secret } from '#domain/secret.ts'
import type { Log } from '../contracts/ports.ts'

export interface LinkOptions {
  /** The server's current address, without a trailing slash. */
  readonly url: () => string
  readonly token: Secret<string> | null
  /** For the whole exchange. The merchant also waits for the acquirer, so it is shorter than that timeout. */
  readonly timeoutMs?: number
  /** How to connect, if not every address may be reached. */
  readonly connect?: buildConnector.connector | undefined
  readonly log: Log
}

interface Link {
  /** The parsed answer; null if there was none that can be read. Never rejects. */
  ask(path: string, body: object): Promise<unknown>
}

const usualTimeoutMs = 10_000
const longestAnswerBytes = 65_536

export function openLink({ url, token, timeoutMs = usualTimeoutMs, connect, log }: LinkOptions): Link {
  const dispatcher = new Agent({
    connections: 64,
    connect: connect ?? { timeout: Math.min(timeoutMs, 3_000) },
    allowH2: false,
  })
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(token && { authorization: `Bearer ${token.reveal()}` }),
  }

  const exchange = async (path: string, body: object): Promise<unknown> => {
    const { origin, pathname, search } = new URL(url() + path)
    const reply = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await readBody(reply.body)
    if (reply.statusCode !== 200) throw new LinkFault(`It answered ${reply.statusCode}.`)
    return parseJson(text)
  }

  return {
    ask: async (path, body) => {
      try {
        return await exchange(path, body)
      } catch (error) {
        log.warn({ fault: faultOf(error) }, 'A 3DS server gave an invalid answer.')
        return null
      }
    },
  }
}

/** Its text is our own and may be logged; other errors may quote what was sent. */
class LinkFault extends Error {}

async function readBody(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > longestAnswerBytes) throw new LinkFault('Its answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new LinkFault('Its answer is not JSON.')
  }
}

function faultOf(error: unknown): string {
  if (error instanceof LinkFault) return error.message
  if (!(error instanceof Error)) return 'The exchange failed.'
  return `The exchange failed: ${errorCode(error) || error.name}.`
}
