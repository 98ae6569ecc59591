/**
 * Money: amounts as merchants write them, and as minor units.
 *
 * An amount is a whole number of minor units in a bigint; floating point never touches it. How many decimals a currency
 * has is in `currencies.ts`. An amount is read once, at the boundary, and written once, in an answer or a callback.
 *
 * What is deliberately not here:
 * - no rule about zero: `0.00` is an amount, and the action decides whether it takes one (Chapter 10 §7.1.5);
 * - no rounding: an amount with too many decimals is refused, never shortened;
 * - no texts: a fault is a code, and the protocol chooses the sentence (Chapter 10 §10.2).
 *
 * Chapter 10 §2.1, Chapter 20 §2, Chapter 30 §3.3.
 */
import { cryptoExponents, type Exponents, isoExponents } from './currencies.ts'

export interface Amount {
  readonly minor: bigint
  /** Decimals to show: those of the currency, or two if the merchant wrote two zeros in a currency without decimals. */
  readonly decimals: number
}

/** A negative amount has its own fault, because it gets the answer for zero and not the one for a malformed text. */
type AmountFault = 'malformed' | 'below-zero' | 'too-precise' | 'unknown-currency'

/** All that can be checked of an amount whose currency is missing or unknown. */
type AmountSign = 'malformed' | 'below-zero' | 'zero' | 'positive'

/** Decimals of a currency. Callers that accept crypto currencies pass their table. */
export function exponentOf(currency: string, crypto?: Exponents): number | undefined {
  return isoExponents.get(currency) ?? crypto?.get(currency)
}

export function parseAmount(text: string, currency: string, crypto?: Exponents): Amount | AmountFault {
  const sign = amountSign(text)
  if (sign === 'malformed' || sign === 'below-zero') return sign

  const exponent = exponentOf(currency, crypto)
  if (exponent === undefined) return 'unknown-currency'

  const [whole = '', fraction = ''] = text.split('.')
  // Shop plugins write every amount with two decimals, and a shop whose currency has none could not sell if they were refused.
  if (fraction === '00' && isoExponents.get(currency) === 0) return { minor: BigInt(whole), decimals: 2 }
  if (fraction.length > exponent) return 'too-precise'

  return { minor: BigInt(whole + fraction.padEnd(exponent, '0')), decimals: exponent }
}

export function amountSign(text: string): AmountSign {
  if (!syntax.test(text)) return 'malformed'
  if (text.startsWith('-')) return 'below-zero'
  return /[1-9]/.test(text) ? 'positive' : 'zero'
}

/**
 * The text of an amount. `decimals` below those of an ISO 4217 currency is ignored, because it would hide minor units. For a crypto
 * currency `decimals` decides, because the operator may have changed the table since the amount was read.
 *
 * An unknown currency throws: it is an error of the caller, because no amount in it can have been parsed.
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

// At most 12 digits before the point and no leading zeros (Chapter 10 §2.1). The minus is accepted only to distinguish `-5` from `abc`.
const syntax = /^-?(?:0|[1-9][0-9]{0,11})(?:\.[0-9]+)?$/
