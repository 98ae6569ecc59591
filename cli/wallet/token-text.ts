/** The text of a token from any source: recognises its wallet, and restores the outer parts that a copy may lack. */
import type { Wallet } from '#domain/mid.ts'
import { isMembers, type JsonMembers, type JsonValue, member } from '#server/wallets/tokens/strict-json.ts'

/** Null if the text does not show it. */
export function walletOf(text: string): Wallet | null {
  const token = object(text)
  if (token === null) return null
  if (isMembers(member(token, 'paymentData')) || isMembers(member(token, 'header'))) return 'walletapay'
  const names = ['protocolVersion', 'signedMessage', 'tokenizationData', 'paymentMethodData', 'token']
  return names.some((name) => Object.hasOwn(token, name)) ? 'walletbpay' : null
}

interface WholeToken {
  readonly text: string
  /** What was added around it, for the operator. */
  readonly note: string | null
}

/** Copies of wallet A tokens often consist of `paymentData` alone; nothing outside of it is signed, so it can be added again. */
export function wholeTokenA(text: string): WholeToken {
  const token = object(text)
  if (token === null) return { text, note: null }
  const outer: JsonMembers = isMembers(member(token, 'paymentData')) ? token : { paymentData: token }
  const lost = ['paymentMethod', 'transactionIdentifier'].filter((name) => !Object.hasOwn(outer, name))
  if (lost.length === 0 && outer === token) return { text, note: null }
  const whole = { paymentMethod: {}, transactionIdentifier: transactionId(outer), ...outer }
  return { text: JSON.stringify(whole), note: `Restored unsigned members: ${lost.join(', ')}.` }
}

function transactionId(outer: JsonMembers): JsonValue {
  const paymentData = member(outer, 'paymentData')
  const header = isMembers(paymentData) ? member(paymentData, 'header') : undefined
  return (isMembers(header) ? member(header, 'transactionId') : undefined) ?? ''
}

function object(text: string): JsonMembers | null {
  try {
    // JSON.parse has no useful result type; this union is everything that it can return.
    const value = JSON.parse(text) as JsonValue
    return isMembers(value) ? value : null
  } catch {
    return null
  }
}
