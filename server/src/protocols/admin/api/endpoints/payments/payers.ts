/** The stored data of a payer, and its erasure. Chapter 50 §5, "Retention". */
import { z } from 'zod'
import { erasePayer, resolveDryRun } from '../../../../../panel/payments/erasure.ts'
import { changeEndpoint, type Endpoint } from '../../endpoint.ts'
import { emailInput, hasMember } from '../../values.ts'

const savedCard = z.string().regex(/^[0-9a-f]{64}$/, 'Enter the token of a saved card.')

export const payerEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: '/merchants/:merchantId/payers/erase',
    summary: 'Erases a payer’s personal data, by e-mail address or saved card; amounts of payments are kept.',
    access: 'payers.erase',
    body: z.union([
      z.strictObject({ email: emailInput, dryRun: z.boolean() }),
      z.strictObject({ cardToken: savedCard, dryRun: z.boolean() }),
    ]),
    output: z.object({
      reference: z.string(),
      payments: z.number(),
      callbacks: z.number(),
      sessions: z.number(),
      cards: z.number(),
      savedCards: z.number(),
      savedFilters: z.number(),
      kept: z
        .array(z.object({ what: z.enum(['payment', 'card', 'session']), id: z.string(), reason: z.string() }))
        .readonly(),
    }),
    run: async ({ params: { merchantId }, body }, { context, actor }) => {
      const { dryRun } = body
      const payer = hasMember(body, 'email')
        ? ({ kind: 'email', email: body.email } as const)
        : ({ kind: 'card', cardToken: body.cardToken } as const)
      return {
        answer: await resolveDryRun(erasePayer(context, actor, { merchantId, payer, dryRun })),
        audit: dryRun ? 'none' : 'written',
      }
    },
  }),
]
