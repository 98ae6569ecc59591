/**
 * One request to the wallet provider's session service: mutual TLS with the merchant's identity pair, limited in time, no redirects, and a
 * retry only if no connection was established. Chapter 40 §16, steps 3 to 6.
 */

import type { KeyObject } from 'node:crypto'
import { Agent, type Dispatcher } from 'undici'
import { errorCode } from '#domain/error-code.ts'
import { isObject, parseJson } from '#domain/json.ts'
import { limits } from '#domain/limits.ts'

export interface SessionQuestion {
  readonly url: string
  /** The CA that identifies the wallet provider; null for the system's authorities. */
  readonly caPem: string | null
  readonly certificatePem: string
  readonly privateKey: KeyObject
  readonly merchantIdentifier: string
  /** Shop Name, or the display name of a platform merchant. */
  readonly displayName: string
  /** The host of the page. */
  readonly domain: string
}

type SessionReply = { readonly ok: true; readonly session: string } | { readonly ok: false; readonly fault: string }

/** Never rejects: every failure is returned as a fault, for the log and the alert. */
export async function askForSession(
  question: SessionQuestion,
  waitMs: number = limits.wallet.sessionWaitMs,
): Promise<SessionReply> {
  const signal = AbortSignal.timeout(waitMs)
  const agent = agentOf(question, waitMs)
  try {
    const reply = await post(question, agent, signal).catch((error: unknown) => {
      if (!isConnectionFailure(error)) throw error
      return post(question, agent, signal)
    })
    return await parseSession(reply)
  } catch (error) {
    return { ok: false, fault: signal.aborted ? 'no answer in time' : reasonOf(error) }
  } finally {
    await agent.destroy()
  }
}

const agentOf = ({ caPem, certificatePem, privateKey }: SessionQuestion, waitMs: number): Agent =>
  new Agent({
    connect: {
      cert: certificatePem,
      key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      ...(caPem === null ? {} : { ca: caPem }),
      minVersion: 'TLSv1.2',
      timeout: waitMs,
    },
    allowH2: false,
  })

function post(question: SessionQuestion, dispatcher: Agent, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { url, merchantIdentifier, displayName, domain } = question
  const body = { merchantIdentifier, displayName, initiative: 'web', initiativeContext: domain }
  const { origin, pathname, search } = new URL(url)
  return dispatcher.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
}

async function parseSession({ statusCode, body }: Dispatcher.ResponseData): Promise<SessionReply> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limits.wallet.sessionBytes) return { ok: false, fault: 'the answer is too long' }
    chunks.push(chunk)
  }
  if (statusCode !== 200) return { ok: false, fault: `it answered ${statusCode}` }
  const session = Buffer.concat(chunks).toString('utf8')
  return isObject(parseJson(session)) ? { ok: true, session } : { ok: false, fault: 'the answer is no object' }
}

/** Without a connection the service cannot have acted. TLS failures are not retried, because they would repeat. */
const connectionFailures: ReadonlySet<string> = new Set(
  'ECONNREFUSED ECONNRESET EPIPE EHOSTUNREACH ENETUNREACH ETIMEDOUT EAI_AGAIN UND_ERR_CONNECT_TIMEOUT UND_ERR_SOCKET'.split(
    ' ',
  ),
)

const isConnectionFailure = (error: unknown): boolean => connectionFailures.has(errorCode(error))

const reasonOf = (error: unknown): string => errorCode(error) || (error instanceof Error ? error.name : 'unknown')
