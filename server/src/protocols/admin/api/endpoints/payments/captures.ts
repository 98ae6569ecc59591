/** The capture queue: open holds, capturing many at once, and automatic captures. Chapter 50 §8. */

import { z } from 'zod'
import { firstId } from '#domain/uuid.ts'
import { type Grant, reaches } from '../../../../../panel/access/permissions.ts'
import { notFound } from '../../../../../panel/admin-refused.ts'
import { beginWork, type WorkRequest } from '../../../../../panel/instance/long-work.ts'
import {
  captureFilterOf,
  listHoldsFor,
  planCapture,
  readHoldTotalsFor,
} from '../../../../../panel/payments/captures.ts'
import * as commands from '../../../../../panel/payments/payment-commands.ts'
import { type Caller, changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import {
  anything,
  doneAnswer,
  doneOutput,
  hasMember,
  id,
  instant,
  instantInput,
  minor,
  pageLimit,
} from '../../values.ts'
import { withoutUndefined } from '../../without-undefined.ts'
import { shownWork } from '../instance/work.ts'
import { foundPayment, withMidNames } from './payments.ts'

const filters = {
  merchantId: z.uuid().optional(),
  midId: z.uuid().optional(),
  currency: z.string().max(10).optional(),
  from: instantInput.optional(),
  to: instantInput.optional(),
  test: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
  /** Whether an automatic capture is planned. */
  planned: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional(),
}

const place = z.strictObject({ merchantId: z.uuid(), paymentId: z.uuid() })

export const captureEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/captures',
    summary: 'Lists holds that wait for capture, oldest first, with the time of an automatic capture.',
    access: 'payments.read',
    query: { ...filters, after: z.uuid().default(firstId), limit: pageLimit },
    output: z.object({ holds: z.array(foundPayment.extend({ captureAt: instant.nullable() })).readonly() }),
    run: async ({ query: { after, limit, ...wish } }, { context, grant }) => ({
      holds: withMidNames(context, await listHoldsFor(context, grant, wish, { after, limit })),
    }),
  }),
  queryEndpoint({
    path: '/captures/totals',
    summary: 'Returns the number and total amount of waiting holds by currency.',
    access: 'payments.read',
    query: filters,
    output: z.object({
      totals: z
        .array(z.object({ currency: z.string(), decimals: z.number(), holds: z.number(), amountMinor: minor }))
        .readonly(),
    }),
    run: async ({ query }, { context, grant }) => ({ totals: await readHoldTotalsFor(context, grant, query) }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/captures',
    summary: 'Captures a few holds in full, one after the other, and returns a result for each.',
    access: 'payments.capture',
    body: z.strictObject({ payments: z.array(place).min(1).max(50) }),
    output: z.object({ results: z.array(z.object({ paymentId: id, result: anything })) }),
    run: async ({ body }, { context, grant, actor }) => {
      // All payments are checked before the first capture, so that a list with another merchant's payment captures nothing.
      requireOwn(grant, body.payments)
      const payments = await Promise.all(
        body.payments.map(({ merchantId, paymentId }) => commands.requirePayment(context, merchantId, paymentId)),
      )
      const results: { paymentId: string; result: unknown }[] = []
      for (const payment of payments)
        results.push({ paymentId: payment.id, result: await commands.captureOneOfMany(context, { payment, actor }) })
      return { answer: { results }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: '/captures/work',
    summary: 'Starts a background job that captures holds in full: the given ones, or all that match a filter.',
    access: 'payments.capture',
    bodyBytes: 2_000_000,
    body: z.union([
      z.strictObject({ payments: z.array(place).min(1).max(10_000) }),
      z.strictObject({ filter: z.strictObject(filters) }),
    ]),
    output: shownWork,
    run: async ({ body }, caller) => {
      const { context, user, actor } = caller
      const wish = await readRequest(caller, body)
      const work = await beginWork(context, { userId: user.id, actor }, wish)
      const after = hasMember(body, 'filter') ? { filter: body.filter, holds: wish.total } : { holds: wish.total }
      return { answer: work, audit: { action: 'work.capture', subject: `work ${work.id}`, merchantId: null, after } }
    },
  }),
  changeEndpoint({
    method: 'PUT',
    path: '/merchants/:merchantId/payments/:paymentId/capture-plan',
    summary: 'Sets the time of a hold’s automatic capture; null means capture by hand.',
    access: 'payments.capture',
    body: z.strictObject({ captureAt: instantInput.nullable() }),
    output: doneOutput,
    run: async ({ params: { merchantId, paymentId }, body: { captureAt } }, { context }) => {
      const payment = await commands.requirePayment(context, merchantId, paymentId)
      return { answer: doneAnswer, audit: await planCapture(context, payment, captureAt) }
    },
  }),
]

type Places = readonly z.output<typeof place>[]
type WorkBody = { readonly payments: Places } | { readonly filter: z.output<z.ZodObject<typeof filters>> }

async function readRequest({ context, grant }: Caller, body: WorkBody): Promise<WorkRequest> {
  if (hasMember(body, 'payments')) {
    requireOwn(grant, body.payments)
    const payments = body.payments.map(({ merchantId, paymentId }) => ({ merchantId, paymentId }))
    return { kind: 'capture', total: BigInt(payments.length), request: { payments } }
  }
  const totals = await readHoldTotalsFor(context, grant, body.filter)
  const { merchantIds, from, to, ...rest } = captureFilterOf(grant, body.filter)
  const range = withoutUndefined({ from: from?.toISOString(), to: to?.toISOString() })
  const filter = { ...withoutUndefined(rest), ...range, merchantIds: merchantIds && [...merchantIds] }
  return { kind: 'capture', total: totals.reduce((sum, { holds }) => sum + BigInt(holds), 0n), request: { filter } }
}

function requireOwn(grant: Grant, payments: Places): void {
  if (!payments.every(({ merchantId }) => reaches(grant, merchantId))) throw notFound()
}
