/**
 * Signing in through an identity provider: the browser is sent there with a state that works once, and comes back with a code, which is
 * exchanged for the user's identity. Local accounts do not depend on it, so that an owner can sign in while the provider is down.
 * Chapter 70 §9.
 */

import { hash } from 'node:crypto'
import { minuteMs } from '#domain/time.ts'
import { ssoAttemptStore } from '../../store/people/sso-attempts.ts'
import { countSubject, tooManyAttempts } from '../access/attempts.ts'
import { addressSubject, type LockOutRule } from '../access/lock-out.ts'
import { noActor } from '../access/refused-sign-ins.ts'
import { needsSecondFactor } from '../access/second-factor.ts'
import { completeSignIn, type SignInResult } from '../access/sign-in.ts'
import { noteAlone } from '../audit/audit.ts'
import type { Visitor } from '../context.ts'
import type { PanelContext } from '../panel-context.ts'
import type { SingleSignOn } from './provider.ts'
import { SsoRefused } from './sso-refused.ts'
import { findUserOfIdentity } from './sso-users.ts'

/** As long as a person may take at the provider. */
export const attemptMs = 15 * minuteMs
/** Each start writes a row and may ask the provider. */
const startsPerAddress: LockOutRule = { free: 100, locking: 300, lockSeconds: 600 }

export const callbackPath = '/admin/sso/callback'

interface Departure {
  /** The value of the cookie of this browser: another one cannot come back in its place. */
  readonly state: string
  readonly address: string
}

export async function beginSso(
  context: PanelContext,
  { provider }: SingleSignOn,
  { nextPath, isFresh }: { readonly nextPath: string; readonly isFresh: boolean },
  visitor: Visitor,
): Promise<Departure> {
  const { waitsUntil } = await countSubject(context, `sso ${addressSubject(visitor.network)}`, startsPerAddress)
  if (waitsUntil !== null) throw tooManyAttempts(context, waitsUntil)
  const signIn = await provider.createSignIn(isFresh)
  const address = await provider.composeAddress(signIn, `${context.panelUrl()}${callbackPath}`)
  const now = context.machine.now()
  const { nonce, verifier, state } = signIn
  const expiresAt = new Date(now.getTime() + attemptMs)
  await ssoAttemptStore(context.pool).add(hashOf(state), { nonce, verifier, nextPath, isFresh, expiresAt }, now)
  return { state, address }
}

const hashOf = (state: string): Buffer => hash('sha256', state, 'buffer')

interface Arrival {
  readonly query: URLSearchParams
  /** The state in the cookie of this browser; empty without one. */
  readonly cookieState: string
}

/** Throws `SsoRefused`; the refusal is in the audit log. */
export async function finishSso(
  context: PanelContext,
  sso: SingleSignOn,
  arrival: Arrival,
  visitor: Visitor,
): Promise<SignInResult & { readonly nextPath: string }> {
  try {
    return await admit(context, sso, arrival, visitor)
  } catch (error) {
    if (!(error instanceof SsoRefused)) throw error
    context.log.warn({ err: error }, 'A single sign-on was refused.')
    await noteAlone(
      context.pool,
      context.clock,
      { label: noActor, address: visitor.address },
      { action: 'session.refuse', subject: 'single sign-on', merchantId: null, after: { reason: error.refusal } },
    )
    throw error
  }
}

async function admit(context: PanelContext, sso: SingleSignOn, arrival: Arrival, visitor: Visitor) {
  const { config, provider } = sso
  const state = arrival.query.get('state') ?? ''
  const attempt = await ssoAttemptStore(context.pool).take(hashOf(state))
  if (attempt === null || state !== arrival.cookieState || attempt.expiresAt < context.machine.now())
    throw new SsoRefused('expired', 'The state is unknown, used, late or of another browser.')
  const cameBackTo = new URL(`${context.panelUrl()}${callbackPath}?${String(arrival.query)}`)
  const identity = await provider.identify({ ...attempt, state }, cameBackTo)
  const user = await findUserOfIdentity(context, config, identity)
  if (config.secondFactor === 'amr' && needsSecondFactor(context.rules, user) && !identity.hasSecondFactor)
    throw new SsoRefused('factor', 'The claim amr does not contain mfa.')
  // An open session at the provider lets a browser in without its user, so that only the authentication there proves the identity.
  const proof = { method: 'sso', provenMsAgo: identity.authenticatedMsAgo } as const
  return { ...(await completeSignIn(context, user, proof, visitor)), nextPath: attempt.nextPath }
}

/** Null if the provider has no such address, or is down: the session here has ended anyway. */
export async function findSignOutAddress({ singleSignOn: sso, panelUrl, log }: PanelContext): Promise<string | null> {
  if (sso === null) return null
  return sso.provider.signOutAddress(`${panelUrl()}/admin/sign-in`).catch((error: unknown) => {
    log.warn({ err: error }, 'The identity provider could not be asked for its sign-out.')
    return null
  })
}
