/** The sandbox's MPI service: directory and access-control server of `sandbox/access-control`. Chapter 10 §12. */
import { z } from 'zod'
import type { Log } from '../contracts/ports.ts'
import { afterChallenge, afterRequest, notBegun } from './answer.ts'
import { openLink } from './link.ts'
import { messageOf } from './message.ts'
import type { Mpi } from './mpi.ts'

interface SandboxMpiOptions {
  /** Where the sandbox listens. */
  readonly url: () => string
  /** The address at which browsers reach this service, which serves the sandbox's pages. */
  readonly publicUrl: () => string
  readonly log: Log
  readonly timeoutMs?: number
}

export function sandboxMpi({ publicUrl, ...options }: SandboxMpiOptions): Mpi {
  const link = openLink({ ...options, token: null })
  return {
    authenticate: async (request) => {
      const answer = await link.ask('/3ds/authentications', messageOf(request))
      return afterRequest(answer, (reply) => {
        const challenge = challengeShape.safeParse(reply).data
        if (challenge === undefined) return null
        const params = { PaReq: challenge.pareq, MD: request.paymentId, TermUrl: request.returnUrl }
        return { url: `${publicUrl()}/sandbox/acs`, method: 'POST', params, frame: challenge.frame }
      })
    },
    readResult: async ({ state, fields }) => {
      const { threeDSServerTransID } = state
      if (!threeDSServerTransID) return notBegun
      // A browser that posts the field was at the page, or a test stands in for the payer; a missing field counts as a failure.
      return afterChallenge(await link.ask('/3ds/results', { threeDSServerTransID, pares: fields['PaRes'] ?? '' }))
    },
  }
}

const challengeShape = z.object({ pareq: z.string().min(1), frame: z.boolean().default(false) })
