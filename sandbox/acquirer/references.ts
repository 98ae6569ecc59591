/** References that an acquirer and the networks issue. All are derived from the transaction's number or key, so none is stored. */

import { hash } from 'node:crypto'
import { dayMs } from '#domain/time.ts'

export function referenceOf(number: number): string {
  return `SBX${String(number).padStart(12, '0')}`
}

/** NaN for a text that is no reference. */
export function numberOf(reference: string): number {
  return /^SBX[0-9]{12,}$/.test(reference) ? Number(reference.slice(3)) : Number.NaN
}

/** Six digits that look as random as real ones do. */
export function approvalCodeOf(number: number): string {
  return String(spread(number) % 1_000_000).padStart(6, '0')
}

export function retrievalReferenceOf(number: number): string {
  return String(number).padStart(12, '0')
}

/** 23 digits: form 2, the acquirer's six, the day of the year, a serial number, a check digit. */
export function acquirerReferenceOf(number: number, at: number): string {
  const start = `2400000${julianDay(at)}${String(number).padStart(11, '0').slice(-11)}`
  return start + checkDigit(start)
}

export function networkTransactionIdOf(number: number): string {
  return `3${String(spread(number)).padStart(14, '0')}`
}

export function storedCredentialOf(number: number): string {
  return `SC${String(number).padStart(12, '0')}`
}

/** Ten digits that a payer can read out at a counter, and a check digit. */
export function voucherReferenceOf(number: number): string {
  const start = String(spread(number)).padStart(10, '0')
  return start + checkDigit(start)
}

/** Not a valid address of any chain, so that no real money can be sent there. */
export function cryptoAddressOf(key: string): string {
  return `sbx1${hash('sha256', `address ${key}`, 'hex').slice(0, 40)}`
}

// Multiplication by an odd number modulo 2^32 visits every value once, so different numbers stay different.
function spread(number: number): number {
  return Math.imul(number, 2_654_435_761) >>> 0
}

/** Last digit of the year and the day within it. */
function julianDay(at: number): string {
  const date = new Date(at)
  const day =
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - Date.UTC(date.getUTCFullYear(), 0, 0)) /
    dayMs
  return `${date.getUTCFullYear() % 10}${String(day).padStart(3, '0')}`
}

/** The Luhn check digit. Computed directly instead of by trial, because every answer needs one. */
function checkDigit(digits: string): number {
  let sum = 0
  for (let index = digits.length - 1, doubled = true; index >= 0; index--, doubled = !doubled) {
    const weighted = Number(digits[index]) * (doubled ? 2 : 1)
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return (10 - (sum % 10)) % 10
}
