/** Operations for payers in the middle of a payment: they do not wait behind new payments and are never refused for overload. */
import type { Operations } from '../payments/index.ts'
import type { Gate } from './gate.ts'

export const withoutQueueing = (operations: Operations, gate: Pick<Gate, 'finish'>): Operations => ({
  ...operations,
  handleVisit: (visit) => gate.finish(() => operations.handleVisit(visit)),
  payerSessions: {
    ...operations.payerSessions,
    pay: (context, attempt) => gate.finish(() => operations.payerSessions.pay(context, attempt)),
  },
})
