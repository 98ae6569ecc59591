/** Webhooks of CyberSource: payment events are encrypted for the merchant's key, and every notification is signed with its time. */
import { constants, createCipheriv, createHmac, publicEncrypt, randomBytes, randomUUID } from 'node:crypto'
import { isObject } from '#domain/json.ts'
import type { Notice } from '../kit/books.ts'
import { now } from '../kit/clock.ts'
import type { NotificationForm } from '../kit/notification-sender.ts'
import type { Transaction } from './transaction.ts'

/** `type` as the list of events names it. */
export function noticeOf(type: string, { account, id, code, at, verdict }: Transaction): Notice {
  const data = { id, status: verdict.status, clientReferenceInformation: { code } }
  return {
    id: randomUUID(),
    account,
    content: {
      eventType: type,
      webhookId: randomUUID(),
      productId: 'payments',
      organizationId: `gatehouse_${account}`,
      eventDate: at,
      payload: [{ data, organizationId: `gatehouse_${account}` }],
    },
  }
}

export const webhook: NotificationForm = {
  write: (content, { secrets }) => {
    const attempt = { ...(isObject(content) ? content : {}), transactionTraceId: randomUUID(), requestType: 'NEW' }
    const body = JSON.stringify({ encData: encrypt(JSON.stringify(attempt), secrets['publicKey'] ?? '') })
    const time = now().getTime()
    const signature = createHmac('sha256', Buffer.from(secrets['webhookKey'] ?? '', 'base64'))
      .update(`${time}.${body}`)
      .digest('base64')
    const header = `t=${time};keyId=${secrets['webhookKeyId'] ?? ''};sig=${signature}`
    return { headers: { 'content-type': 'application/json', 'v-c-signature': header }, body }
  },
  isAccepted: (status) => status >= 200 && status < 300,
}

/** JSON Web Encryption, compact. */
function encrypt(text: string, publicKey: string): string {
  const header = base64url(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM' }))
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header, 'ascii'))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const encryptedKey = publicEncrypt({ key: publicKey, padding, oaepHash: 'sha256' }, key)
  return [header, ...[encryptedKey, iv, ciphertext, cipher.getAuthTag()].map(base64url)].join('.')
}

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
