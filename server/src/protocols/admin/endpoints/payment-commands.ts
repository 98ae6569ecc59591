/** What a person does to a payment, and the queue of holds that wait for their capture. */
import { z } from 'zod'
import { notFound } from '../../../admin/admin-refused.ts'
import * as commands from '../../../admin/payment-commands.ts'
import { holdsFor } from '../../../admin/payments.ts'
import { reaches } from '../../../admin/permissions.ts'
import { refund } from '../../../admin/refunds.ts'
import { changing, type Endpoint, reading } from '../endpoint.ts'
import { anything, id, instant, minorGiven, nothing, pageLimit, textGiven } from '../values.ts'
import { foundPayment } from './payments.ts'

const result = z.object({ result: anything })
const path = '/merchants/:merchantId/payments/:paymentId'

export const paymentCommandEndpoints: readonly Endpoint[] = [
  changing({
    method: 'POST',
    path: `${path}/capture`,
    summary: 'Captures a hold, all of it or a part.',
    access: 'payments.capture',
    body: z.strictObject({ amountMinor: minorGiven.optional() }),
    output: result,
    run: async ({ params: { merchantId, paymentId }, body }, { panel }) => {
      const payment = await commands.paymentOf(panel, merchantId, paymentId)
      const { result: came, audit } = await commands.capture(panel, payment, body.amountMinor)
      return { answer: { result: came }, audit }
    },
  }),
  changing({
    method: 'POST',
    path: `${path}/void`,
    summary: 'Voids a payment of the same financial day.',
    access: 'payments.refund',
    body: nothing,
    output: result,
    run: async ({ params: { merchantId, paymentId } }, { panel }) => {
      const { result: came, audit } = await commands.voidPayment(
        panel,
        await commands.paymentOf(panel, merchantId, paymentId),
      )
      return { answer: { result: came }, audit }
    },
  }),
  changing({
    method: 'POST',
    path: `${path}/refund`,
    summary: 'Refunds a payment or releases a hold; above the limit a second person has to allow it.',
    access: 'payments.refund',
    body: z.strictObject({ amountMinor: minorGiven.optional(), reason: z.string().trim().max(500).default('') }),
    output: z.union([z.object({ result: anything }), z.object({ approvalId: id })]),
    run: async ({ params: { merchantId, paymentId }, body }, { panel, user, actor }) => {
      const payment = await commands.paymentOf(panel, merchantId, paymentId)
      const { amountMinor, reason } = body
      const refunded = await refund(panel, { user, actor }, { payment, amountMinor, reason })
      if ('approval' in refunded) return { answer: { approvalId: refunded.approval.id }, audit: 'written' }
      const after = { ...refunded.result, reason }
      return {
        answer: { result: refunded.result },
        audit: { ...commands.about('payment.refund', payment), before: { status: payment.status }, after },
      }
    },
  }),
  changing({
    method: 'POST',
    path: `${path}/retry`,
    summary: 'Charges a recurring payment that was declined softly once more.',
    access: 'payments.retry',
    body: nothing,
    output: result,
    run: async ({ params: { merchantId, paymentId } }, { panel }) => {
      const { result: came, audit } = await commands.retryPayment(
        panel,
        await commands.paymentOf(panel, merchantId, paymentId),
      )
      return { answer: { result: came }, audit }
    },
  }),
  changing({
    method: 'POST',
    path: `${path}/chargeback`,
    summary: 'Enters a chargeback that the acquirer told.',
    access: 'payments.dispute',
    body: z.strictObject({
      reference: textGiven(100),
      amountMinor: minorGiven,
      bankDate: z.iso.date(),
      reasonCode: textGiven(100),
    }),
    output: result,
    run: async ({ params: { merchantId, paymentId }, body }, { panel }) => {
      const payment = await commands.paymentOf(panel, merchantId, paymentId)
      const { result: came, audit } = await commands.markChargeback(panel, payment, body)
      return { answer: { result: came }, audit }
    },
  }),
  changing({
    method: 'POST',
    path: `${path}/card`,
    summary: 'Shows the number of the card.',
    access: 'payments.reveal',
    body: z.strictObject({ reason: textGiven(500) }),
    output: z.object({ number: z.string() }),
    run: async ({ params: { merchantId, paymentId }, body: { reason } }, { panel }) => {
      const payment = await commands.paymentOf(panel, merchantId, paymentId)
      const number = await commands.cardNumber(panel, payment)
      return {
        answer: { number: number.reveal() },
        audit: { ...commands.about('payment.reveal-card', payment), after: { reason } },
      }
    },
  }),
  reading({
    path: '/captures',
    summary: 'Holds that wait for their capture, oldest first, and when they are captured by themselves.',
    access: 'payments.read',
    query: { after: z.uuid().default('00000000-0000-0000-0000-000000000000'), limit: pageLimit },
    output: z.object({ holds: z.array(foundPayment.extend({ captureAt: instant.nullable() })).readonly() }),
    run: async ({ query: { after, limit } }, { panel, grant }) => ({
      holds: await holdsFor(panel, grant, after, limit),
    }),
  }),
  changing({
    method: 'POST',
    path: '/captures',
    summary: 'Captures many holds in full, one after the other; each has its own result.',
    access: 'payments.capture',
    body: z.strictObject({
      payments: z
        .array(z.strictObject({ merchantId: z.uuid(), paymentId: z.uuid() }))
        .min(1)
        .max(50),
    }),
    output: z.object({ results: z.array(z.object({ paymentId: id, result: anything })) }),
    run: async ({ body }, { panel, grant, actor }) => {
      // All are looked up before the first is captured: a list with something foreign in it does nothing.
      if (!body.payments.every(({ merchantId }) => reaches(grant, merchantId))) throw notFound()
      const payments = await Promise.all(
        body.payments.map(({ merchantId, paymentId }) => commands.paymentOf(panel, merchantId, paymentId)),
      )
      const results: { paymentId: string; result: unknown }[] = []
      for (const payment of payments)
        results.push({ paymentId: payment.id, result: await commands.captureOneOfMany(panel, { payment, actor }) })
      return { answer: { results }, audit: 'written' }
    },
  }),
]
