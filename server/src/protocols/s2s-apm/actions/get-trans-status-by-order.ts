/** GET_TRANS_STATUS_BY_ORDER: the status of an order's newest payment with a brand. Chapter 20 §13. */
import { errors } from '#domain/errors.ts'
import { apmFormulas } from '#domain/signature/signature.ts'
import { action } from '../../kit/action.ts'
import * as format from '../../kit/values/formats.ts'
import { anyText, required } from '../../kit/values/params.ts'
import { statusAnswer } from '../present.ts'

export const getTransStatusByOrder = action({
  name: 'GET_TRANS_STATUS_BY_ORDER',
  params: { client_key: anyText, order_id: required(format.identifier), hash: anyText },
  find: ({ order_id }, { merchant, mode, operations }) => operations.findNewestWithBrand(merchant.id, order_id, mode),
  unknown: errors.orderDoesNotExist,
  signature: ({ order_id }) => ({ formula: apmFormulas.byOrder, values: { order_id } }),
  run: async (_, payment) => payment,
  present: (payment, caller) => statusAnswer('GET_TRANS_STATUS_BY_ORDER', caller.operations.facts({ payment }), caller),
})
