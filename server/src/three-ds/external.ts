/** A 3DS server of the operator's choice, through the protocol of docs/interface/external-mpi.md. Chapter 50 §7. */
import { z } from 'zod'
import type { Secret } from '#domain/secret.ts'
import type { Log } from '../contracts/ports.ts'
import { afterChallenge, afterRequest, notBegun } from './answer.ts'
import { type LinkOptions, openLink } from './link.ts'
import { messageOf } from './message.ts'
import type { Mpi } from './mpi.ts'

interface ExternalMpiOptions {
  /** The base address of `/authentications` and `/results`. */
  readonly url: string
  readonly token: Secret<string>
  readonly log: Log
  readonly timeoutMs?: number
  /** How to connect, if not every address may be reached. */
  readonly connect?: LinkOptions['connect']
}

export function externalMpi({ url, ...options }: ExternalMpiOptions): Mpi {
  const base = url.replace(/\/+$/, '')
  if (!isConfidential(base))
    throw new Error('The address of the 3DS server must begin with https, because it receives card numbers.')
  const link = openLink({ ...options, url: () => base })
  return {
    authenticate: async (request) => {
      // Without browser data an issuer demands a challenge far more often, so it is collected first.
      if (!request.browser) return { result: 'collect' }
      const answer = await link.ask('/authentications', messageOf(request))
      return afterRequest(answer, (said) => challengeShape.safeParse(said).data?.challenge ?? null)
    },
    readResult: async ({ paymentId, state, fields }) => {
      const { threeDSServerTransID } = state
      if (!threeDSServerTransID) return notBegun
      return afterChallenge(await link.ask('/results', { paymentId, threeDSServerTransID, fields }))
    },
  }
}

function isConfidential(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

const challengeShape = z.object({
  challenge: z.object({
    url: z.url({ protocol: /^https?$/ }),
    method: z.enum(['GET', 'POST']),
    params: z.record(z.string(), z.string()),
    frame: z.boolean().default(false),
  }),
})
