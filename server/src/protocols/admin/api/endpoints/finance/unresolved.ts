/** Unknown outcomes that people decide, and money that they give back by hand. Chapter 70 §1. */
import { z } from 'zod'
import { notFound } from '../../../../../panel/admin-refused.ts'
import { askGivenBack, askOutcome, listUnresolvedFor } from '../../../../../panel/finance/unresolved.ts'
import { requirePayment } from '../../../../../panel/payments/payment-commands.ts'
import { changeEndpoint, type Endpoint, queryEndpoint } from '../../endpoint.ts'
import { dayInput, id, instant, minor, minorInput, pageLimit, textInput } from '../../values.ts'

const path = '/merchants/:merchantId/payments/:paymentId'

const shownPayment = {
  merchantId: id,
  paymentId: id,
  orderId: z.string(),
  amountMinor: minor,
  currency: z.string(),
  amountDecimals: z.number(),
  midName: z.string().nullable(),
  /** The request that waits for a second person. */
  approvalId: id.nullable(),
}

const execution = { reference: textInput(100), amountMinor: minorInput, date: dayInput }
const grounds = { reason: textInput(500), evidence: textInput(2000) }

export const unresolvedEndpoints: readonly Endpoint[] = [
  queryEndpoint({
    path: '/unresolved',
    summary:
      'Lists transactions whose outcome people have to decide, oldest first, and money that has to be given back by hand; the next page starts after the last transaction.',
    access: 'payments.read',
    query: { merchantId: z.uuid().optional(), after: z.uuid().optional(), limit: pageLimit },
    output: z.object({
      now: instant,
      /** Of the outcomes on this page and the pages after it. */
      count: z.number(),
      outcomes: z
        .array(
          z.object({
            ...shownPayment,
            transactionId: id,
            type: z.string(),
            midId: id,
            reference: z.string().nullable(),
            asks: z.number(),
            createdAt: instant,
          }),
        )
        .readonly(),
      returns: z.array(z.object({ ...shownPayment, alertId: id, text: z.string(), raisedAt: instant })).readonly(),
    }),
    run: ({ query: { merchantId, after, limit } }, { context, grant }) =>
      listUnresolvedFor(context, grant, { merchantId: merchantId ?? null, after: after ?? null, limit }),
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/outcome`,
    summary: 'Asks a second person to decide the outcome of a transaction that its acquirer does not report.',
    access: 'payments.decide',
    body: z.discriminatedUnion('decision', [
      z.strictObject({ transactionId: z.uuid(), decision: z.literal('executed'), ...execution, ...grounds }),
      z.strictObject({ transactionId: z.uuid(), decision: z.literal('not-executed'), ...grounds }),
    ]),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId, paymentId }, body }, { context, user, actor }) => {
      const payment = await requirePayment(context, merchantId, paymentId)
      const transactions = await context.operations.listTransactions(payment)
      const transaction = transactions.find((one) => one.id === body.transactionId)
      if (!transaction) throw notFound()
      const { reason, evidence } = body
      const executed = body.decision === 'executed' ? body : null
      const wish = { executed, reason, evidence }
      const approval = await askOutcome(context, { user, actor }, { payment, transaction }, wish)
      return { answer: { approvalId: approval.id }, audit: 'written' }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/give-back`,
    summary: 'Asks a second person to confirm that money was given back at the acquirer.',
    access: 'payments.decide',
    body: z.strictObject({ alertId: z.uuid(), ...execution, ...grounds }),
    output: z.object({ approvalId: id }),
    run: async ({ params: { merchantId, paymentId }, body: { alertId, ...wish } }, { context, user, actor }) => {
      const payment = await requirePayment(context, merchantId, paymentId)
      const transactions = await context.operations.listTransactions(payment)
      const approval = await askGivenBack(context, { user, actor }, { payment, transactions, alertId }, wish)
      return { answer: { approvalId: approval.id }, audit: 'written' }
    },
  }),
]
