/** What the protocols may ask for: one verb per operation, bound to what it needs. */

import type { Side } from '#domain/merchant.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import type { PaymentRecord, TransactionRecord } from '../records.ts'
import type { Deps } from './deps.ts'
import { factsOf } from './facts.ts'
import { type FirstStepRequest, firstStep } from './first-step.ts'
import { type FollowUpRequest, followUp } from './follow-up.ts'
import { type Led, type Visit, visit } from './payer-step.ts'
import { asItStands, type Performed } from './perform.ts'

type Request = Omit<FollowUpRequest, 'command'>

export interface Operations {
  firstStep(request: FirstStepRequest): Promise<Performed>
  capture(request: Request): Promise<Performed>
  creditvoid(request: Request): Promise<Performed>
  void(request: Request): Promise<Performed>
  /** A payer's browser comes to one of the one-time addresses. */
  visit(visit: Visit): Promise<Led>
  find(merchantId: string, id: string): Promise<PaymentRecord | null>
  newestOfOrder(merchantId: string, orderId: string, side: Side): Promise<PaymentRecord | null>
  transactions(payment: PaymentRecord): Promise<readonly TransactionRecord[]>
  /** What became of the request that used an idempotency key, if its intent was written. */
  recall(merchantId: string, useId: string): Promise<Performed | null>
  facts(about: {
    readonly payment: PaymentRecord
    readonly transaction?: TransactionRecord
    readonly transactions?: readonly TransactionRecord[]
  }): PaymentFacts
}

export function operations(deps: Deps): Operations {
  return {
    firstStep: (request) => firstStep(deps, request),
    visit: (given) => visit(deps, given),
    capture: (request) => followUp(deps, { ...request, command: 'CAPTURE' }),
    creditvoid: (request) => followUp(deps, { ...request, command: 'CREDITVOID' }),
    void: (request) => followUp(deps, { ...request, command: 'VOID' }),
    find: deps.payments.find,
    newestOfOrder: deps.payments.newestOfOrder,
    transactions: (payment) => deps.payments.transactions(payment.merchantId, payment.id),
    recall: async (merchantId, useId) => {
      const transaction = await deps.payments.byUse(merchantId, useId)
      const payment = transaction && (await deps.payments.find(merchantId, transaction.paymentId))
      return payment ? asItStands(deps, payment, transaction) : null
    },
    facts: ({ payment, ...told }) => factsOf(deps, payment, told),
  }
}
