/** The text of a token as it was found somewhere: which wallet it is of, and what a copy may have lost of its outside. */
import type { Wallet } from '#domain/mid.ts'
import { isMembers, type JsonMembers, type JsonValue, member } from '#server/wallets/tokens/strict-json.ts'

/** Null when the text does not tell. */
export function walletOf(text: string): Wallet | null {
  const token = object(text)
  if (token === null) return null
  if (isMembers(member(token, 'paymentData')) || isMembers(member(token, 'header'))) return 'walletapay'
  const names = ['protocolVersion', 'signedMessage', 'tokenizationData', 'paymentMethodData', 'token']
  return names.some((name) => Object.hasOwn(token, name)) ? 'walletbpay' : null
}

export interface WholeToken {
  readonly text: string
  /** What was put around it, for the operator. */
  readonly note: string | null
}

/** Copies of wallet A tokens often are `paymentData` alone; nothing outside of it is signed, so that it can be put back. */
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
    // JSON.parse promises nothing about its result, and this union is all that it can give.
    const value = JSON.parse(text) as JsonValue
    return isMembers(value) ? value : null
  } catch {
    return null
  }
}
