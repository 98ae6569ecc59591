/** Choosing a password by a link from a mail: invitations, and resets that users ask for. Chapter 70 §9. */
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { inviteUser } from '../../../../../panel/access/invitations.ts'
import { choosePassword, readPasswordLink } from '../../../../../panel/access/password-links.ts'
import { askPasswordReset } from '../../../../../panel/access/password-reset.ts'
import { changeEndpoint, type Endpoint, openQueryEndpoint, signInEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, instant } from '../../values.ts'
import { giverOf } from './users.ts'

const code = z.string().max(100)

export const passwordLinkEndpoints: readonly Endpoint[] = [
  openQueryEndpoint({
    path: '/session/options',
    summary: 'Says which ways to sign in this instance has besides password and passkey.',
    output: z.object({
      /** A forgotten password can be replaced by a link from a mail. */
      passwordReset: z.boolean(),
      /** The name of the identity provider; null if there is none. */
      singleSignOn: z.string().nullable(),
    }),
    run: ({ context: { sendsMail, singleSignOn } }) => ({
      passwordReset: sendsMail,
      singleSignOn: singleSignOn?.config.title ?? null,
    }),
  }),
  signInEndpoint({
    path: '/password-reset',
    summary: 'Mails a link for a new password. The answer is the same whether or not the address has an account.',
    body: z.strictObject({ email: z.string().min(1).max(254) }),
    output: doneOutput,
    run: async ({ email }, { context, visitor }) => {
      await askPasswordReset(context, email, visitor)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  signInEndpoint({
    path: '/password-link',
    summary: 'Tells whose password a link from a mail chooses.',
    body: z.strictObject({ code }),
    output: z.object({
      purpose: z.enum(['invitation', 'reset']),
      email: z.string(),
      name: z.string(),
      passwordLength: z.number(),
    }),
    run: async (body, { context }) => {
      const { purpose, user } = await readPasswordLink(context, body.code)
      const { email, name } = user
      return { answer: { purpose, email, name, passwordLength: context.rules.passwordLength }, audit: 'none' }
    },
  }),
  signInEndpoint({
    path: '/password-link/use',
    summary: 'Chooses a password with a link from a mail. The link is used up, and all sessions of the user end.',
    body: z.strictObject({ code, next: z.string().max(256) }),
    output: doneOutput,
    run: async (body, { context, visitor }) => {
      await choosePassword(context, { code: body.code, next: secret(body.next) }, visitor)
      return { answer: doneAnswer, audit: 'written', cookie: null }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/users/:userId/invitation',
    summary: 'Mails a user, who has not chosen a password yet, a link to choose it. An earlier link stops working.',
    access: 'users.write',
    stepUp: true,
    body: emptyBody,
    output: z.object({ invitedUntil: instant }),
    run: async ({ params: { userId } }, caller) => ({
      answer: { invitedUntil: await inviteUser(caller.context, giverOf(caller), userId) },
      audit: 'written',
    }),
  }),
]
