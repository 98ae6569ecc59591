/** Amounts with more decimals than their currency has become whole minor units, and their sum stays exact. */
import { addDecimals, negate, roundedTo } from './decimal-sum.ts'

/**
 * Each amount is rounded together with what the amounts before it left over, so that the rounded ones add up to the rounded sum, however
 * many they are.
 */
export function roundedSums(decimals: number): (amount: string) => string | null {
  let exact = '0'
  let booked = '0'
  return (amount) => {
    const next = addDecimals(exact, amount)
    const part = next === null ? null : addDecimals(roundedTo(next, decimals), negate(booked))
    if (next === null || part === null) return null
    exact = next
    booked = roundedTo(next, decimals)
    return part
  }
}
