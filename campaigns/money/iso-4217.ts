/**
 * The currencies of ISO 4217 from the standard's own list, which comes with an independent package: an oracle that does not use the
 * gateway's table.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export interface Iso {
  readonly code: string
  /** Decimals; null for metals, drawing rights and the like, which have no amounts. */
  readonly decimals: number | null
}

const entry = /<Ccy>([A-Z]{3})<\/Ccy>[\s\S]*?<CcyMnrUnts>([^<]+)<\/CcyMnrUnts>/g

export function isoCurrencies(): readonly Iso[] {
  const path = createRequire(import.meta.url).resolve('currency-codes/iso-4217-list-one.xml')
  const found = [...readFileSync(path, 'utf8').matchAll(entry)].map(
    ([, code = '', units = '']) => [code, { code, decimals: /^\d$/.test(units) ? Number(units) : null }] as const,
  )
  return [...new Map(found).values()].toSorted((one, other) => (one.code < other.code ? -1 : 1))
}

/** Minor units of an amount with at most the currency's decimals, computed on the digits alone. */
export function minorOf(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0').slice(0, decimals) || '0')
}

/** The amount with all its decimals. */
export function inFull(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}
