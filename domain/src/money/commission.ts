/**
 * The commission that a merchant adds to a debit. Chapter 20 §12.2.
 *
 * The payer's account is debited with the total. A calculated debit keeps the commission of its calculation, even if the setting
 * changes before it is completed.
 */
import { isObject } from '../json.ts'
import { parseAmount } from './money.ts'

export interface Commission {
  readonly fixedMinor: bigint
  /** As written, `3.5`; up to four decimals. */
  readonly percent: string
}

/** By currency; a currency without an entry has no commission. */
export type Commissions = ReadonlyMap<string, Commission>

interface DebitTotals {
  readonly commissionMinor: bigint
  readonly totalMinor: bigint
}

/** The percentage is rounded half up to a minor unit. Without a setting the commission is zero. */
export function addCommission(amountMinor: bigint, commission: Commission | null | undefined): DebitTotals {
  const commissionMinor = commission ? commission.fixedMinor + percentOf(amountMinor, commission.percent) : 0n
  return { commissionMinor, totalMinor: amountMinor + commissionMinor }
}

type CommissionReading =
  | { readonly ok: true; readonly commissions: Commissions }
  | { readonly ok: false; readonly faults: readonly string[] }

/** Parses the operator's setting: `{"EUR": {"fixed": "0.20", "percent": "3.5"}}`; a missing part is zero. */
export function readCommissions(value: unknown): CommissionReading {
  if (!isObject(value)) return { ok: false, faults: ['The debit commission must be an object of currencies.'] }
  const commissions = new Map<string, Commission>()
  const faults: string[] = []
  for (const [currency, setting] of Object.entries(value)) {
    const read = commissionIn(currency, setting)
    if (typeof read === 'string') faults.push(read)
    else commissions.set(currency, read)
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, commissions }
}

/** Up to 100, and up to four decimals. */
export const isPercent = (text: string): boolean =>
  /^(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,4})?$/.test(text) && partsOf(text) <= 100n * partsPerPercent

const partsPerPercent = 10_000n

/** Ten-thousandths of a percent, so that no fraction is lost. */
function partsOf(percent: string): bigint {
  const [whole = '0', fraction = ''] = percent.split('.')
  return BigInt(whole + fraction.padEnd(4, '0'))
}

function percentOf(amountMinor: bigint, percent: string): bigint {
  if (!isPercent(percent)) throw new RangeError(`${percent} is not a valid percentage.`)
  const divisor = 100n * partsPerPercent
  return (amountMinor * partsOf(percent) + divisor / 2n) / divisor
}

function commissionIn(currency: string, setting: unknown): Commission | string {
  const { fixed = '0', percent = '0', ...rest } = isObject(setting) ? setting : { fixed: null }
  const amount = typeof fixed === 'string' ? parseAmount(fixed, currency) : 'malformed'
  if (amount === 'unknown-currency') return `${currency} is not a currency of ISO 4217.`
  if (typeof amount === 'string')
    return `${currency}: fixed must be an amount such as 0.20, in the decimals of ${currency}.`
  if (typeof percent !== 'string' || !isPercent(percent))
    return `${currency}: percent must be a number from 0 to 100 with up to 4 decimals, such as 3.5.`
  if (Object.keys(rest).length > 0) return `${currency}: only fixed and percent can be set.`
  return { fixedMinor: amount.minor, percent }
}
