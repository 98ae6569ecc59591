/** Commands on payments that users give in the panel. */
import { z } from 'zod'
import * as commands from '../../../../../panel/payments/payment-commands.ts'
import { refund } from '../../../../../panel/payments/refunds.ts'
import { changeEndpoint, type Endpoint } from '../../endpoint.ts'
import { anything, dayInput, emptyBody, id, minorInput, textInput } from '../../values.ts'

const result = z.object({ result: anything })
const path = '/merchants/:merchantId/payments/:paymentId'

export const paymentCommandEndpoints: readonly Endpoint[] = [
  changeEndpoint({
    method: 'POST',
    path: `${path}/capture`,
    summary: 'Captures a hold in full or in part.',
    access: 'payments.capture',
    body: z.strictObject({ amountMinor: minorInput.optional() }),
    output: result,
    run: async ({ params: { merchantId, paymentId }, body }, { context }) => {
      const payment = await commands.requirePayment(context, merchantId, paymentId)
      const { result: came, audit } = await commands.capture(context, payment, body.amountMinor)
      return { answer: { result: came }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/void`,
    summary: 'Voids a payment of the same financial day.',
    access: 'payments.refund',
    body: emptyBody,
    output: result,
    run: async ({ params: { merchantId, paymentId } }, { context }) => {
      const { result: came, audit } = await commands.voidPayment(
        context,
        await commands.requirePayment(context, merchantId, paymentId),
      )
      return { answer: { result: came }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/refund`,
    summary: 'Refunds a payment or releases a hold; above the limit a second person must approve.',
    access: 'payments.refund',
    body: z.strictObject({ amountMinor: minorInput.optional(), reason: z.string().trim().max(500).default('') }),
    output: z.union([z.object({ result: anything }), z.object({ approvalId: id })]),
    run: async ({ params: { merchantId, paymentId }, body }, { context, user, actor }) => {
      const payment = await commands.requirePayment(context, merchantId, paymentId)
      const { amountMinor, reason } = body
      const refunded = await refund(context, { user, actor }, { payment, amountMinor, reason })
      if (refunded.kind === 'waiting') return { answer: { approvalId: refunded.approval.id }, audit: 'written' }
      const after = { ...refunded.result, reason }
      return {
        answer: { result: refunded.result },
        audit: { ...commands.paymentAudit('payment.refund', payment), before: { status: payment.status }, after },
      }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/retry`,
    summary: 'Retries a recurring payment after a soft decline.',
    access: 'payments.retry',
    body: emptyBody,
    output: result,
    run: async ({ params: { merchantId, paymentId } }, { context }) => {
      const { result: came, audit } = await commands.retryPayment(
        context,
        await commands.requirePayment(context, merchantId, paymentId),
      )
      return { answer: { result: came }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/chargeback`,
    summary: 'Records a chargeback reported by the acquirer.',
    access: 'payments.dispute',
    body: z.strictObject({
      reference: textInput(100),
      amountMinor: minorInput,
      bankDate: dayInput,
      reasonCode: textInput(100),
    }),
    output: result,
    run: async ({ params: { merchantId, paymentId }, body }, { context }) => {
      const payment = await commands.requirePayment(context, merchantId, paymentId)
      const { result: came, audit } = await commands.markChargeback(context, payment, body)
      return { answer: { result: came }, audit }
    },
  }),
  changeEndpoint({
    method: 'POST',
    path: `${path}/card`,
    summary: 'Returns the card number.',
    access: 'payments.reveal',
    stepUp: true,
    body: z.strictObject({ reason: textInput(500) }),
    output: z.object({ number: z.string() }),
    run: async ({ params: { merchantId, paymentId }, body: { reason } }, { context }) => {
      const payment = await commands.requirePayment(context, merchantId, paymentId)
      const number = await commands.openCardNumber(context, payment)
      return {
        answer: { number: number.reveal() },
        audit: { ...commands.paymentAudit('payment.reveal-card', payment), after: { reason } },
      }
    },
  }),
]
