/** Signing in and out, and the caller's own sessions. */
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { notFound } from '../../../admin/admin-refused.ts'
import { askToSignIn, signInWithPasskey } from '../../../admin/passkeys.ts'
import { may, permissions } from '../../../admin/permissions.ts'
import { csrfOf, endSession, endSessions, sessionsOf } from '../../../admin/sessions.ts'
import { type Entrance, signIn } from '../../../admin/sign-in.ts'
import { type Caller, type Changed, changing, type Endpoint, entering, reading } from '../endpoint.ts'
import { anything, done, id, instant, isDone, nothing } from '../values.ts'

const shownSession = z.object({
  id,
  method: z.enum(['password', 'password+totp', 'passkey']),
  createdAt: instant,
  seenAt: instant,
  expiresAt: instant,
  userAgent: z.string(),
  address: z.string(),
  current: z.boolean(),
})

const entrance = z.object({
  csrf: z.string(),
  passwordTemporary: z.boolean(),
})

const entered = ({ token, user }: Entrance): Changed<z.input<typeof entrance>> => ({
  answer: { csrf: csrfOf(token), passwordTemporary: user.passwordTemporary },
  audit: 'written',
  cookie: token,
})

/** What the browser answered is checked member by member by the library that asked. */
const credential = z.looseObject({ id: z.string(), rawId: z.string(), type: z.literal('public-key') })

export const sessionEndpoints: readonly Endpoint[] = [
  entering({
    path: '/session',
    summary: 'Signs in with e-mail address, password and, where it is set up, a code.',
    body: z.strictObject({
      email: z.string().max(254),
      password: z.string().max(256),
      code: z.string().max(10).optional(),
    }),
    output: entrance,
    run: async ({ email, password, code }, { panel, visitor }) =>
      entered(await signIn(panel, { email, password: secret(password), code: code ?? null }, visitor)),
  }),
  entering({
    path: '/session/passkey/challenge',
    summary: 'Begins a sign-in with a passkey.',
    body: nothing,
    output: z.object({ challengeId: id, options: anything }),
    run: async (_, { panel, site }) => ({ answer: await askToSignIn(panel, site), audit: 'none' }),
  }),
  entering({
    path: '/session/passkey',
    summary: 'Signs in with a passkey.',
    body: z.strictObject({ challengeId: z.uuid(), response: credential }),
    output: entrance,
    run: async ({ challengeId, response }, { panel, site, visitor }) => {
      // Of whatever else is inside, the library says what is wrong with it.
      const answer = { challengeId, response: response as unknown as AuthenticationResponseJSON }
      return entered(await signInWithPasskey(panel, answer, site, visitor))
    },
  }),
  reading({
    path: '/session',
    summary: 'Who is signed in, and what they may do.',
    access: 'signed-in',
    output: z.object({
      csrf: z.string(),
      mode: z.enum(['sandbox', 'live']),
      user: z.object({
        id,
        email: z.string(),
        name: z.string(),
        role: z.string(),
        passwordTemporary: z.boolean(),
        secondFactor: z.boolean(),
      }),
      permissions: z.array(z.string()),
      /** Null is all of them. */
      merchantIds: z.array(id).nullable(),
    }),
    run: (_, { csrf, user, grant, panel }) => ({
      csrf,
      mode: panel.mode,
      user: { ...user, secondFactor: user.totpEnabledAt !== null },
      permissions: permissions.map(({ name }) => name).filter((name) => may(grant, name)),
      merchantIds: grant.merchants === 'all' ? null : [...grant.merchants],
    }),
  }),
  changing({
    method: 'DELETE',
    path: '/session',
    summary: 'Signs out.',
    access: 'signed-in',
    body: nothing,
    output: done,
    run: async (_, caller) => {
      await endSession(caller.panel, caller.user.id, caller.session.id)
      return { answer: isDone, audit: about('session.close', caller, caller.session.id), cookie: null }
    },
  }),
  reading({
    path: '/sessions',
    summary: 'The caller’s own sessions.',
    access: 'signed-in',
    output: z.object({ sessions: z.array(shownSession) }),
    run: async (_, { panel, user, session }) => ({
      sessions: (await sessionsOf(panel, user.id)).map((one) => ({ ...one, current: one.id === session.id })),
    }),
  }),
  changing({
    method: 'DELETE',
    path: '/sessions/:sessionId',
    summary: 'Ends one of the caller’s own sessions.',
    access: 'signed-in',
    body: nothing,
    output: done,
    run: async ({ params: { sessionId } }, caller) => {
      if (!(await endSession(caller.panel, caller.user.id, sessionId))) throw notFound()
      return { answer: isDone, audit: about('session.revoke', caller, sessionId) }
    },
  }),
  changing({
    method: 'DELETE',
    path: '/sessions',
    summary: 'Ends all of the caller’s own sessions but this one.',
    access: 'signed-in',
    body: nothing,
    output: z.object({ ended: z.number() }),
    run: async (_, caller) => {
      const ended = await endSessions(caller.panel, caller.user.id, caller.session.id)
      return {
        answer: { ended },
        audit: { ...about('session.revoke-others', caller, caller.session.id), after: { ended } },
      }
    },
  }),
]

const about = (action: string, { user }: Caller, sessionId: string) => ({
  action,
  subject: `user ${user.id}`,
  merchantId: null,
  before: { sessionId },
})
