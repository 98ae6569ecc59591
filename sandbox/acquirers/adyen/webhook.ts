/** Adyen's standard webhook: one item per message, signed by HMAC-SHA256 over eight of its fields. */
import { createHmac } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Account } from '../kit/accounts.ts'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { NotificationForm } from '../kit/notification-sender.ts'
import { newReference, type Payment } from './payment.ts'

interface Report {
  readonly eventCode: string
  readonly success: boolean
  readonly reason?: string
  /** Of the modification; absent where the report is about the payment itself. */
  readonly pspReference?: string
  readonly merchantReference?: string
  readonly amount?: number
  readonly data?: Readonly<Record<string, string>>
}

/** The amount is that of the payment unless the report states another. */
export function noticeOf(payment: Payment, report: Report, merchantAccount: string): Notice {
  const { eventCode, success, reason = '', pspReference, merchantReference, amount, data } = report
  return {
    id: newReference(),
    account: payment.account,
    content: {
      additionalData: { cardSummary: payment.lastFour, ...data },
      amount: { currency: payment.currency, value: amount ?? payment.amount },
      eventCode,
      eventDate: now().toISOString(),
      merchantAccountCode: merchantAccount,
      merchantReference: merchantReference ?? payment.reference,
      ...(pspReference !== undefined && { originalReference: payment.pspReference }),
      paymentMethod: 'visa',
      pspReference: pspReference ?? payment.pspReference,
      reason,
      success: String(success),
    },
  }
}

export const webhook: NotificationForm = {
  write: (content, account) => {
    const item = isObject(content) ? content : {}
    const data = isObject(item.additionalData) ? item.additionalData : {}
    const signed = { ...item, additionalData: { ...data, hmacSignature: signatureOf(item, account) } }
    const message = { live: String(account.name === 'live'), notificationItems: [{ NotificationRequestItem: signed }] }
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }
  },
  isAccepted: (status, text) => status >= 200 && status < 300 && text.includes('[accepted]'),
}

function signatureOf(item: Readonly<Record<string, unknown>>, { secrets }: Account): string {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference, eventCode, success } = item
  const { value, currency } = isObject(item.amount) ? item.amount : {}
  const text = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    value,
    currency,
    eventCode,
    success,
  ]
  return createHmac('sha256', Buffer.from(secrets['hmacKey'] ?? '', 'hex'))
    .update(text.map(String).join(':'))
    .digest('base64')
}
