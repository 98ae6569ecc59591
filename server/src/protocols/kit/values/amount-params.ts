/** Amounts as parameters of both S2S protocols. Chapter 10 §7.1.5, §7.2, chapter 20 §2, §7, §8. */
import { violations } from '#domain/errors.ts'
import { amountSign, parseAmount } from '#domain/money/money.ts'
import type { PaymentRecord } from '../../../contracts/records.ts'
import { invalid } from '../../../contracts/refused-error.ts'
import { optional, type Param, withWords } from './params.ts'
import { soundResult, violationResult } from './read.ts'
import type { BaseReading } from './reading.ts'

/** Deployed clients look for either name, so that an order of nothing is refused under both. */
export const zeroRows = [
  { param: 'order_amount', text: violations.notPositive },
  { param: 'amount', text: violations.notPositive },
]

/** The amount of a follow-up: its decimals are judged once the payment, and with it the currency, is known. */
export const followUpAmount: Param<string | undefined, BaseReading> = optional(
  withWords<string, unknown>("an amount above 0 with no more decimals than the payment's currency has", (text) => {
    const sign = amountSign(text)
    if (sign === 'malformed') return violationResult(violations.notValid)
    return sign === 'positive' ? soundResult(text) : violationResult(violations.notPositive)
  }),
)

/** The decimals of a follow-up's amount can be judged only now that its currency is known. */
export function amountIn({ currency, amountDecimals }: PaymentRecord, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  // A crypto currency has the decimals that the payment was made with, whatever the table says now.
  const amount = parseAmount(text, currency, new Map([[currency, amountDecimals]]))
  if (typeof amount === 'object') return amount.minor
  throw invalid({ param: 'amount', text: violations.notValid })
}
