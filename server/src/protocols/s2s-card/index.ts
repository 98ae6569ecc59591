/** S2S CARD: the list of its actions. Chapter 10 §3. */
import type { Action } from '../kit/action.ts'
import type { ProtocolActions } from '../kit/form-dialect.ts'
import { capture } from './actions/capture.ts'
import { card2card } from './actions/card2card.ts'
import { createSchedule } from './actions/create-schedule.ts'
import { credit2card } from './actions/credit2card.ts'
import { creditvoid } from './actions/creditvoid.ts'
import { debit } from './actions/debit.ts'
import { deleteSchedule } from './actions/delete-schedule.ts'
import { deschedule } from './actions/deschedule.ts'
import { getTransDetails } from './actions/get-trans-details.ts'
import { getTransStatus } from './actions/get-trans-status.ts'
import { getTransStatusByOrder } from './actions/get-trans-status-by-order.ts'
import { pauseSchedule } from './actions/pause-schedule.ts'
import { recurringDebit } from './actions/recurring-debit.ts'
import { recurringSale } from './actions/recurring-sale.ts'
import { retry } from './actions/retry.ts'
import { runSchedule } from './actions/run-schedule.ts'
import { sale } from './actions/sale.ts'
import { scheduleInfo } from './actions/schedule-info.ts'
import { updateSchedule } from './actions/update-schedule.ts'
import { voidPayment } from './actions/void.ts'

export const cardActions: readonly Action[] = [
  sale,
  capture,
  creditvoid,
  voidPayment,
  debit,
  recurringSale,
  recurringDebit,
  retry,
  credit2card,
  card2card,
  getTransStatus,
  getTransDetails,
  getTransStatusByOrder,
  createSchedule,
  updateSchedule,
  pauseSchedule,
  runSchedule,
  deleteSchedule,
  scheduleInfo,
  deschedule,
]

export const s2sCard: ProtocolActions = { protocol: 'S2S_CARD', actions: cardActions }
