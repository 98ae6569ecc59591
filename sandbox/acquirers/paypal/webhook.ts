/** Webhooks: what an event says, and how a transmission is signed. */
import { randomUUID, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Account } from '../kit/accounts.ts'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { NotificationForm } from '../kit/notification-sender.ts'
import type { WebhookCertificates } from './certificates.ts'
import type { StoredOrder } from './order.ts'

export function webhookNotice({ account }: Pick<StoredOrder, 'account'>, type: string, resource: unknown): Notice {
  const id = `WH-${randomUUID().replaceAll('-', '').toUpperCase()}`
  const content = { id, event_version: '1.0', create_time: now().toISOString(), event_type: type, resource }
  return { id, account, content }
}

export const certificateName = ({ signer }: WebhookCertificates): string => `CERT-${signer.serial}`

/** `base` is the address under which the merchant knows this program. */
export const webhookForm = (certificates: WebhookCertificates, base: () => string): NotificationForm => ({
  write: (content, { secrets }: Account) => {
    const body = JSON.stringify(content)
    const id = randomUUID()
    const time = now().toISOString()
    const text = `${id}|${time}|${secrets['webhook_id']}|${crc32(body)}`
    return {
      headers: {
        'content-type': 'application/json',
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(text), certificates.signer.key.privateKey).toString(
          'base64',
        ),
        'paypal-cert-url': `${base()}/v1/notifications/certs/${certificateName(certificates)}`,
        'paypal-auth-algo': 'SHA256withRSA',
      },
      body,
    }
  },
  isAccepted: (status) => status >= 200 && status < 300,
})
