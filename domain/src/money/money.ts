/**
 * Money: amounts as merchants write them, and as we count them.
 *
 * An amount is a whole number of minor units in a bigint; floating point never touches it. How many decimals a currency
 * has is in `currencies.ts`. An amount is read once, at the boundary, and written once, in an answer or a callback.
 *
 * What is deliberately not here:
 * - no rule about zero: `0.00` is an amount, and the action decides whether it takes one (Chapter 10 §7.1.5);
 * - no rounding: an amount with too many decimals is refused, never shortened;
 * - no texts: a fault is a word, and the protocol chooses the sentence (Chapter 10 §10.2).
 *
 * Chapter 10 §2.1, Chapter 20 §2, Chapter 30 §3.3.
 */
import { cryptoExponents, type Exponents, isoExponents, twoZeroCurrencies } from './currencies.ts'

export interface Amount {
  readonly minor: bigint
  /** Decimals to show: those of the currency, or the two zeros that were sent with one that has none. */
  readonly decimals: number
}

/** A minus is a fault of its own, because a number below zero is answered like zero and not like a malformed text. */
type AmountFault = 'malformed' | 'below-zero' | 'too-precise' | 'unknown-currency'

/** What can be said of an amount whose currency is missing or unknown. */
type AmountSign = 'malformed' | 'below-zero' | 'zero' | 'positive'

/** Decimals of a currency. Crypto currencies are known only to callers that bring their table. */
export function exponentOf(currency: string, crypto?: Exponents): number | undefined {
  return isoExponents.get(currency) ?? crypto?.get(currency)
}

export function parseAmount(text: string, currency: string, crypto?: Exponents): Amount | AmountFault {
  const sign = amountSign(text)
  if (sign === 'malformed' || sign === 'below-zero') return sign

  const exponent = exponentOf(currency, crypto)
  if (exponent === undefined) return 'unknown-currency'

  const [whole = '', fraction = ''] = text.split('.')
  if (fraction === '00' && twoZeroCurrencies.has(currency)) return { minor: BigInt(whole), decimals: 2 }
  if (fraction.length > exponent) return 'too-precise'

  return { minor: BigInt(whole + fraction.padEnd(exponent, '0')), decimals: exponent }
}

export function amountSign(text: string): AmountSign {
  if (!syntax.test(text)) return 'malformed'
  if (text.startsWith('-')) return 'below-zero'
  return /[1-9]/.test(text) ? 'positive' : 'zero'
}

/**
 * The text of an amount. It never hides a unit: `decimals` below those of a currency of ISO 4217 is ignored. A crypto currency has
 * as many as the amount was read with, because an operator may have changed them in the table since.
 *
 * An unknown currency is a fault of the caller and throws, since no amount in it can have been parsed.
 */
export function formatAmount(minor: bigint, currency: string, decimals?: number, crypto = cryptoExponents): string {
  const exponent = isoExponents.get(currency) ?? decimals ?? crypto.get(currency)
  if (exponent === undefined) throw new RangeError(`No decimals are known for the currency ${currency}.`)

  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const fraction = digits.slice(digits.length - exponent).padEnd(decimals ?? 0, '0')
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`
}

// At most 12 digits before the point and no leading zeros (Chapter 10 §2.1). The minus only tells `-5` from `abc`.
const syntax = /^-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]+)?$/
