/** Passkeys (WebAuthn): registration in a session, sign-in without password and code, and proof of identity in a session. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { inTransaction } from '../../store/database/transaction.ts'
import { adminSessionStore } from '../../store/people/admin-sessions.ts'
import { challengeStore, type PasskeyRow, passkeyStore } from '../../store/people/passkeys.ts'
import { type UserRow, userStore } from '../../store/people/users.ts'
import { AdminRefused, invalid, notFound } from '../admin-refused.ts'
import { note } from '../audit/audit.ts'
import type { AdminContext, SignInContext, Visitor } from '../context.ts'
import { countAttempt, forgiveAttempts } from './attempts.ts'
import type { OwnAccount } from './own-account.ts'
import { noteRefused } from './refused-sign-ins.ts'
import { hasSecondFactor, needsSecondFactor } from './second-factor.ts'
import { completeSignIn, type SignInResult } from './sign-in.ts'

/** Loaded at the first use: it has 250 files, a fifth of the time that a process needs to start, and most processes serve no panel. */
const loadWebauthn = () => import('@simplewebauthn/server')

const challengeMs = 5 * 60_000
const mostPasskeys = 20
/** Limits the unanswered challenges per network: each is a row, and requesting one needs no account. */
const mostOpenChallenges = 30

/** Where browsers reach the panel: a passkey is bound to its host. */
export interface Site {
  readonly origin: string
  readonly host: string
}

interface PasskeyChallenge<Options> {
  /** To be sent back with the answer. */
  readonly challengeId: string
  readonly options: Options
}

export interface PasskeyAnswer {
  readonly challengeId: string
  readonly response: AuthenticationResponseJSON
}

export async function beginRegistration(
  context: AdminContext,
  { user, visitor }: OwnAccount,
  { host }: Site,
): Promise<PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>> {
  const present = await passkeyStore(context.pool).list(user.id)
  if (present.length >= mostPasskeys) throw invalid('passkey', `You can have at most ${mostPasskeys} passkeys.`)
  const { generateRegistrationOptions } = await loadWebauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: 'none',
    // ES256, EdDSA, RS256: every authenticator supports one of them.
    supportedAlgorithmIDs: [-7, -8, -257],
    excludeCredentials: present.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challengeId: await storeChallenge(context, options.challenge, user.id, visitor), options }
}

interface NewPasskey {
  readonly challengeId: string
  readonly name: string
  readonly response: RegistrationResponseJSON
}

export async function registerPasskey(
  context: AdminContext,
  own: OwnAccount,
  answer: NewPasskey,
  site: Site,
): Promise<PasskeyRow> {
  const { user, visitor } = own
  const expectedChallenge = await takeChallenge(context, answer.challengeId, user.id)
  const { verifyRegistrationResponse } = await loadWebauthn()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: answer.response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: true,
  }).catch(notVerified)
  if (!verified || registrationInfo === undefined) throw invalid('response', 'The passkey could not be verified.')
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  const passkey: PasskeyRow = {
    userId: user.id,
    id,
    publicKey: Buffer.from(publicKey),
    counter: BigInt(counter),
    transports,
    name: answer.name,
    createdAt: context.machine.now(),
    usedAt: null,
  }
  await inTransaction(context.pool, async (client) => {
    if (!(await passkeyStore(client).add(passkey))) throw invalid('response', 'This passkey is already registered.')
    await adminSessionStore(client).raise(own.sessionId, 'passkey', context.machine.now(), 'passkey')
    // Sessions from before the first second factor were opened with the password alone.
    if (!hasSecondFactor(user)) await adminSessionStore(client).removeOthers(user.id, own.sessionId)
    await note(
      client,
      context.clock,
      { label: user.email, address: visitor.address },
      { action: 'user.add-passkey', subject: `user ${user.id}`, merchantId: null, after: { name: passkey.name } },
    )
  })
  return passkey
}

export const listPasskeys = ({ pool }: AdminContext, userId: string): Promise<readonly PasskeyRow[]> =>
  passkeyStore(pool).list(userId)

export async function removePasskey({ pool, rules }: SignInContext, user: UserRow, id: string): Promise<PasskeyRow> {
  if (user.passkeys === 1 && user.totpEnabledAt === null && needsSecondFactor(rules, user))
    throw new AdminRefused('conflict', { message: 'This is your only second factor. Set up another one first.' })
  const removed = await passkeyStore(pool).remove(user.id, id)
  if (removed === null) throw notFound()
  return removed
}

