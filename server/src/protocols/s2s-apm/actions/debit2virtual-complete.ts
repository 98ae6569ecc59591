/** DEBIT2VIRTUAL_COMPLETE: executes a calculated debit with the commission of its calculation. Chapter 20 §12. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { paymentNotes, recallPayment } from '../../kit/payment-recall.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { debitAnswer } from '../present.ts'

export const debit2virtualComplete = action({
  name: 'DEBIT2VIRTUAL_COMPLETE',
  params: { client_key: anyText, trans_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: (_, payment, { operations }, useId) => operations.complete({ payment, useId }),
  recall: recallPayment,
  present: (result, { operations }) => debitAnswer('DEBIT2VIRTUAL_COMPLETE', operations.facts(result)),
  logNotes: paymentNotes,
})
