/** Settlement files of a month as the panel takes them, and the amounts in them. */
import { formatAmount } from '#domain/money/money.ts'

export interface SettlementFile {
  /** By default `common`. */
  readonly format?: string
  /** The acquirer's name of the MID. */
  readonly acquirerMid?: string
  readonly content: string
}

const decimalsOf: Readonly<Record<string, number>> = { JPY: 0, KWD: 3 }

export const decimal = (minor: bigint, currency: string): string =>
  formatAmount(minor, currency, decimalsOf[currency] ?? 2)

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
