/** Signing in and out, and the caller's own sessions. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { beginPasskeyProof, beginPasskeySignIn, signInWithPasskey } from '../../../../../panel/access/passkeys.ts'
import { may, permissions } from '../../../../../panel/access/permissions.ts'
import { type Proof, proofsOf, prove } from '../../../../../panel/access/re-authentication.ts'
import { factorDueAt, needsSecondFactor } from '../../../../../panel/access/second-factor.ts'
import { dutyOf } from '../../../../../panel/access/session-duty.ts'
import { csrfOf, endOf, endSession, endSessions, listSessions } from '../../../../../panel/access/sessions.ts'
import { type SignInResult, signIn } from '../../../../../panel/access/sign-in.ts'
import { notFound } from '../../../../../panel/admin-refused.ts'
import type { PanelContext } from '../../../../../panel/panel-context.ts'
import { findSignOutAddress } from '../../../../../panel/single-sign-on/single-sign-on.ts'
import {
  type Caller,
  type ChangeResult,
  changeEndpoint,
  type Endpoint,
  queryEndpoint,
  signInEndpoint,
} from '../../endpoint.ts'
import { ownOf } from '../../own.ts'
import { anything, doneAnswer, doneOutput, emptyBody, hasMember, id, instant } from '../../values.ts'

const shownSession = z.object({
  id,
  method: z.enum(['password', 'password+totp', 'password+recovery', 'passkey', 'sso']),
  createdAt: instant,
  seenAt: instant,
  expiresAt: instant,
  userAgent: z.string(),
  address: z.string(),
  current: z.boolean(),
})

/** What the user must do before any other action. */
const duty = z.enum(['password', 'second factor']).nullable()

const entrance = z.object({
  csrf: z.string(),
  passwordTemporary: z.boolean(),
  duty,
})

const signInAnswer = (
  { rules, machine }: PanelContext,
  { token, user, session }: SignInResult,
): ChangeResult<z.input<typeof entrance>> => ({
  answer: {
    csrf: csrfOf(token),
    passwordTemporary: user.passwordTemporary,
    duty: dutyOf(rules, user, session, machine.now()),
  },
  audit: 'written',
  cookie: token,
})

/** The browser's answer; the passkey library validates its other members. */
const credential = z.looseObject({ id: z.string(), rawId: z.string(), type: z.literal('public-key') })

