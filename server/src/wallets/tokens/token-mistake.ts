/**
 * Names what a sender usually did to a token that does not have its shape, so that support can answer the integrator. It reads the text more
 * tolerantly than the gateway, decides nothing and quotes nothing of it.
 */
import type { Wallet } from '#domain/mid.ts'
import { isMembers, type JsonMembers, type JsonValue, member } from './strict-json.ts'

interface TokenMistake {
  /** What is wrong and what to send instead. */
  readonly text: string
  /** The token without the mistake, to examine it; null if it cannot be restored. */
  readonly restored: string | null
}

/** Null if no usual mistake is recognised. */
export function tokenMistake(wallet: Wallet, text: string): TokenMistake | null {
  const value = parse(text)
  if (value === undefined) return encodedMistake(text)
  if (typeof value === 'string')
    return { text: 'the token is encoded as JSON twice; send it as the wallet issued it', restored: value }
  if (!isMembers(value)) return null
  return wallet === 'walletapay' ? mistakeOfA(value) : mistakeOfB(value)
}

/** Null if the text does not show it. */
export function walletOf(text: string): Wallet | null {
  const value = parse(text)
  if (value === undefined || typeof value === 'string') {
    const inner = value ?? encodedMistake(text)?.restored ?? null
    return typeof inner === 'string' && inner !== text ? walletOf(inner) : null
  }
  if (!isMembers(value)) return null
  const inner = member(value, 'token')
  if (isTokenA(value) || isPaymentData(value) || (isMembers(inner) && isTokenA(inner))) return 'walletapay'
  return namesOfB.some((name) => Object.hasOwn(value, name)) ? 'walletbpay' : null
}

const namesOfB = ['protocolVersion', 'signedMessage', 'tokenizationData', 'paymentMethodData', 'token']

function mistakeOfA(value: JsonMembers): TokenMistake | null {
  const inner = member(value, 'token')
  if (isMembers(inner) && isTokenA(inner))
    return { text: 'this is the whole payment; send only its member token', restored: JSON.stringify(inner) }
  if (isPaymentData(value))
    return {
      text: 'this is paymentData alone; send the whole token, with paymentMethod and transactionIdentifier',
      restored: JSON.stringify(withOuterMembers({ paymentData: value })),
    }
  if (isTokenA(value)) return incompleteA(value)
  return namesOfB.some((name) => Object.hasOwn(value, name)) ? ofOtherWallet('B') : null
}

/** Nothing outside of `paymentData` is signed, so what a sender removed there can be added again. */
function incompleteA(value: JsonMembers): TokenMistake | null {
  const lost = ['paymentMethod', 'transactionIdentifier'].filter((name) => !Object.hasOwn(value, name))
  if (lost.length === 0) return null
  return {
    text: `${lost.join(' and ')} of the token is missing; send the token as the wallet issued it`,
    restored: JSON.stringify(withOuterMembers(value)),
  }
}

const mistakeOfB = (value: JsonMembers): TokenMistake | null =>
  isTokenA(value) || isPaymentData(value) ? ofOtherWallet('A') : null

const ofOtherWallet = (name: 'A' | 'B'): TokenMistake => ({
  text: `this is a token of wallet ${name}; name the wallet that issued it`,
  restored: null,
})

const isTokenA = (value: JsonMembers): boolean => isMembers(member(value, 'paymentData'))
const isPaymentData = (value: JsonMembers): boolean => isMembers(member(value, 'header'))

function withOuterMembers(token: JsonMembers): JsonMembers {
  const paymentData = member(token, 'paymentData')
  const header = isMembers(paymentData) ? member(paymentData, 'header') : undefined
  const id = (isMembers(header) ? member(header, 'transactionId') : undefined) ?? ''
  return { paymentMethod: {}, transactionIdentifier: id, ...token }
}

/** Text that is no JSON, but may be JSON once it is decoded. */
function encodedMistake(text: string): TokenMistake | null {
  const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : ''
  if (isMembers(parse(base64))) return { text: 'the token is encoded in base64; send its JSON', restored: base64 }
  const decoded = percentDecoded(text)
  if (decoded !== null && isMembers(parse(decoded)))
    return { text: 'the token is URL-encoded twice; encode it once', restored: decoded }
  return text.trimStart().startsWith('{')
    ? { text: 'the JSON is damaged or cut off; send the whole token', restored: null }
    : null
}

function percentDecoded(text: string): string | null {
  try {
    return text.startsWith('%7B') ? decodeURIComponent(text) : null
  } catch {
    return null
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse is untyped, and this union is all that it can return.
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
