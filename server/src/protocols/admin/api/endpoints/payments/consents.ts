/** Payers' consents to later payments. Chapter 30 §7.5. */
import { z } from 'zod'
import { listConsentsFor, withdraw } from '../../../../../panel/payments/consents.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { emptyBody, id, instant, pageLimit } from '../../values.ts'

/** `cancelled` is the stored word for a withdrawn consent. */
const state = z.enum(['active', 'cancelled', 'ignored'])

export const consentEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants/:merchantId/consents',
    summary: 'Lists consents of a merchant’s payers by the payment at which they were given, newest first.',
    access: 'schedules.read',
    query: { state: state.optional(), before: z.uuid().optional(), limit: pageLimit },
    output: z.object({
      consents: z
        .array(
          z.object({
            paymentId: id,
            chainId: id.nullable(),
            consentId: z.string().nullable(),
            state,
            orderId: z.string(),
            payerEmail: z.string().nullable(),
            cardMask: z.string().nullable(),
            test: z.boolean(),
            createdAt: instant,
          }),
        )
        .readonly(),
    }),
    run: async ({ params: { merchantId }, query }, { context }) => ({
      consents: await listConsentsFor(context, merchantId, query),
    }),
  }),
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payments/:paymentId/consent/withdraw',
    summary: 'Withdraws the consent of a payment’s recurring chain; its plan ends.',
    access: 'schedules.write',
    body: emptyBody,
    output: z.object({ endedPlans: z.number() }),
    run: async ({ params: { merchantId, paymentId } }, { context }) => {
      const { endedPlans, audit } = await withdraw(context, merchantId, paymentId)
      return { answer: { endedPlans }, audit }
    },
  }),
]
