/** The stored data of a payer, and its erasure. Chapter 50 §5, "Retention". */
import { z } from 'zod'
import { readPayer } from '../../../../../panel/payers/payer.ts'
import { erasePayer, resolveDryRun } from '../../../../../panel/payments/erasure.ts'
import { requirePayment } from '../../../../../panel/payments/payment-commands.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { emailInput, hasMember, id, instant, minor } from '../../values.ts'

const savedCard = z.string().regex(/^[0-9a-f]{64}$/, 'Enter the token of a saved card.')

const sums = z.object({
  currency: z.string(),
  amountDecimals: z.number(),
  payments: z.number(),
  declined: z.number(),
  capturedMinor: minor,
  refundedMinor: minor,
  chargedBackMinor: minor,
  firstAt: instant,
  lastAt: instant,
})
const card = z.object({
  id,
  bin: z.string(),
  lastFour: z.string(),
  network: z.string().nullable(),
  expiryMonth: z.number().nullable(),
  expiryYear: z.number().nullable(),
  /** The merchant can charge it by a token. */
  isSaved: z.boolean(),
})
const money = { amountMinor: minor, amountDecimals: z.number(), currency: z.string() }
const plan = z.object({
  id,
  state: z.string(),
  nextDate: z.string().nullable(),
  startedBy: id,
  orderId: z.string(),
  ...money,
})
const dispute = z.object({ id, paymentId: id, orderId: z.string(), stage: z.string(), openedAt: instant, ...money })

export const payerEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/merchants/:merchantId/payments/:paymentId/payer',
    summary:
      'Returns the payer of a payment, by its e-mail address or else its card: sums by currency, cards, plans and disputes of the newest 1000 payments.',
    access: 'payments.read',
    output: z.object({
      email: z.string().nullable(),
      cardMask: z.string().nullable(),
      cardId: id.nullable(),
      /** False if the payer has more payments than were counted, which are the newest. */
      complete: z.boolean(),
      counted: z.number(),
      sums: z.array(sums).readonly(),
      cards: z.array(card).readonly(),
      plans: z.array(plan).readonly(),
      disputes: z.array(dispute).readonly(),
    }),
    run: async ({ params: { merchantId, paymentId } }, { context }) =>
      readPayer(context, await requirePayment(context, merchantId, paymentId)),
  }),
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
