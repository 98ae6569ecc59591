/** Passkeys (WebAuthn): registered inside a session, and signed in with instead of password and code. */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Secret } from '#domain/secret.ts'
import { challengeStore, type PasskeyRow, passkeyStore } from '../store/passkeys.ts'
import { type UserRow, userStore } from '../store/users.ts'
import { AdminRefused, invalid, notFound } from './admin-refused.ts'
import type { AdminDesk, Visitor } from './desk.ts'
import type { Own } from './own-account.ts'
import { noteRefused } from './refused-sign-ins.ts'
import { type Entrance, enter, requirePassword } from './sign-in.ts'

const challengeMs = 5 * 60_000
const mostPasskeys = 20

/** Where browsers reach the panel: a passkey belongs to its host. */
export interface Site {
  readonly origin: string
  readonly host: string
}

export interface Asked<Options> {
  /** To be sent back with the answer. */
  readonly challengeId: string
  readonly options: Options
}

export async function askForPasskey(
  desk: AdminDesk,
  user: UserRow,
  { host }: Site,
): Promise<Asked<PublicKeyCredentialCreationOptionsJSON>> {
  const present = await passkeyStore(desk.pool).list(user.id)
  if (present.length >= mostPasskeys) throw invalid('passkey', `At most ${mostPasskeys} passkeys.`)
  const options = await generateRegistrationOptions({
    rpName: 'Gatehouse',
    rpID: host,
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    attestationType: 'none',
    // ES256, EdDSA, RS256: what every authenticator has one of.
    supportedAlgorithmIDs: [-7, -8, -257],
    excludeCredentials: present.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challengeId: await keepChallenge(desk, options.challenge, user.id), options }
}

/** A passkey opens the account like a password does; so the password is asked for once more. */
export interface NewPasskey {
  readonly challengeId: string
  readonly name: string
  readonly password: Secret<string>
  readonly response: RegistrationResponseJSON
}

export async function registerPasskey(
  desk: AdminDesk,
  { user, visitor }: Own,
  answer: NewPasskey,
  site: Site,
): Promise<PasskeyRow> {
  await requirePassword(desk, user, answer.password, visitor)
  const expectedChallenge = await takenChallenge(desk, answer.challengeId, user.id)
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
    createdAt: desk.machine.now(),
    usedAt: null,
  }
  if (!(await passkeyStore(desk.pool).add(passkey))) throw invalid('response', 'The passkey is registered already.')
  return passkey
}

export const passkeysOf = ({ pool }: AdminDesk, userId: string): Promise<readonly PasskeyRow[]> =>
  passkeyStore(pool).list(userId)

export async function removePasskey({ pool }: AdminDesk, userId: string, id: string): Promise<PasskeyRow> {
  const removed = await passkeyStore(pool).remove(userId, id)
  if (removed === null) throw notFound()
  return removed
}

/** Names no user and no passkey: the browser offers what it has, and nobody learns who has one. */
export async function askToSignIn(
  desk: AdminDesk,
  { host }: Site,
): Promise<Asked<PublicKeyCredentialRequestOptionsJSON>> {
  const options = await generateAuthenticationOptions({ rpID: host, userVerification: 'required' })
  return { challengeId: await keepChallenge(desk, options.challenge, null), options }
}

export async function signInWithPasskey(
  desk: AdminDesk,
  answer: { readonly challengeId: string; readonly response: AuthenticationResponseJSON },
  site: Site,
  visitor: Visitor,
): Promise<Entrance> {
  const expectedChallenge = await takenChallenge(desk, answer.challengeId, null)
  const passkey = await passkeyStore(desk.pool).find(answer.response.id)
  const user = passkey && (await userStore(desk.pool).find(passkey.userId))
  if (passkey === null || user === null || user.status !== 'active')
    throw await refusedPasskey(desk, visitor, user?.id ?? null)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer.response,
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
  const isUsed = verified && (await passkeyStore(desk.pool).use(passkey.id, counter, desk.machine.now()))
  if (!isUsed) throw await refusedPasskey(desk, visitor, user.id)
  return enter(desk, user, 'passkey', visitor)
}

async function refusedPasskey(desk: AdminDesk, visitor: Visitor, userId: string | null): Promise<AdminRefused> {
  await noteRefused(desk, visitor, { userId, reason: 'wrong passkey' })
  return new AdminRefused('wrong_credentials')
}

/** The library throws for whatever does not fit, and its words are not for the caller. */
const notVerified = (): { verified: false; registrationInfo?: never; authenticationInfo?: never } => ({
  verified: false,
})

async function keepChallenge({ pool, machine, ids }: AdminDesk, challenge: string, userId: string | null) {
  const id = ids.next()
  const now = machine.now()
  await challengeStore(pool).sweep(now)
  await challengeStore(pool).add({ id, challenge, userId, expiresAt: new Date(now.getTime() + challengeMs) })
  return id
}

async function takenChallenge({ pool, machine }: AdminDesk, id: string, userId: string | null): Promise<string> {
  const kept = await challengeStore(pool).take(id)
  if (kept === null || kept.userId !== userId || kept.expiresAt <= machine.now())
    throw invalid('challengeId', 'It took too long. Try again.')
  return kept.challenge
}
