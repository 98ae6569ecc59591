/** CAPTURE: takes the money that an authorization is holding, once; a partial one releases the rest. Chapter 10 §7.2, §7.3. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { amountIn, followUpAmount } from '../../kit/values/amount-params.ts'
import { parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { captureAnswer } from '../present.ts'

export const capture = action({
  name: 'CAPTURE',
  params: {
    client_key: anyText,
    trans_id: required(format.identifier),
    amount: followUpAmount, // the whole hold when absent
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: ({ amount, parameters }, payment, { operations }, useId) =>
    operations.capture({ payment, amountMinor: amountIn(payment, amount), parameters, useId }),
  recall: recallPayment,
  present: (result, { operations }) => captureAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
