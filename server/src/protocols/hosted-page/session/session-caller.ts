/** Authenticates by the header `Token`, the only credential of a browser and of a merchant's server here. Chapter 30 §1.1, §7.10, §8.4. */
import type { FastifyRequest } from 'fastify'
import { errors, type Refusal } from '#domain/errors.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'

type Parts = Pick<HostedPageParts, 'tokens' | 'operations'>

/** The session of the token, with its state; refuses a session of another kind. */
export async function requireCaller(
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

/** Null for a token that we did not sign, a deleted session, and a merchant that is blocked or has no Checkout mapping. */
export async function findContext({ tokens, operations }: Parts, token: string): Promise<SessionContext | null> {
  const id = await tokens.read(token.trim())
  const session = id === null ? null : await operations.payerSessions.find(id)
  return session && operations.payerSessions.load(session)
}