/** Names no user and no passkey: the browser offers what it has, and the answer reveals no account. */
export async function beginPasskeySignIn(
  context: AdminContext,
  { host }: Site,
  visitor: Visitor,
): Promise<PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await loadWebauthn()
  const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' })
  return { challengeId: await storeChallenge(context, options.challenge, null, visitor), options }
}

export async function signInWithPasskey(
  context: SignInContext,
  answer: PasskeyAnswer,
  site: Site,
  visitor: Visitor,
): Promise<SignInResult> {
  const expectedChallenge = await takeChallenge(context, answer.challengeId, null)
  const passkey = await passkeyStore(context.pool).find(answer.response.id)
  const user = passkey && (await userStore(context.pool).find(passkey.userId))
  const isProven =
    user?.status === 'active' &&
    user.ssoSubject === null &&
    (await isVerified(context, passkey, { expectedChallenge, response: answer.response, site }))
  if (user === null || !isProven) throw await recordWrongPasskey(context, visitor, user?.id ?? null)
  return completeSignIn(context, user, { method: 'passkey', provenMsAgo: 0 }, visitor)
}

/** Restricted to the passkeys of the session's user. */
export async function beginPasskeyProof(
  context: AdminContext,
  { user, visitor }: OwnAccount,
  { host }: Site,
): Promise<PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>> {
  const present = await passkeyStore(context.pool).list(user.id)
  const allowCredentials = present.map(({ id }) => ({ id }))
  const { generateAuthenticationOptions } = await loadWebauthn()
  const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required', allowCredentials })
  return { challengeId: await storeChallenge(context, options.challenge, user.id, visitor), options }
}

/** Counted like a sign-in. */
export async function requirePasskey(
  context: SignInContext,
  { user, visitor }: OwnAccount,
  answer: PasskeyAnswer,
  site: Site,
): Promise<void> {
  const attempt = await countAttempt(context, user.email, visitor)
  const expectedChallenge = await takeChallenge(context, answer.challengeId, user.id)
  const passkey = await passkeyStore(context.pool).find(answer.response.id)
  const isOwn = passkey?.userId === user.id
  if (!isOwn || !(await isVerified(context, passkey, { expectedChallenge, response: answer.response, site }))) {
    const { lockedUntil } = attempt
    await noteRefused(context, visitor, { userId: user.id, reason: 'wrong passkey', lockedUntil, by: user.email })
    throw new AdminRefused('wrong_credentials')
  }
  await forgiveAttempts(context, attempt)
}

interface Assertion {
  readonly expectedChallenge: string
  readonly response: AuthenticationResponseJSON
  readonly site: Site
}

async function isVerified(
  context: AdminContext,
  passkey: PasskeyRow | null,
  { expectedChallenge, response, site }: Assertion,
): Promise<boolean> {
  if (passkey === null) return false
  const { verifyAuthenticationResponse } = await loadWebauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    requireUserVerification: true,
  }).catch(notVerified)
  const counter = BigInt(authenticationInfo?.newCounter ?? 0)
  return verified && (await passkeyStore(context.pool).use(passkey.id, counter, context.machine.now()))
}

async function recordWrongPasskey(
  context: AdminContext,
  visitor: Visitor,
  userId: string | null,
): Promise<AdminRefused> {
  await noteRefused(context, visitor, { userId, reason: 'wrong passkey' })
  return new AdminRefused('wrong_credentials')
}

/** The library throws for invalid input; its messages are not for the caller. */
const notVerified = (): { verified: false; registrationInfo?: never; authenticationInfo?: never } => ({
  verified: false,
})

async function storeChallenge(context: AdminContext, challenge: string, userId: string | null, { network }: Visitor) {
  const { pool, machine, ids } = context
  const id = ids.next()
  const now = machine.now()
  const challenges = challengeStore(pool)
  await challenges.sweep(now)
  const { open, firstEnd } = await challenges.open(network, now)
  if (open >= mostOpenChallenges) {
    const waitMs = (firstEnd ?? now).getTime() - now.getTime()
    throw new AdminRefused('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
  }
  await challenges.add({ id, challenge, userId, expiresAt: new Date(now.getTime() + challengeMs), network })
  return id
}

async function takeChallenge({ pool, machine }: AdminContext, id: string, userId: string | null): Promise<string> {
  const row = await challengeStore(pool).take(id)
  if (row === null || row.userId !== userId || row.expiresAt <= machine.now())
    throw invalid('challengeId', 'The request timed out. Try again.')
  return row.challenge
}
