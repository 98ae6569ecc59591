/** GET_TRANS_STATUS: the status of a payment. Chapter 20 §13. */
import { errors } from '#domain/errors.ts'
import { action } from '../../kit/action.ts'
import { inCascadingContext } from '../../kit/cascading-context.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { findNamedPayment, followUpSignature } from '../named-payment.ts'
import { statusAnswer } from '../present.ts'

export const getTransStatus = action({
  name: 'GET_TRANS_STATUS',
  params: { client_key: anyText, trans_id: required(format.identifier), hash: anyText },
  find: (input, caller) => findNamedPayment(caller, input.trans_id),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: (_, payment, caller) => inCascadingContext(caller, payment),
  present: (payment, caller) => statusAnswer('GET_TRANS_STATUS', caller.operations.facts({ payment }), caller),
})
