/**
 * The operator's table of crypto currencies: code to number of decimals. Only brands of kind crypto accept them; every other payment
 * has a currency of ISO 4217. Chapter 20 §2.
 */
import { isObject } from '../json.ts'
import { type Exponents, isoExponents } from '../money/currencies.ts'
import type { Brand } from './brand.ts'

/** More decimals than any chain uses; the bound stops a typing error from producing amounts of a thousand digits. */
const decimalsAtMost = 30
const entriesAtMost = 500

/** The currencies that a brand accepts in addition to those of ISO 4217. */
export const cryptoOf = (brand: Brand | null, table: Exponents): Exponents =>
  brand?.kind === 'crypto' ? table : noCrypto

const noCrypto: Exponents = new Map()

export type CryptoCurrencyReading =
  | { readonly ok: true; readonly table: Exponents }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Parses the operator's table, or returns its faults. */
export function readCryptoCurrencies(value: unknown): CryptoCurrencyReading {
  if (!isObject(value))
    return { ok: false, faults: ['Crypto currencies must be an object of codes and numbers of decimals.'] }
  const entries: readonly [string, unknown][] = Object.entries(value)
  if (entries.length > entriesAtMost)
    return { ok: false, faults: [`At most ${entriesAtMost} crypto currencies can be kept.`] }

  const table = new Map<string, number>()
  const faults: string[] = []
  for (const [code, decimals] of entries) {
    const fault = faultOf(code, decimals)
    if (fault) faults.push(fault)
    else if (typeof decimals === 'number') table.set(code, decimals)
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, table }
}

function faultOf(code: string, decimals: unknown): string | null {
  if (!/^[A-Z0-9]{3,6}$/.test(code)) return `${code} must be 3 to 6 capitals or digits.`
  if (isoExponents.has(code)) return `${code} is a currency of ISO 4217.`
  const sound = Number.isInteger(decimals) && typeof decimals === 'number' && decimals >= 0
  return sound && decimals <= decimalsAtMost ? null : `${code} must have 0 to ${decimalsAtMost} decimals.`
}
