/**
 * One POST to an address that a merchant chose, limited in time, in how much of the answer is read, and in where it may connect.
 *
 * Never rejects: every failure is a result, shown to the merchant as the fault of the attempt.
 */
import { Agent, request } from 'undici'
import { AddressRefusedError, type AddressRules, addressGuard } from '../../network/address-guard.ts'

interface CallbackClientOptions {
  readonly addresses: AddressRules
  /** For the whole exchange, from name resolution to the end of the answer. */
  readonly timeoutMs: number
  /** The maximum number of connections to one origin. */
  readonly connections: number
}

export interface CallbackClient {
  post(url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<CallbackReply>
  close(): Promise<void>
}

export interface CallbackReply {
  readonly httpStatus: number | null
  /** The first part of the body. */
  readonly answer: string | null
  readonly fault: string | null
  readonly timedOut: boolean
  readonly durationMs: number
}

const answerBytes = 4096

export function callbackClient({ addresses, timeoutMs, connections }: CallbackClientOptions): CallbackClient {
  const guard = addressGuard(addresses, timeoutMs)
  const dispatcher = new Agent({ connect: guard.connect, connections, allowH2: false })

  const exchange = async (url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { address, authorization } = withoutCredentials(guard.parse(url))
    const sent = authorization === null ? headers : { ...headers, authorization }
    const reply = await request(address, { method: 'POST', headers: sent, body, signal, dispatcher })
    return { httpStatus: reply.statusCode, answer: await readFirstPart(reply.body), fault: null, timedOut: false }
  }

  return {
    async post(url, headers, body) {
      const begun = performance.now()
      const reply = await exchange(url, headers, body).catch(faultOf)
      return { ...reply, durationMs: Math.round(performance.now() - begun) }
    },

    async close() {
      if (!dispatcher.closed) await dispatcher.close()
    },
  }
}

/** `https://name:password@host` means Basic authorization, as in browsers and other webhook senders. */
function withoutCredentials(url: URL): { readonly address: URL; readonly authorization: string | null } {
  if (url.username === '' && url.password === '') return { address: url, authorization: null }
  const pair = `${decodePart(url.username)}:${decodePart(url.password)}`
  const address = new URL(url)
  address.username = ''
  address.password = ''
  return { address, authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Text that is not percent-encoded correctly is used as written. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Leaving the loop closes the connection, so that an endless answer is not read on. */
async function readFirstPart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= answerBytes) break
  }
  const text = Buffer.concat(chunks).subarray(0, answerBytes).toString('utf8')
  // PostgreSQL stores any character but this one.
  return text.replaceAll('\0', '\uFFFD')
}

const timeoutCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

function faultOf(error: unknown): Omit<CallbackReply, 'durationMs'> {
  const none = { httpStatus: null, answer: null }
  if (error instanceof AddressRefusedError) return { ...none, fault: error.message, timedOut: false }

  const { name, code } = namesOf(error)
  if (name === 'TimeoutError' || timeoutCodes.has(code)) return { ...none, fault: 'No answer in time.', timedOut: true }
  return { ...none, fault: `The exchange failed: ${code || name}.`, timedOut: false }
}

function namesOf(error: unknown): { readonly name: string; readonly code: string } {
  if (!(error instanceof Error)) return { name: typeof error, code: '' }
  return { name: error.name, code: 'code' in error && typeof error.code === 'string' ? error.code : '' }
}
