/** Stripe's webhooks: an event, signed together with the time of sending. */
import { createHmac } from 'node:crypto'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { NotificationForm } from '../kit/notification-sender.ts'
import { newId } from './records.ts'

/** `key` is the idempotency key of the request that caused it; null if none did. */
export function eventOf(
  account: string,
  type: string,
  object: Readonly<Record<string, unknown>>,
  key: string | null = null,
): Notice {
  const id = newId('evt')
  const created = Math.floor(now().getTime() / 1000)
  const livemode = account === 'live'
  return {
    id,
    account,
    content: {
      id,
      object: 'event',
      type,
      created,
      livemode,
      pending_webhooks: 1,
      request: key === null ? null : { id: newId('req'), idempotency_key: key },
      data: { object },
    },
  }
}

export const webhook: NotificationForm = {
  write: (content, { secrets }) => {
    const body = JSON.stringify(content)
    const time = Math.floor(now().getTime() / 1000)
    const signature = createHmac('sha256', secrets['webhookSecret'] ?? '')
      .update(`${time}.${body}`)
      .digest('hex')
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${time},v1=${signature}` },
      body,
    }
  },
  isAccepted: (status) => status >= 200 && status < 300,
}