export const sessionEndpoints: readonly Endpoint[] = [
  signInEndpoint({
    path: '/session',
    summary: 'Signs in with e-mail address, password and, if a second factor is set up, a code or a recovery code.',
    body: z.strictObject({
      email: z.string().max(254),
      password: z.string().max(256),
      code: z.string().max(40).optional(),
    }),
    output: entrance,
    run: async ({ email, password, code }, { context, visitor }) =>
      signInAnswer(context, await signIn(context, { email, password: secret(password), code: code ?? null }, visitor)),
  }),
  signInEndpoint({
    path: '/session/passkey/challenge',
    summary: 'Starts a sign-in with a passkey.',
    body: emptyBody,
    output: z.object({ challengeId: id, options: anything }),
    run: async (_, { context, site, visitor }) => ({
      answer: await beginPasskeySignIn(context, site, visitor),
      audit: 'none',
    }),
  }),
  signInEndpoint({
    path: '/session/passkey',
    summary: 'Signs in with a passkey.',
    body: z.strictObject({ challengeId: z.uuid(), response: credential }),
    output: entrance,
    run: async ({ challengeId, response }, { context, site, visitor }) => {
      // Safe: the library validates the other members.
      const answer = { challengeId, response: response as unknown as AuthenticationResponseJSON }
      return signInAnswer(context, await signInWithPasskey(context, answer, site, visitor))
    },
  }),
  queryEndpoint({
    path: '/session',
    summary: 'Returns the signed-in user, the permissions and the end of the session.',
    access: 'signed-in',
    onDuty: true,
    output: z.object({
      csrf: z.string(),
      mode: z.enum(['sandbox', 'live']),
      /** A mail server is configured. */
      sendsMail: z.boolean(),
      user: z.object({
        id,
        email: z.string(),
        name: z.string(),
        role: z.string(),
        passwordTemporary: z.boolean(),
        /** The user comes from the identity provider and has no password here. */
        isSso: z.boolean(),
        secondFactor: z.boolean(),
        passkeys: z.number(),
        needsSecondFactor: z.boolean(),
        /** When a missing second factor will be required; null if none is missing. */
        factorDueAt: instant.nullable(),
        recoveryCodes: z.number(),
        lastSignInAt: instant.nullable(),
      }),
      duty,
      /** The methods by which the user can re-authenticate. */
      proofs: z.array(z.enum(['password', 'totp', 'passkey', 'sso'])).readonly(),
      /** Seconds until the session ends, unless the user is active before. */
      endsInSeconds: z.number(),
      permissions: z.array(z.string()),
      /** Null for all merchants. */
      merchantIds: z.array(id).nullable(),
    }),
    run: (_, { csrf, user, session, grant, context }) => ({
      csrf,
      mode: context.instanceMode,
      sendsMail: context.sendsMail,
      user: {
        ...user,
        isSso: user.ssoSubject !== null,
        secondFactor: user.totpEnabledAt !== null,
        needsSecondFactor: needsSecondFactor(context.rules, user),
        factorDueAt: factorDueAt(context.rules, user, context.machine.now()),
      },
      duty: dutyOf(context.rules, user, session, context.machine.now()),
      proofs: proofsOf(user),
      endsInSeconds: Math.floor((endOf(session, context.rules).getTime() - context.machine.now().getTime()) / 1000),
      permissions: permissions.map(({ name }) => name).filter((name) => may(grant, name)),
      merchantIds: grant.merchants === 'all' ? null : [...grant.merchants],
    }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/session',
    summary: 'Signs out.',
    access: 'signed-in',
    onDuty: true,
    body: emptyBody,
    /** `leaveTo` signs out at the identity provider, too. */
    output: z.object({ done: z.literal(true), leaveTo: z.string().nullable() }),
    run: async (_, caller) => {
      await endSession(caller.context, caller.user.id, caller.session.id)
      const leaveTo = caller.session.method === 'sso' ? await findSignOutAddress(caller.context) : null
      return {
        answer: { ...doneAnswer, leaveTo },
        audit: about('session.close', caller, caller.session.id),
        cookie: null,
      }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/session/proof/challenge',
    summary: 'Starts a confirmation with a passkey.',
    access: 'signed-in',
    onDuty: true,
    body: emptyBody,
    output: z.object({ challengeId: id, options: anything }),
    run: async (_, caller) => ({
      answer: await beginPasskeyProof(caller.context, ownOf(caller), caller.site),
      audit: 'none',
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/session/proof',
    summary: 'Confirms the user’s identity again: with the second factor, or with the password if there is none.',
    access: 'signed-in',
    onDuty: true,
    body: z.union([
      z.strictObject({ password: z.string().max(256) }),
      z.strictObject({ code: z.string().max(10) }),
      z.strictObject({ challengeId: z.uuid(), response: credential }),
    ]),
    output: doneOutput,
    run: async ({ body }, caller) => {
      await prove(caller.context, ownOf(caller), proofOf(body), caller.site)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/sessions',
    summary: 'Lists the caller’s own sessions.',
    access: 'signed-in',
    output: z.object({ sessions: z.array(shownSession) }),
    run: async (_, { context, user, session }) => ({
      sessions: (await listSessions(context, user.id)).map((one) => ({ ...one, current: one.id === session.id })),
    }),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/sessions/:sessionId',
    summary: 'Ends one of the caller’s own sessions.',
    access: 'signed-in',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { sessionId } }, caller) => {
      if (!(await endSession(caller.context, caller.user.id, sessionId))) throw notFound()
      return { answer: doneAnswer, audit: about('session.revoke', caller, sessionId) }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/sessions',
    summary: 'Ends all of the caller’s other sessions.',
    access: 'signed-in',
    body: emptyBody,
    output: z.object({ ended: z.number() }),
    run: async (_, caller) => {
      const ended = await endSessions(caller.context, caller.user.id, caller.session.id)
      return {
        answer: { ended },
        audit: { ...about('session.revoke-others', caller, caller.session.id), after: { ended } },
      }
    },
  }),
]

type ProofBody =
  | { readonly password: string }
  | { readonly code: string }
  | { readonly challengeId: string; readonly response: z.output<typeof credential> }

function proofOf(body: ProofBody): Proof {
  if (hasMember(body, 'password')) return { by: 'password', password: secret(body.password) }
  if (hasMember(body, 'code')) return { by: 'totp', code: body.code }
  // As above.
  const response = body.response as unknown as AuthenticationResponseJSON
  return { by: 'passkey', answer: { challengeId: body.challengeId, response } }
}

const about = (action: string, { user }: Caller, sessionId: string) => ({
  action,
  subject: `user ${user.id}`,
  merchantId: null,
  before: { sessionId },
})
