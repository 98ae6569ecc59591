/** A message as Adyen's webhook sends it: an authorisation, signed by HMAC over eight of its fields. */
import { createHmac } from 'node:crypto'

interface Reported {
  readonly merchantAccount: string
  readonly pspReference: string
  readonly merchantReference: string
  readonly hmacKey: string
}

export function adyenNotification({ merchantAccount, pspReference, merchantReference, hmacKey }: Reported): string {
  const signed = [pspReference, '', merchantAccount, merchantReference, 1000, 'EUR', 'AUTHORISATION', 'true'].join(':')
  const hmacSignature = createHmac('sha256', Buffer.from(hmacKey, 'hex')).update(signed).digest('base64')
  const item = {
    additionalData: { hmacSignature },
    amount: { value: 1000, currency: 'EUR' },
    eventCode: 'AUTHORISATION',
    eventDate: '2026-11-16T12:00:00+01:00',
    merchantAccountCode: merchantAccount,
    merchantReference,
    paymentMethod: 'visa',
    pspReference,
    reason: '',
    success: 'true',
  }
  return JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] })
}
