/**
 * Re-authentication: a signed-in user proves the identity again before a card number or a secret is shown, and before rights and second
 * factors change. A sign-in counts as such a proof for its first minutes, one at an identity provider from the moment at which the user
 * authenticated there. The API calls it `step_up`; a step-up of payments is another thing,
 * the 3-D Secure authentication after a soft decline.
 *
 * A user with a second factor must use it. The password is accepted only from a user without one, who in a live instance can do nothing but
 * set one up.
 */
import type { Secret } from '#domain/secret.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { type AdminSessionRow, adminSessionStore, type ProofMethod } from '../../store/people/admin-sessions.ts'
import type { UserRow } from '../../store/people/users.ts'
import { AdminRefused } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { SignInContext } from '../context.ts'
import type { OwnAccount } from './own-account.ts'
import { type PasskeyAnswer, requirePasskey, type Site } from './passkeys.ts'
import { hasSecondFactor } from './second-factor.ts'
import { requireCode, requirePassword } from './sign-in.ts'

const freshMs = 5 * 60_000

/** Null: it is not known when. */
export const isFreshProof = (msAgo: number | null): boolean => msAgo !== null && msAgo <= freshMs

export type Proof =
  | { readonly by: 'password'; readonly password: Secret<string> }
  | { readonly by: 'totp'; readonly code: string }
  | { readonly by: 'passkey'; readonly answer: PasskeyAnswer }

/** The proofs that a user can give. */
export function proofsOf(user: UserRow): readonly Exclude<ProofMethod, 'recovery'>[] {
  // By a new sign-in there.
  if (user.ssoSubject !== null) return ['sso']
  return hasSecondFactor(user)
    ? [...(user.totpEnabledAt === null ? [] : ['totp' as const]), ...(user.passkeys > 0 ? ['passkey' as const] : [])]
    : ['password']
}

export function requireFreshProof(
  { machine }: SignInContext,
  user: UserRow,
  { provenAt, provenBy }: Pick<AdminSessionRow, 'provenAt' | 'provenBy'>,
): void {
  const msAgo = provenAt === null ? null : machine.now().getTime() - provenAt.getTime()
  if (!isFreshProof(msAgo) || provenBy === null || !suffices(user, provenBy)) throw new AdminRefused('step_up_required')
}

/** A sign-in by a recovery code is a proof for its first minutes, so that the lost device can be replaced. */
const suffices = (user: UserRow, by: ProofMethod): boolean =>
  by === 'recovery' ? hasSecondFactor(user) : proofsOf(user).includes(by)

export async function prove(context: SignInContext, own: OwnAccount, proof: Proof, site: Site): Promise<void> {
  const { user, sessionId, visitor } = own
  if (!proofsOf(user).includes(proof.by))
    throw new AdminRefused('refused', { message: `A ${proof.by} is not sufficient here. Use your second factor.` })
  if (proof.by === 'password') await requirePassword(context, user, proof.password, visitor)
  if (proof.by === 'totp') await requireCode(context, user, proof.code, visitor)
  if (proof.by === 'passkey') await requirePasskey(context, own, proof.answer, site)
  await inTransaction(context.pool, async (client) => {
    await adminSessionStore(client).prove(sessionId, context.machine.now(), proof.by)
    const about = { action: 'session.prove', subject: `user ${user.id}`, merchantId: null }
    await note(
      client,
      context.clock,
      { label: user.email, address: visitor.address },
      { ...about, after: { by: proof.by } },
    )
  })
}
