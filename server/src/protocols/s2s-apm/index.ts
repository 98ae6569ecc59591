/** S2S APM: the list of its actions. Chapter 20 §3. */
import type { Action } from '../kit/action.ts'
import type { ProtocolActions } from '../kit/form-dialect.ts'
import { capture } from './actions/capture.ts'
import { credit2crypto } from './actions/credit2crypto.ts'
import { credit2virtual } from './actions/credit2virtual.ts'
import { creditvoid } from './actions/creditvoid.ts'
import { debit2virtual } from './actions/debit2virtual.ts'
import { debit2virtualCalc } from './actions/debit2virtual-calc.ts'
import { debit2virtualComplete } from './actions/debit2virtual-complete.ts'
import { getTransStatus } from './actions/get-trans-status.ts'
import { getTransStatusByOrder } from './actions/get-trans-status-by-order.ts'
import { sale } from './actions/sale.ts'
import { voidPayment } from './actions/void.ts'

export const apmActions: readonly Action[] = [
  sale,
  capture,
  creditvoid,
  voidPayment,
  credit2virtual,
  credit2crypto,
  debit2virtual,
  debit2virtualCalc,
  debit2virtualComplete,
  getTransStatus,
  getTransStatusByOrder,
]

export const s2sApm: ProtocolActions = { protocol: 'S2S_APM', actions: apmActions }
