/** Sends one message to a webhook or a chat: signed, limited in time, and never into our own network. Chapter 70 §9. */
import { limits } from '#domain/limits.ts'
import { callbackHeaders } from '#domain/signature/callback-headers.ts'
import type { AlertSender, AlertTextParts, DueChannel } from '../../contracts/alert-ports.ts'
import type { AddressRules } from '../../network/address-guard.ts'
import { callbackClient } from '../callbacks/callback-client.ts'
import { chatBody, webhookMessage } from './alert-text.ts'

export function alertSender(addresses: AddressRules, version: string): AlertSender {
  const client = callbackClient({ addresses, timeoutMs: limits.callback.timeoutMs, connections: 4 })
  const base = { 'content-type': 'application/json', 'user-agent': `Gatehouse/${version}` }
  return {
    async send({ kind, target, secret }, parts, at) {
      const { headers, body } =
        kind === 'chat' ? { headers: {}, body: chatBody(parts) } : signMessage(parts, secret, at)
      const { httpStatus, fault } = await client.post(target.reveal(), { ...base, ...headers }, body)
      if (fault !== null) return fault
      return httpStatus !== null && httpStatus >= 200 && httpStatus <= 299 ? null : `The answer was HTTP ${httpStatus}.`
    },
    close: () => client.close(),
  }
}

/** Signed like a callback. Alerts are no sequence: each message stands alone, so that its receiver has no gap to look for. */
function signMessage(parts: AlertTextParts, secret: DueChannel['secret'], at: Date) {
  const { id, body } = webhookMessage(parts)
  const { 'webhook-sequence': _, ...headers } = callbackHeaders({
    id,
    sequence: 0,
    body,
    secrets: secret === null ? [] : [secret.reveal()],
    at,
  })
  return { headers, body }
}
