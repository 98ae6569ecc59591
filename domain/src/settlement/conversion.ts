/** What a settlement row says about a payment that the acquirer converted to another currency. See decisions/settlement#converted-rows. */
import type { Exponents } from '../money/currencies.ts'
import { exponentOf } from '../money/money.ts'
import type { SettlementFormat } from './settlement-format.ts'
import { readSum } from './settlement-sum.ts'

export interface Conversion {
  /** The payment's. */
  readonly currency: string
  /** What the payment was charged or returned; has the sign of the row's gross amount. */
  readonly grossMinor: bigint
  /** One unit of the payment's currency in the row's; of the file, or else by the two amounts. */
  readonly rate: string
}

interface SettledSum {
  readonly currency: string
  readonly grossMinor: bigint
}

/** Null for a row that was not converted; a sentence for one that cannot be understood. */
export function readConversion(
  cell: (name: string | null) => string,
  { format, crypto }: { readonly format: SettlementFormat; readonly crypto: Exponents },
  settled: SettledSum,
): Conversion | string | null {
  const { columns, amounts } = format
  const currency = cell(columns.processingCurrency)
  if (currency === '') return null
  const decimals = exponentOf(currency, crypto)
  const ownDecimals = exponentOf(settled.currency, crypto)
  if (decimals === undefined || ownDecimals === undefined) return `The currency ${currency} is not known.`
  const grossMinor = readSum(cell(columns.processingGross), amounts === 'minor' ? 0 : decimals)
  if (grossMinor === null) return `The column ${columns.processingGross} must be an amount in ${currency}.`
  if (currency === settled.currency)
    return grossMinor === settled.grossMinor ? null : `${columns.processingGross} is not ${columns.gross}.`
  if (grossMinor === 0n || grossMinor > 0n !== settled.grossMinor > 0n)
    return `The columns ${columns.processingGross} and ${columns.gross} must have the same sign.`
  const rateText = cell(columns.rate)
  if (rateText !== '' && !isRate(rateText)) return `The column ${columns.rate} must be a number such as 1.0842.`
  const ratio = rateOf(settled.grossMinor * power(decimals), grossMinor * power(ownDecimals))
  return { currency, grossMinor, rate: rateText === '' ? ratio : rateText }
}

const isRate = (text: string): boolean => /^[0-9]{1,12}(?:\.[0-9]{1,18})?$/.test(text) && /[1-9]/.test(text)

const power = (exponent: number): bigint => 10n ** BigInt(exponent)

const rateDecimals = 10

function rateOf(settled: bigint, processed: bigint): string {
  const scaled = (settled * power(rateDecimals)) / processed
  const digits = scaled.toString().padStart(rateDecimals + 1, '0')
  return `${digits.slice(0, -rateDecimals)}.${digits.slice(-rateDecimals)}`
}
