/** Refund: refunds a payment in full or in parts, releases a hold, reverses a debit. Chapter 30 §4.4. */

import { errors, violations } from '#domain/errors.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { invalid } from '../../../contracts/refused-error.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { amountIn, refundAmount } from '../amount-params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { parameterBag } from '../bag-params.ts'
import { endpoint } from '../endpoint.ts'
import { findNamedPayment } from '../named-payment.ts'
import { acceptedAnswer } from '../present.ts'

export const refund = endpoint({
  path: '/api/v1/payment/refund',
  name: 'refund',
  params: {
    merchant_key: anyText,
    payment_id: required(format.identifier),
    amount: refundAmount,
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.payment_id),
  unknown: errors.paymentNotFound,
  signature: ({ payment_id, amount }) => ({ names: checkoutFormulas.paymentAmount, values: { payment_id, amount } }),
  run: ({ amount, parameters }, payment, caller, useId) => {
    const amountMinor = amountOf(payment, amount)
    return runUntilDeadline(caller, useId, (use) =>
      caller.operations.creditvoid({ payment, amountMinor, parameters: parameters ?? undefined, useId: use }),
    )
  },
  recall: recallPayment,
  present: (result, { operations }) => acceptedAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})

/** Zero is accepted only to release a zero authorization. Chapter 30 §3.9. */
function amountOf(payment: PaymentRecord, text: string): bigint | undefined {
  const { minor } = amountIn(payment, text)
  if (minor > 0n) return minor
  if (payment.holds && payment.amountMinor === 0n) return undefined
  throw invalid({ param: 'amount', text: violations.notPositive })
}
