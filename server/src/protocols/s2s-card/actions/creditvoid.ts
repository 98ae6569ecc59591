/** CREDITVOID: releases a hold, refunds a sale in full or in parts, reverses a debit. Chapter 10 §7.2, §7.4. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import { amountIn, followUpAmount } from '../../kit/values/amount-params.ts'
import { parameterBag } from '../../kit/values/bag.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { acceptedAnswer } from '../present.ts'

export const creditvoid = action({
  name: 'CREDITVOID',
  params: {
    client_key: anyText,
    trans_id: required(format.identifier),
    amount: followUpAmount, // all that is left when absent
    parameters: parameterBag,
    hash: anyText,
  },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.paymentNotFound,
  signature: (_, payment) => followUpSignature(payment),
  run: ({ amount, parameters }, payment, { operations }, useId) =>
    operations.creditvoid({ payment, amountMinor: amountIn(payment, amount), parameters, useId }),
  recall: recallPayment,
  present: (result, { operations }) => acceptedAnswer('CREDITVOID', operations.facts(result)),
  logNotes: paymentNotes,
})
