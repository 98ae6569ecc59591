/** Webhooks of Checkout.com, signed by HMAC-SHA256 over the body. */
import { createHmac } from 'node:crypto'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { NotificationForm } from '../kit/notification-sender.ts'
import { type Action, newId, type Payment } from './payment.ts'
import { arnOf, balancesOf } from './views.ts'

/** `type` as the list of events names it: `payment_captured`. */
export function eventOf(type: string, account: string, data: Readonly<Record<string, unknown>>): Notice {
  const id = newId('evt')
  return { id, account, content: { id, type, version: '1.0.29', timestamp: now().toISOString(), data } }
}

export const noticeOf = (type: string, payment: Payment, action: Action): Notice =>
  eventOf(type, payment.account, {
    id: payment.id,
    action_id: action.id,
    reference: action.reference,
    amount: action.amount,
    currency: payment.currency,
    processed_on: action.at,
    response_code: action.code,
    response_summary: action.summary,
    balances: balancesOf(payment),
    ...(action.type === 'Capture' || action.type === 'Refund'
      ? { processing: { acquirer_reference_number: arnOf(action.id) } }
      : {}),
  })

export const webhook: NotificationForm = {
  write: (content, { secrets }) => {
    const body = JSON.stringify(content)
    const signature = createHmac('sha256', secrets['signatureKey'] ?? '')
      .update(body)
      .digest('hex')
    return { headers: { 'content-type': 'application/json; charset=utf-8', 'cko-signature': signature }, body }
  },
  isAccepted: (status) => status >= 200 && status < 300,
}
