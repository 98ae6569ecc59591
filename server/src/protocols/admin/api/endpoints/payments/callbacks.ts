/** Callbacks with their delivery attempts, and resending: one, many, or a time range. */
import { z } from 'zod'
import { listBlockedFor, unblockFor } from '../../../../../panel/access/blocked-addresses.ts'
import { beginWork } from '../../../../../panel/instance/long-work.ts'
import {
  listCallbacks,
  resendMany,
  resendOne,
  resendRequest,
  resendWithin,
  searchCallbacksFor,
} from '../../../../../panel/payments/callbacks.ts'
import { resendTargets } from '../../../../../panel/payments/resend-target.ts'
import { scopeOf } from '../../../../../panel/reports/dashboard.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { doneAnswer, doneOutput, hasMember, id, instant, instantInput, pageLimit } from '../../values.ts'
import { shownWork } from '../instance/work.ts'

const states = z.enum(['due', 'delivered', 'failed'])

export const shownCallback = z.object({
  merchantId: id,
  id,
  paymentId: id,
  transactionId: id,
  sequence: z.number(),
  url: z.string(),
  contentType: z.string(),
  body: z.string(),
  state: states,
  nextAt: instant.nullable(),
  createdAt: instant,
  endedAt: instant.nullable(),
  attempts: z
    .array(
      z.object({
        attempt: z.number(),
        at: instant,
        durationMs: z.number(),
        httpStatus: z.number().nullable(),
        answer: z.string().nullable(),
        fault: z.string().nullable(),
        acknowledged: z.boolean(),
      }),
    )
    .readonly(),
})

const timeRange = z.strictObject({ from: instantInput, to: instantInput, state: z.enum(['failed', 'delivered']) })
/** `original`: the address that the payment was created with. `current`: the merchant's notification address of today. */
const target = z.enum(resendTargets).default('original')
const targetedRange = timeRange.extend({ target })
const result = z.enum(['resent', 'in-flight', 'unknown'])

export const callbackEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/callbacks',
    summary: 'Lists callbacks of the caller’s merchants with all attempts, newest first.',
    access: 'callbacks.read',
    query: {
      merchantId: z.uuid().optional(),
      test: z
        .enum(['true', 'false'])
        .transform((text) => text === 'true')
        .optional(),
      paymentId: z.uuid().optional(),
      state: states.optional(),
      from: instantInput.optional(),
      to: instantInput.optional(),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({
      callbacks: z.array(shownCallback.extend({ orderId: z.string() })).readonly(),
      /** The value of `before` for the next page; null on the last page. */
      next: id.nullable(),
    }),
    run: ({ query }, { context, grant }) => searchCallbacksFor(context, grant, query),
  }),
  queryEndpoint({
    path: '/merchants/:merchantId/callbacks',
    summary: 'Lists callbacks of a merchant with all attempts, newest first.',
    access: 'callbacks.read',
    query: {
      paymentId: z.uuid().optional(),
      state: states.optional(),
      before: z.uuid().optional(),
      limit: pageLimit,
    },
    output: z.object({ callbacks: z.array(shownCallback).readonly() }),
    run: async ({ params: { merchantId }, query }, { context }) => ({
      callbacks: await listCallbacks(context, merchantId, query),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/callbacks/:callbackId/resend',
    summary: 'Resends a callback to its original address or to the merchant’s current one.',
    access: 'callbacks.resend',
    body: z.strictObject({ target }),
    output: z.object({ result }),
    run: async ({ params: { merchantId, callbackId }, body }, { context }) => {
      const { result: came, audit } = await resendOne(context, merchantId, callbackId, body.target)
      return { answer: { result: came }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/callbacks/resend',
    summary: 'Resends callbacks: the given ones, or all of a time range that failed or were delivered.',
    access: 'callbacks.resend',
    body: z.union([z.strictObject({ ids: z.array(z.uuid()).min(1).max(500), target }), timeRange]),
    output: z.object({ resent: z.number() }),
    run: async ({ params: { merchantId }, body }, { context }) => {
      const { resent, audit } = hasMember(body, 'ids')
        ? await resendMany(context, merchantId, body.ids, body.target)
        : await resendWithin(context, { ...body, merchantId })
      return { answer: { resent }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/callbacks/resend/work',
    summary: 'Starts a background job that resends all callbacks of a time range that failed or were delivered.',
    access: 'callbacks.resend',
    body: targetedRange,
    output: shownWork,
    run: async ({ params: { merchantId }, body }, { context, user, actor }) => {
      const wish = await resendRequest(context, [merchantId], body)
      const work = await beginWork(context, { userId: user.id, actor }, wish)
      const audit = { action: 'work.resend', subject: `work ${work.id}`, merchantId, after: { ...body } }
      return { answer: work, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/callbacks/resend/work',
    summary: 'Starts the same background job for all merchants of the caller.',
    access: 'callbacks.resend',
    body: targetedRange,
    output: shownWork,
    run: async ({ body }, { context, grant, user, actor }) => {
      const wish = await resendRequest(context, scopeOf(grant, null), body)
      const work = await beginWork(context, { userId: user.id, actor }, wish)
      return {
        answer: work,
        audit: { action: 'work.resend', subject: `work ${work.id}`, merchantId: null, after: { ...body } },
      }
    },
  }),
  queryEndpoint({
    path: '/blocked-addresses',
    summary: 'Lists blocked callback addresses, and until when each is blocked.',
    access: 'callbacks.read',
    output: z.object({
      addresses: z.array(z.object({ url: z.string(), until: instant, merchantIds: z.array(id).readonly() })).readonly(),
    }),
    run: async (_, { context, grant }) => ({ addresses: await listBlockedFor(context, grant) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/blocked-addresses/unblock',
    summary: 'Unblocks an address; waiting callbacks are sent at once.',
    access: 'callbacks.resend',
    body: z.strictObject({ url: z.string().max(2048) }),
    output: doneOutput,
    run: async ({ body: { url } }, { context, grant }) => ({
      answer: doneAnswer,
      audit: await unblockFor(context, grant, url),
    }),
  }),
]
