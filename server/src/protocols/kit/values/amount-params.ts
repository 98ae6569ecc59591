/** Amounts as parameters of both S2S protocols. Chapter 10 §7.1.5, §7.2, chapter 20 §2, §7, §8. */
import { violations } from '#domain/errors.ts'
import { amountSign, parseAmount } from '#domain/money/money.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { invalid } from '../../../contracts/refused-error.ts'
import { optional, type Param, withWords } from './params.ts'
import { soundResult, violationResult } from './read.ts'
import type { BaseReading } from './reading.ts'

/** A zero order is reported under both names, because deployed clients look for either. */
export const zeroRows = [
  { param: 'order_amount', text: violations.notPositive },
  { param: 'amount', text: violations.notPositive },
]

/** The amount of a follow-up. Its decimals are checked once the payment, and with it the currency, is known. */
export const followUpAmount: Param<string | undefined, BaseReading> = optional(
  withWords<string, unknown>("an amount above 0 with no more decimals than the payment's currency has", (text) => {
    const sign = amountSign(text)
    if (sign === 'malformed') return violationResult(violations.notValid)
    return sign === 'positive' ? soundResult(text) : violationResult(violations.notPositive)
  }),
)

/** Checks the decimals of a follow-up's amount, now that its currency is known. */
export function amountIn({ currency, amountDecimals }: PaymentRecord, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  // A crypto amount uses the decimals stored with the payment, because the table may have changed since.
  const amount = parseAmount(text, currency, new Map([[currency, amountDecimals]]))
  if (typeof amount === 'object') return amount.minor
  throw invalid({ param: 'amount', text: violations.notValid })
}
