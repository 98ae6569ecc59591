/** The caller's own account: password, second factor, passkeys. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import { type Secret, secret } from '#domain/secret.ts'
import {
  beginTotp,
  changePassword,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
} from '../../../../../panel/access/own-account.ts'
import {
  beginRegistration,
  listPasskeys,
  registerPasskey,
  removePasskey,
} from '../../../../../panel/access/passkeys.ts'
import { AdminRefused } from '../../../../../panel/admin-refused.ts'
import { type Caller, type ChangeResult, changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { ownOf } from '../../own.ts'
import { anything, doneAnswer, doneOutput, emptyBody, id, instant, textInput } from '../../values.ts'

const password = z.string().max(256)
const shownPasskey = z.object({ id: z.string(), name: z.string(), createdAt: instant, usedAt: instant.nullable() })

const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

const codesAnswer = (codes: readonly Secret<string>[]): ChangeResult<z.input<typeof recoveryCodes>> => ({
  answer: { recoveryCodes: codes.map((code) => code.reveal()) },
  audit: 'written',
})

export const accountEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: '/account/password',
    summary: 'Changes the caller’s own password; all other sessions end.',
    access: 'signed-in',
    onDuty: true,
    body: z.strictObject({ current: password, next: password }),
    output: doneOutput,
    run: async ({ body: { current, next } }, caller) => {
      await changePassword(caller.context, ownOf(caller), { current: secret(current), next: secret(next) })
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/account/second-factor',
    summary: 'Creates a secret for an authenticator app; it is shown once and takes effect when a code is confirmed.',
    access: 'signed-in',
    stepUp: true,
    onDuty: true,
    body: emptyBody,
    output: z.object({ secret: z.string(), address: z.string() }),
    run: async (_, caller) => {
      requireOwnPassword(caller)
      const enrolment = await beginTotp(caller.context, ownOf(caller))
      const answer = { secret: enrolment.secret.reveal(), address: enrolment.address.reveal() }
      return { answer, audit: { ...about('user.begin-second-factor', caller) } }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/account/second-factor',
    summary:
      'Activates the second factor with a code and returns new recovery codes, shown once; all other sessions end.',
    access: 'signed-in',
    stepUp: true,
    onDuty: true,
    body: z.strictObject({ code: z.string().max(10) }),
    output: recoveryCodes,
    run: async ({ body: { code } }, caller) => codesAnswer(await confirmTotp(caller.context, ownOf(caller), code)),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/account/recovery-codes',
    summary: 'Replaces the caller’s recovery codes; the new ones are shown once.',
    access: 'signed-in',
    stepUp: true,
    body: emptyBody,
    output: recoveryCodes,
    run: async (_, caller) => codesAnswer(await renewRecoveryCodes(caller.context, ownOf(caller))),
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/account/second-factor',
    summary: 'Removes the second factor.',
    access: 'signed-in',
    stepUp: true,
    body: emptyBody,
    output: doneOutput,
    run: async (_, caller) => {
      await removeTotp(caller.context, ownOf(caller))
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/account/passkeys',
    summary: 'Lists the caller’s own passkeys.',
    access: 'signed-in',
    onDuty: true,
    output: z.object({ passkeys: z.array(shownPasskey) }),
    run: async (_, { context, user }) => ({ passkeys: [...(await listPasskeys(context, user.id))] }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/account/passkeys/challenge',
    summary: 'Starts the registration of a passkey.',
    access: 'signed-in',
    onDuty: true,
    body: emptyBody,
    output: z.object({ challengeId: id, options: anything }),
    run: async (_, caller) => {
      requireOwnPassword(caller)
      return { answer: await beginRegistration(caller.context, ownOf(caller), caller.site), audit: 'none' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/account/passkeys',
    summary: 'Registers a passkey.',
    access: 'signed-in',
    stepUp: true,
    onDuty: true,
    body: z.strictObject({
      challengeId: z.uuid(),
      name: textInput(64),
      response: z.looseObject({ id: z.string(), rawId: z.string(), type: z.literal('public-key') }),
    }),
    output: shownPasskey,
    run: async ({ body }, caller) => {
      requireOwnPassword(caller)
      // Safe: the library validates the other members.
      const response = body.response as unknown as RegistrationResponseJSON
      const passkey = await registerPasskey(caller.context, ownOf(caller), { ...body, response }, caller.site)
      return { answer: passkey, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/account/passkeys/:passkeyId',
    summary: 'Removes a passkey.',
    access: 'signed-in',
    stepUp: true,
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { passkeyId } }, caller) => {
      const { name } = await removePasskey(caller.context, caller.user, passkeyId)
      return { answer: doneAnswer, audit: { ...about('user.remove-passkey', caller), before: { name } } }
    },
  }),
]

/** The person who set a temporary password knows it, and a passkey registered with it would still admit that person after a change. */
function requireOwnPassword({ user }: Caller): void {
  if (user.passwordTemporary) throw new AdminRefused('password_change_first')
  if (user.ssoSubject !== null)
    throw new AdminRefused('conflict', {
      message: 'You sign in with the identity provider, which has your second factor.',
    })
}

const about = (action: string, { user }: Caller) => ({ action, subject: `user ${user.id}`, merchantId: null })
