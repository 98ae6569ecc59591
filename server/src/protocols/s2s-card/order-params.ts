/** The order, the payer and the addresses of a first step. Chapter 10 §7.1.1. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { type Amount, amountSign, parseAmount } from '#domain/money/money.ts'
import { invalid } from '../../contracts/refused-error.ts'
import { zeroRows } from '../kit/values/amount-params.ts'
import * as format from '../kit/values/formats.ts'
import { optional, type Param, required, withWords } from '../kit/values/params.ts'
import { blank, fault, faultyResult, type ReadResult, soundResult } from '../kit/values/read.ts'
import type { BaseReading, ReadingContext } from '../kit/values/reading.ts'
import { textIn } from '../kit/values/sent.ts'

const length = limits.length

/** Zero is accepted only if the action allows it. */
const orderAmount = (mayBeZero: (reading: ReadingContext) => boolean): Param<Amount> => ({
  words: { sent: 'yes', holds: 'an amount with no more decimals than the currency has' },
  read: (name, sent, reading): ReadResult<Amount> => {
    if (sent === undefined) return faultyResult(...blank(name).violations, ...zeroRows)
    if (typeof sent !== 'string') return fault(name, violations.notValid)
    const sign = amountSign(sent)
    if (sign === 'malformed') return fault(name, violations.notValid)
    if (sign === 'below-zero' || (sign === 'zero' && !mayBeZero(reading))) return faultyResult(...zeroRows)

    const amount = parseAmount(sent, textIn(reading.tree, 'order_currency') ?? '')
    if (typeof amount === 'object') return soundResult(amount)
    // `order_currency` reports a missing or unknown currency; this value is then never used.
    return amount === 'unknown-currency' ? soundResult({ minor: 0n, decimals: 0 }) : fault(name, violations.notValid)
  },
})

/** The amount of a charge on a chain: never zero, and its currency is that of the first payment. */
export const chargeAmount: Param<string, BaseReading> = {
  words: { sent: 'yes', holds: "an amount above 0 with no more decimals than the first payment's currency has" },
  read: (name, sent): ReadResult<string> => {
    if (sent === undefined) return faultyResult(...blank(name).violations, ...zeroRows)
    const sign = typeof sent === 'string' ? amountSign(sent) : 'malformed'
    if (typeof sent !== 'string' || sign === 'malformed') return fault(name, violations.notValid)
    return sign === 'positive' ? soundResult(sent) : faultyResult(...zeroRows)
  },
}

export function chargedAmount(text: string, currency: string): Amount {
  const amount = parseAmount(text, currency)
  if (typeof amount === 'object') return amount
  throw invalid({ param: 'order_amount', text: violations.notValid })
}

export const orderParams = (mayBeZero: (reading: ReadingContext) => boolean, pays: 'in' | 'out' = 'in') => ({
  order_id: required(format.orderNumber(pays)(format.text(length.orderId))),
  order_amount: orderAmount(mayBeZero),
  order_currency: required(format.currency),
  order_description: required(format.text(length.orderDescription)),
})

export const returnParams = {
  payer_language: optional(
    withWords<string, unknown>('a language code in any case; English when it is not listed', soundResult),
  ),
  term_url_3ds: required(format.url(length.returnUrl)),
  term_url_target: optional(format.text(length.linkTarget)),
  callback_url: optional(format.callbackUrl),
}
