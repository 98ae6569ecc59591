/** Retry: repeats a recurring payment after a soft decline. Chapter 30 §4.7. */

import { errors } from '#domain/errors.ts'
import { checkoutFormulas } from '#domain/signature/signature.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { runUntilDeadline } from '../answer-deadline.ts'
import { endpoint } from '../endpoint.ts'
import { findNamedPayment } from '../named-payment.ts'
import { acceptedAnswer } from '../present.ts'

export const retry = endpoint({
  path: '/api/v1/payment/retry',
  name: 'retry',
  params: { merchant_key: anyText, payment_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedPayment(caller, input.payment_id),
  unknown: errors.paymentNotFound,
  signature: ({ payment_id }) => ({ names: checkoutFormulas.payment, values: { payment_id } }),
  run: (_, payment, caller, useId) =>
    runUntilDeadline(caller, useId, (use) => caller.operations.retry({ payment, useId: use })),
  recall: recallPayment,
  present: (result, { operations }) => acceptedAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
