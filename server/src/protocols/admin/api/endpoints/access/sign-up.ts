/** Signing up with a link, before there is an account. Chapter 70 §9. */
import { z } from 'zod'
import { secret } from '#domain/secret.ts'
import { confirmSignUp, openSignUp, signUp } from '../../../../../panel/sign-up/sign-up.ts'
import { openLink } from '../../../../../panel/sign-up/sign-up-links.ts'
import { type Endpoint, signInEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emailInput, textInput } from '../../values.ts'

const code = z.string().max(100)
const password = z.string().max(256)

export const signUpEndpoints: readonly Endpoint[] = [
  signInEndpoint({
    path: '/sign-up-link',
    summary: 'Tells what a sign-up link gives.',
    body: z.strictObject({ code }),
    output: z.object({
      role: z.string(),
      /** Titles of the merchants. */
      merchants: z.array(z.string()).readonly(),
      domains: z.array(z.string()).readonly(),
      needsApproval: z.boolean(),
      passwordLength: z.number(),
    }),
    run: async (body, { context }) => {
      const { role, merchantIds, domains, needsApproval } = await openLink(context, body.code)
      const merchants = merchantIds.flatMap((id) => context.configuration.merchant(id)?.title ?? [])
      const { passwordLength } = context.rules
      return { answer: { role, merchants, domains, needsApproval, passwordLength }, audit: 'none' }
    },
  }),
  signInEndpoint({
    path: '/sign-up',
    summary:
      'Signs up with a link and mails a confirmation. The answer is the same whether or not the address has an account.',
    body: z.strictObject({ code, name: textInput(100), email: emailInput, password }),
    output: doneOutput,
    run: async (body, { context, visitor }) => {
      await signUp(context, { ...body, password: secret(body.password) }, visitor)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  signInEndpoint({
    path: '/sign-up/mail',
    summary: 'Tells whose sign-up a link from a mail confirms.',
    body: z.strictObject({ code }),
    output: z.object({ email: z.string(), name: z.string() }),
    run: async (body, { context }) => {
      const { email, name } = await openSignUp(context, body.code)
      return { answer: { email, name }, audit: 'none' }
    },
  }),
  signInEndpoint({
    path: '/sign-up/confirm',
    summary: 'Confirms the e-mail address of a sign-up. The person becomes a user, or waits for an approval.',
    body: z.strictObject({ code, password }),
    output: z.object({ result: z.enum(['user', 'waiting']) }),
    run: async (body, { context, visitor }) => {
      const confirmation = { code: body.code, password: secret(body.password) }
      return { answer: { result: await confirmSignUp(context, confirmation, visitor) }, audit: 'written' }
    },
  }),
]
