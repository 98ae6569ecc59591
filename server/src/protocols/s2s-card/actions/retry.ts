/** RETRY: repeats a recurring payment after a soft decline. Chapter 10 §7.2, §7.7. */
import { errors } from '#domain/errors.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { retryAnswer } from '../present.ts'

export const retry = action({
  name: 'RETRY',
  params: { client_key: anyText, trans_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.paymentNotFound,
  // Formula 2, or Formula 1 over the first payment's e-mail and card, which every payment of the chain shares.
  signature: (_, payment) => ({ ...followUpSignature(payment), orElse: [cardFormulas.start] }),
  run: (_, payment, { operations }, useId) => operations.retry({ payment, useId }),
  recall: recallPayment,
  present: (result, { operations }) => retryAnswer(operations.facts(result)),
  logNotes: paymentNotes,
})
