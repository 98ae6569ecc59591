/** VOID: cancels a settled sale on the same financial day. Chapter 10 §7.2, §7.3. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { voidAnswer } from '../present.ts'

export const voidPayment = action({
  name: 'VOID',
  params: {
    client_key: anyText,
    trans_id: required(format.identifier),
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.paymentNotFound,
  signature: (_, payment) => followUpSignature(payment),
  run: ({ parameters }, payment, { operations }, useId) =>
    operations.void({ payment, amountMinor: undefined, parameters, useId }),
  recall: recallPayment,
  present: (result, { operations }) => voidAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
