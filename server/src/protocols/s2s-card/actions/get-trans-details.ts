/** GET_TRANS_DETAILS: status, payer and all transactions of a payment. Chapter 10 §7.10. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { detailsAnswer } from '../present.ts'

export const getTransDetails = action({
  name: 'GET_TRANS_DETAILS',
  params: { client_key: anyText, trans_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: async (_, payment, { operations }) => ({
    payment: await operations.withFirstDate(payment),
    transactions: await operations.listTransactions(payment),
  }),
  present: (details, caller) => detailsAnswer(caller.operations.facts(details), caller),
})
