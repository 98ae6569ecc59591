/**
 * Amounts are decimal texts with the decimals of ISO 4217; further decimals would be cut off by CyberSource without a word, so that none are ever
 * sent. An amount has at most 19 characters.
 */
import { acquirerAmounts } from '../amounts.ts'

const exact = acquirerAmounts()
const longest = 19

/** Null if CyberSource cannot be asked for exactly this amount. */
export function toCybersourceAmount(amountMinor: bigint | null, currency: string): string | null {
  const amount = amountMinor === null ? null : exact.toDecimal(amountMinor, currency)
  return amount !== null && amount.length <= longest ? amount : null
}

/** Null if the text is no exact amount of this currency. */
export const fromCybersourceAmount = (text: string, currency: string): bigint | null =>
  exact.fromDecimal(text, currency)
