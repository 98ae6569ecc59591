/** GET_TRANS_STATUS_BY_ORDER: the status of an order's newest payment. Chapter 10 §7.10. */
import { errors } from '#domain/errors.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { action, type Signed } from '../../kit/action.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { knownHere } from '../named-payment.ts'
import { statusAnswer } from '../present.ts'

export const getTransStatusByOrder = action({
  name: 'GET_TRANS_STATUS_BY_ORDER',
  params: { client_key: anyText, order_id: required(format.identifier), hash: anyText },
  find: ({ order_id }, { merchant, mode, operations }) =>
    operations.findNewestOfOrder(merchant.id, order_id, mode, knownHere),
  unknown: errors.orderDoesNotExist,
  signature: (_, payment) => byOrderSignature(payment),
  run: (_, payment, { operations }) => operations.withFirstDate(payment),
  present: (payment, caller) => statusAnswer('GET_TRANS_STATUS_BY_ORDER', caller.operations.facts({ payment }), caller),
})

/** Formula 7; the e-mail of a payout is never signed. */
function byOrderSignature(payment: PaymentRecord): Signed {
  const email = payment.kind === 'credit' ? undefined : (payment.payerEmail ?? undefined)
  return {
    formula: cardFormulas.byOrder,
    values: { email, order_id: payment.orderId, pan10: payment.pan10 ?? undefined },
  }
}
