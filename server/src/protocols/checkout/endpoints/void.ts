/** Void: undoes a payment on the financial day on which it was taken. Chapter 30 §4.5. */

import { errors } from '#domain/errors.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { parameterBag } from '../bag-params.ts'
import { endpoint } from '../endpoint.ts'
import { findNamedPayment } from '../named-payment.ts'
import { voidAnswer } from '../present.ts'

export const voidPayment = endpoint({
  path: '/api/v1/payment/void',
  name: 'void',
  params: {
    merchant_key: anyText,
    payment_id: required(format.identifier),
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.payment_id),
  unknown: errors.paymentNotFound,
  signature: ({ payment_id }) => ({ names: checkoutFormulas.payment, values: { payment_id } }),
  run: ({ parameters }, payment, caller, useId) =>
    runUntilDeadline(caller, useId, (use) =>
      caller.operations.void({ payment, amountMinor: undefined, parameters: parameters ?? undefined, useId: use }),
    ),
  recall: recallPayment,
  present: (result, { operations }) => voidAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
