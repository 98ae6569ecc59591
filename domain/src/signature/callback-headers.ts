/** The signature headers of a callback, as a delivery and the events feed send them. Chapter 10 §11.1. */
import { webhookSignature } from './signature.ts'

interface SignedCallback {
  readonly id: string
  readonly sequence: number
  readonly body: string | Uint8Array
  readonly secrets: readonly string[]
  readonly at: Date
}

export function callbackHeaders({ id, sequence, body, secrets, at }: SignedCallback) {
  const timestampSeconds = Math.floor(at.getTime() / 1000)
  const signatures = secrets.map((secret) => webhookSignature(secret, webhookId(id), timestampSeconds, body))
  return {
    'webhook-id': webhookId(id),
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-sequence': String(sequence),
  }
}

/** The same on every attempt, so that the merchant can handle a callback once. */
export const webhookId = (callbackId: string): string => `msg_${callbackId.replaceAll('-', '')}`
