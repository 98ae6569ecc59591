/**
 * Actions of S2S APM that the addresses of S2S CARD accept too: payouts, debits, and the look-ups of both. Clients with a single address
 * send them there, and a payout that its client cannot find again might be paid twice. Chapter 20 §1.
 */
import { errors } from '#domain/errors.ts'
import { apmFormulas } from '#domain/signature/signature.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { action } from '../kit/action.ts'
import type { ProtocolActions } from '../kit/form-dialect.ts'
import * as format from '../kit/values/formats.ts'
import { anyText, required } from '../kit/values/params.ts'
import { credit2crypto } from './actions/credit2crypto.ts'
import { credit2virtual } from './actions/credit2virtual.ts'
import { debit2virtual } from './actions/debit2virtual.ts'
import { debit2virtualCalc } from './actions/debit2virtual-calc.ts'
import { debit2virtualComplete } from './actions/debit2virtual-complete.ts'
import { findNamedPayment, followUpSignature } from './named-payment.ts'
import { detailsAnswer, statusAnswer } from './present.ts'

const first = [credit2virtual, credit2crypto, debit2virtual, debit2virtualCalc]

/** Sales of S2S APM remain unknown here: they are sent, and looked up, at the address of that protocol. */
const takenHere = (payment: PaymentRecord | null): PaymentRecord | null =>
  payment && first.some(({ name }) => name === payment.action) ? payment : null

const byTransId = { client_key: anyText, trans_id: required(format.identifier), hash: anyText }

const getTransStatus = action({
  name: 'GET_TRANS_STATUS',
  params: byTransId,
  find: async (input, caller) => takenHere(await findNamedPayment(caller, input.trans_id)),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: async (_, payment) => payment,
  present: (payment, caller) => statusAnswer('GET_TRANS_STATUS', caller.operations.facts({ payment }), caller),
})

const getTransDetails = action({
  name: 'GET_TRANS_DETAILS',
  params: byTransId,
  find: async (input, caller) => takenHere(await findNamedPayment(caller, input.trans_id)),
  unknown: errors.transactionDoesNotExist,
  signature: (_, payment) => followUpSignature(payment),
  run: async (_, payment, { operations }) => ({ payment, transactions: await operations.listTransactions(payment) }),
  present: (details, caller) => detailsAnswer(caller.operations.facts(details), caller),
})

const getTransStatusByOrder = action({
  name: 'GET_TRANS_STATUS_BY_ORDER',
  params: { client_key: anyText, order_id: required(format.identifier), hash: anyText },
  find: async ({ order_id }, { merchant, mode, operations }) =>
    takenHere(await operations.findNewestWithBrand(merchant.id, order_id, mode)),
  unknown: errors.orderDoesNotExist,
  signature: ({ order_id }) => ({ formula: apmFormulas.byOrder, values: { order_id } }),
  run: async (_, payment) => payment,
  present: (payment, caller) => statusAnswer('GET_TRANS_STATUS_BY_ORDER', caller.operations.facts({ payment }), caller),
})

export const apmAtCardAddress: ProtocolActions = {
  protocol: 'S2S_APM',
  actions: [...first, debit2virtualComplete, getTransStatus, getTransDetails, getTransStatusByOrder],
}
