/** Payments that a rule holds for review. Chapter 70 §7. */

import { z } from 'zod'
import { firstId } from '#domain/uuid.ts'
import { requirePayment } from '../../../../../panel/payments/payment-commands.ts'
import { decideReview, listReviewsFor } from '../../../../../panel/payments/reviews.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { anything, id, instant, minor, pageLimit, textInput } from '../../values.ts'

export const reviewEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/reviews',
    summary: 'Lists payments that wait for a review, oldest first; the next page starts after the last id.',
    access: 'payments.read',
    query: {
      test: z.enum(['true', 'false']).default('false'),
      after: z.uuid().default(firstId),
      limit: pageLimit,
    },
    output: z.object({
      reviews: z
        .array(
          z.object({
            merchantId: id,
            id,
            orderId: z.string(),
            currency: z.string(),
            amountDecimals: z.number(),
            authorisedMinor: minor,
            payerEmail: z.string().nullable(),
            midName: z.string(),
            reason: z.string(),
            rule: z.string(),
            createdAt: instant,
          }),
        )
        .readonly(),
    }),
    run: async ({ query: { test, after, limit } }, { context, grant }) => ({
      reviews: await listReviewsFor(context, grant, { mode: test === 'true' ? 'test' : 'live', after, limit }),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payments/:paymentId/review',
    summary: 'Accepts or rejects a payment in review. An accepted sale is captured, a rejected hold is released.',
    access: 'payments.decide',
    body: z.strictObject({ decision: z.enum(['accepted', 'rejected']), reason: textInput(500) }),
    output: z.object({ result: anything }),
    run: async ({ params: { merchantId, paymentId }, body }, { context, actor }) => ({
      answer: await decideReview(context, actor, await requirePayment(context, merchantId, paymentId), body),
      audit: 'written',
    }),
  }),
]
