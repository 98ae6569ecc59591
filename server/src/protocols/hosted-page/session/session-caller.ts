/** Authenticates by the header `Token`, the only credential of a browser and of a merchant's server here. Chapter 30 §1.1, §7.10, §8.4. */
import type { FastifyRequest } from 'fastify'
import { errors, type Refusal } from '#domain/errors.ts'
import { RefusedError } from '../../../contracts/refused-error.ts'
import type { SessionTokenUse } from '../../../contracts/session-ports.ts'
import type { SessionRecord } from '../../../contracts/session-records.ts'
import { noteRequest } from '../../../observe/requests.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { HostedPageParts } from '../parts.ts'

type Parts = Pick<HostedPageParts, 'tokens' | 'operations'>

interface Wanted {
  readonly kinds: readonly SessionRecord['kind'][]
  /** Uses of a token that suffice; by default only that of the session's own token. */
  readonly uses?: readonly SessionTokenUse[]
  readonly refusal?: Refusal
}

/** The session of the token, with its state; refuses a session of another kind and a token that permits too little. */
export async function requireCaller(
  parts: Parts,
  request: FastifyRequest,
  { kinds, uses = ['session'], refusal = errors.sessionTokenInvalid }: Wanted,
): Promise<SessionContext> {
  const { token } = request.headers
  const context = typeof token === 'string' ? await findContext(parts, token, uses) : null
  if (!context || !kinds.includes(context.session.kind)) throw new RefusedError(refusal)
  noteRequest(request, { merchantId: context.merchant.id })
  return context
}

/** Null for a token that we did not sign, a deleted session, and a merchant that is blocked or has no Checkout mapping. */
export async function findContext(
  { tokens, operations: { payerSessions } }: Parts,
  token: string,
  uses: readonly SessionTokenUse[] = ['session'],
): Promise<SessionContext | null> {
  const read = await tokens.read(token.trim())
  if (!read || !uses.includes(read.use)) return null
  const session = await payerSessions.find(read.sessionId, read.visitorAmount)
  return session && payerSessions.load(session)
}
