import { Agent } from 'undici'
import { limits } from '#domain/limits.ts'
import { networkReason } from '../../kit/network-reason.ts'
import type { ReceivedCallback } from '../../signing/examiner.ts'
import type { Answer } from './listen-report.ts'

const connectionHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect'])

const agent = new Agent()

/** Body and headers go on unchanged, so that the merchant's program can verify them itself. A failed request becomes the answer. */
export async function forwardCallback(url: string, { headers, body }: ReceivedCallback): Promise<Answer> {
  const passedOn = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name))
  try {
    // Not `fetch`: it refuses some ports that programs under development use.
    const { origin, pathname, search } = new URL(url)
    const reply = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: Object.fromEntries(passedOn),
      body,
      signal: AbortSignal.timeout(limits.callback.timeoutMs),
    })
    return { status: reply.statusCode, body: await reply.body.text() }
  } catch (error) {
    return { status: 502, body: `ERROR: ${url} did not answer: ${networkReason(error)}` }
  }
}
