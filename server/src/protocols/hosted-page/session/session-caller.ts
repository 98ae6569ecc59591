/** Who stands behind the header `Token`: the only proof that a browser or a merchant's server has. Chapter 30 §1.1, §7.10, §8.4. */
import type { FastifyRequest } from 'fastify'
import { errors, type Refusal } from '#domain/errors.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'

type Parts = Pick<HostedPageParts, 'tokens' | 'operations'>

/** The session of the header, with what became of it; refused when there is none of the kind. */
export async function callerOf(
  parts: Parts,
  request: FastifyRequest,
  kinds: readonly SessionRecord['kind'][],
  refusal: Refusal = errors.sessionTokenInvalid,
): Promise<SessionContext> {
  const { token } = request.headers
  const context = typeof token === 'string' ? await findContext(parts, token) : null
  if (!context || !kinds.includes(context.session.kind)) throw new RefusedError(refusal)
  noteRequest(request, { merchantId: context.merchant.id })
  return context
}

/** Null for what we did not sign, for a session that is gone, and for one whose merchant takes no payments any more. */
export async function findContext({ tokens, operations }: Parts, token: string): Promise<SessionContext | null> {
  const id = await tokens.read(token.trim())
  const session = id === null ? null : await operations.payerSessions.find(id)
  return session && operations.payerSessions.load(session)
}
