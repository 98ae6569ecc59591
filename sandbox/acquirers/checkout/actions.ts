/** Captures, refunds, voids and reversals: taken with 202, reported by a webhook. */
import type { Effect } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { Execution } from '../kit/idempotency.ts'
import { type Caller, type Fields, textOf } from './charge.ts'
import { disputeAsAsked } from './disputes.ts'
import { invalid, notAllowed } from './errors.ts'
import { type Action, newId, type Payment } from './payment.ts'
import { approvedVerdict } from './test-cards.ts'
import { noticeOf } from './webhook.ts'

export type ActionPath = 'captures' | 'refunds' | 'voids' | 'reversals'

/** What one request does: usually one action, a reversal of a partly captured payment two. */
interface PlannedAction {
  readonly kind: Effect['kind']
  readonly amount: number
  readonly after: Payment
  readonly types: readonly (readonly [type: Action['type'], amount: number, event: string])[]
}

export function act(path: ActionPath, payment: Payment, body: Fields, caller: Caller): Execution<Payment> {
  const { amount } = body
  if (amount !== undefined && (!Number.isSafeInteger(amount) || Number(amount) <= 0))
    return { reply: invalid('amount_invalid'), isRefused: true }
  const planned = plannedActionOf(path, payment, amount === undefined ? null : Number(amount))
  if (planned === 'too-much') return { reply: invalid('amount_exceeds_balance'), isRefused: true }
  if (planned === null) return { reply: notAllowed, isRefused: true }
  return execute(planned, textOf(body.reference), caller)
}

function plannedActionOf(path: ActionPath, payment: Payment, part: number | null): PlannedAction | 'too-much' | null {
  const { amount, captured, refunded, state } = payment
  const [toCapture, toRefund] = [amount - captured, captured - refunded]
  if (state !== 'authorized') return null
  switch (path) {
    case 'captures': {
      const value = part ?? toCapture
      if (toCapture === 0) return null
      if (value > toCapture) return 'too-much'
      const after = { ...payment, captured: captured + value }
      return { kind: 'capture', amount: value, after, types: [['Capture', value, 'payment_captured']] }
    }
    case 'refunds': {
      const value = part ?? toRefund
      if (toRefund === 0) return null
      if (value > toRefund) return 'too-much'
      const after = { ...payment, refunded: refunded + value }
      return { kind: 'refund', amount: value, after, types: [['Refund', value, 'payment_refunded']] }
    }
    case 'voids':
      if (captured > 0) return null
      return reversalOf(payment, 'reverse', amount, 0)
    case 'reversals':
      if (captured > 0 && toRefund === 0) return null
      return captured > 0 ? reversalOf(payment, 'void', toCapture, toRefund) : reversalOf(payment, 'reverse', amount, 0)
  }
}

function reversalOf(payment: Payment, kind: Effect['kind'], toVoid: number, toRefund: number): PlannedAction {
  return {
    kind,
    amount: toRefund > 0 ? toRefund : toVoid,
    after: { ...payment, state: 'voided', refunded: payment.refunded + toRefund },
    types: [
      ...(toRefund > 0 ? [['Refund', toRefund, 'payment_refunded'] as const] : []),
      ...(toVoid > 0 ? [['Void', toVoid, 'payment_voided'] as const] : []),
    ],
  }
}

function execute({ kind, amount, after, types }: PlannedAction, reference: string, caller: Caller): Execution<Payment> {
  const { account, transactionId, url } = caller
  const executions = types.map(([type, value, event]) => ({ event, action: actionOf(type, value, reference) }))
  const executed: Payment = {
    ...after,
    actions: [...executions.map(({ action }) => action).toReversed(), ...after.actions],
  }
  const id = executions[0]?.action.id ?? newId('act')
  const effect: Effect = {
    account,
    transactionId: transactionId || reference,
    kind,
    amount: String(amount),
    currency: after.currency,
    state: 'executed',
    reference: id,
  }
  const disputed = disputeAsAsked(executed)
  const body = { action_id: id, reference, _links: { payment: { href: `${url}/payments/${after.id}` } } }
  return {
    reply: { status: 202, body },
    line: {
      items: [disputed.payment],
      effects: [effect, ...disputed.effects],
      notices: [...executions.map(({ event, action }) => noticeOf(event, executed, action)), ...disputed.notices],
    },
  }
}

const actionOf = (type: Action['type'], amount: number, reference: string): Action => ({
  id: newId('act'),
  type,
  reference,
  amount,
  code: approvedVerdict.code,
  summary: approvedVerdict.summary,
  at: now().toISOString(),
})
