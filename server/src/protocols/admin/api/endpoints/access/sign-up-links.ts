/** Sign-up links of merchants, and the sign-ups that wait for an approval. Chapter 70 §9. */
import { z } from 'zod'
import {
  createSignUpLink,
  listSignUpLinksFor,
  revokeSignUpLink,
  type SignUpLinkState,
  stateOf,
} from '../../../../../panel/sign-up/sign-up-links.ts'
import { approveSignUp, listWaitingSignUpsFor, refuseSignUp } from '../../../../../panel/sign-up/waiting-sign-ups.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, emptyBody, id, instant } from '../../values.ts'
import { giverOf, requireKnown, rights } from './users.ts'

const states = ['open', 'used up', 'expired', 'revoked'] as const satisfies readonly SignUpLinkState[]

const shownLink = z.object({
  id,
  role: z.string(),
  merchantIds: z.array(id).readonly(),
  /** Domains of mail addresses; empty allows all. */
  domains: z.array(z.string()).readonly(),
  /** A person who may invite approves each sign-up. */
  needsApproval: z.boolean(),
  note: z.string(),
  state: z.enum(states),
  uses: z.number(),
  /** Confirmed sign-ups. */
  used: z.number(),
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
})

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'Enter domains such as example.com.')

export const signUpLinkEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/sign-up-links',
    summary: 'Lists sign-up links of the caller’s merchants, newest first.',
    access: 'users.read',
    output: z.object({ links: z.array(shownLink).readonly() }),
    run: async (_, { context, grant }) => {
      const now = context.machine.now()
      const links = await listSignUpLinksFor(context, grant)
      return { links: links.map((link) => ({ ...link, state: stateOf(link, now) })) }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/sign-up-links',
    summary: 'Creates a sign-up link for people of merchants; its address is shown once.',
    access: 'users.write',
    stepUp: true,
    body: z.strictObject({
      role: rights.role,
      merchantIds: rights.merchantIds.min(1, 'Select at least one merchant.'),
      domains: z.array(domain).max(20).default([]),
      needsApproval: z.boolean().default(true),
      note: z.string().trim().max(200).default(''),
      uses: z.int().min(1).max(1000).default(1),
      expiresInDays: z.int().min(1).max(90).default(14),
    }),
    output: z.object({ link: shownLink, address: z.string() }),
    run: async ({ body }, caller) => {
      requireKnown(caller, body.merchantIds)
      const wishes = { ...body, merchantIds: [...new Set(body.merchantIds)], domains: [...new Set(body.domains)] }
      const { link, address } = await createSignUpLink(caller.context, giverOf(caller), wishes)
      return { answer: { link: { ...link, state: 'open' as const }, address: address.reveal() }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'DELETE',
    path: '/sign-up-links/:signUpLinkId',
    summary: 'Revokes a sign-up link. Sign-ups that were confirmed stay; others end.',
    access: 'users.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { signUpLinkId } }, caller) => {
      await revokeSignUpLink(caller.context, giverOf(caller), signUpLinkId)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
  queryEndpoint({
    path: '/sign-ups',
    summary: 'Lists sign-ups with a confirmed e-mail address that wait for an approval.',
    access: 'users.read',
    output: z.object({
      signUps: z
        .array(
          z.object({
            id,
            email: z.string(),
            name: z.string(),
            role: z.string(),
            merchantIds: z.array(id).readonly(),
            note: z.string(),
            confirmedAt: instant.nullable(),
            expiresAt: instant,
          }),
        )
        .readonly(),
    }),
    run: async (_, { context, grant }) => {
      const waiting = await listWaitingSignUpsFor(context, grant)
      return { signUps: waiting.map(({ signUp, link }) => ({ ...link, ...signUp })) }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/sign-ups/:signUpId/approve',
    summary: 'Approves a sign-up: the person becomes a user and is notified by e-mail.',
    access: 'users.write',
    stepUp: true,
    body: emptyBody,
    output: z.object({ userId: id }),
    run: async ({ params: { signUpId } }, caller) => {
      const user = await approveSignUp(caller.context, giverOf(caller), signUpId)
      return { answer: { userId: user.id }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/sign-ups/:signUpId/refuse',
    summary: 'Refuses a sign-up: its data is deleted, and the person is notified by e-mail.',
    access: 'users.write',
    body: emptyBody,
    output: doneOutput,
    run: async ({ params: { signUpId } }, caller) => {
      await refuseSignUp(caller.context, giverOf(caller), signUpId)
      return { answer: doneAnswer, audit: 'written' }
    },
  }),
]
