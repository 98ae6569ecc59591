/** The identifier of an unopened token (Chapter 40 §13): its transaction id, or the hash of its signed message. */

import { parseJson } from '#domain/json.ts'
import { sha256 } from './key-pair.ts'

/** Hexadecimal; null for a text that is no token of either wallet. */
export function tokenIdOf(text: string): string | null {
  const token = parseJson(text)
  const transactionId = path(token, 'paymentData', 'header', 'transactionId')
  if (typeof transactionId === 'string') return transactionId.toLowerCase()
  const inner = path(token, 'paymentMethodData', 'tokenizationData', 'token') ?? path(token, 'token') ?? token
  const signedMessage = path(typeof inner === 'string' ? parseJson(inner) : inner, 'signedMessage')
  return typeof signedMessage === 'string' ? sha256(signedMessage).toString('hex') : null
}

function path(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((parent, name) => {
    if (typeof parent !== 'object' || parent === null) return undefined
    return Object.getOwnPropertyDescriptor(parent, name)?.value
  }, value)
}
