/** Capture: takes the money that an authorization is holding, once; a partial one releases the rest. Chapter 30 §4.3. */

import { errors } from '#domain/errors.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { amountIn, followUpAmount } from '../amount-params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { parameterBag } from '../bag-params.ts'
import { endpoint } from '../endpoint.ts'
import { findNamedPayment } from '../named-payment.ts'
import { captureAnswer } from '../present.ts'

export const capture = endpoint({
  path: '/api/v1/payment/capture',
  name: 'capture',
  params: {
    merchant_key: anyText,
    payment_id: required(format.identifier),
    amount: followUpAmount,
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.payment_id),
  unknown: errors.paymentNotFound,
  signature: ({ payment_id, amount }) => ({ names: checkoutFormulas.paymentAmount, values: { payment_id, amount } }),
  run: ({ amount, parameters }, payment, caller, useId) => {
    const { minor } = amountIn(payment, amount)
    return runUntilDeadline(caller, useId, (use) =>
      caller.operations.capture({ payment, amountMinor: minor, parameters: parameters ?? undefined, useId: use }),
    )
  },
  recall: recallPayment,
  present: (result, { operations }) => captureAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
