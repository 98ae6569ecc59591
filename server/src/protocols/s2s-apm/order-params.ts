/** The order, the payer and the addresses of a first step. Chapter 20 §2, §6.1, §10, §12.1. */
import { type BrandAction, withinAmountLimits } from '#domain/brand/brand.ts'
import { cryptoOf } from '#domain/brand/crypto-currency.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { type Amount, amountSign, exponentOf, parseAmount } from '#domain/money/money.ts'
import { zeroRows } from '../kit/values/amount-params.ts'
import * as format from '../kit/values/formats.ts'
import { optional, type Param, required, withWords } from '../kit/values/params.ts'
import { blank, fault, faultyResult, type ReadResult, soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading, ReadingContext } from '../kit/values/reading.ts'
import { sentIn, textIn } from '../kit/values/sent.ts'
import { brandIn } from './brand-params.ts'

const length = limits.length

export interface OrderAmount extends Amount {
  /** As sent, because the hash covers it; undefined if the payer decides the amount. */
  readonly text: string | undefined
}

export const orderParams = (action: BrandAction) => ({
  order_id: required(format.orderNumber(isPayout(action) ? 'out' : 'in')(format.text(length.orderId))),
  order_amount: orderAmount(action),
  order_currency: required(orderCurrency(action)),
  order_description: required(format.text(length.orderDescription)),
})

const isPayout = (action: BrandAction): boolean => action === 'CREDIT2VIRTUAL' || action === 'CREDIT2CRYPTO'

/** Zero is refused, for holds as for sales. Chapter 20 §2. */
const orderAmount = (action: BrandAction): Param<OrderAmount> => ({
  words: {
    sent: action === 'SALE' ? 'yes, unless the brand leaves the amount to the payer' : 'yes',
    holds: 'an amount above 0 with no more decimals than the currency has, within the limits of the brand',
  },
  read: (name, sent, reading): ReadResult<OrderAmount> => {
    if (sent === undefined) return readMissing(action, name, reading)
    const sign = typeof sent === 'string' ? amountSign(sent) : 'malformed'
    if (typeof sent !== 'string' || sign === 'malformed') return fault(name, violations.notValid)
    return sign === 'positive' ? readPositive(action, name, sent, reading) : faultyResult(...zeroRows)
  },
})

function readMissing(action: BrandAction, name: string, reading: ReadingContext): ReadResult<OrderAmount> {
  const isOpen = action === 'SALE' && brandIn(reading)?.amountOptional
  if (!isOpen) return faultyResult(...blank(name).violations, ...zeroRows)
  const decimals = exponentOf(currencyIn(reading), cryptoIn(action, reading)) ?? 0
  return soundResult({ minor: 0n, decimals, text: undefined })
}

function readPositive(
  action: BrandAction,
  name: string,
  text: string,
  reading: ReadingContext,
): ReadResult<OrderAmount> {
  const [currency, crypto, brand] = [currencyIn(reading), cryptoIn(action, reading), brandIn(reading)]
  const amount = parseAmount(text, currency, crypto)
  // `order_currency` reports a missing or unknown currency; this value is then never used.
  if (amount === 'unknown-currency') return soundResult({ minor: 0n, decimals: 0, text })
  const fits = typeof amount === 'object' && (!brand || withinAmountLimits(brand, currency, amount.minor, crypto))
  return fits ? soundResult({ ...amount, text }) : fault(name, violations.notValid)
}

const orderCurrency = (action: BrandAction) =>
  withWords(
    action === 'CREDIT2CRYPTO'
      ? 'an ISO 4217 code or a crypto currency in capitals'
      : 'an ISO 4217 code in capitals; of brands of kind `crypto` also a crypto currency',
    (sent: string, reading: ReadingContext) =>
      exponentOf(sent, cryptoIn(action, reading)) === undefined
        ? violationResult(violations.notValid)
        : soundResult(sent),
  )

const currencyIn = ({ tree }: BaseReading): string => textIn(tree, 'order_currency') ?? ''

/** A crypto payout accepts crypto currencies even if the brand is unknown. */
const cryptoIn = (action: BrandAction, reading: ReadingContext): Exponents =>
  action === 'CREDIT2CRYPTO' ? reading.crypto : cryptoOf(brandIn(reading), reading.crypto)

export const payerLanguage = optional(
  withWords<string, unknown>('a language code in any case; English when it is not listed', soundResult),
)

export const returnParams = {
  return_url: required(format.url(length.returnUrl)),
  return_url_target: optional(format.text(length.linkTarget)),
}

const returnAddress = format.url(length.payerReturnUrl)

/** Debits have a different name for it and also accept the name of SALE. Chapter 20 §12.1. */
export const payerReturnUrl: Param<string, BaseReading> = {
  words: { sent: 'yes; `return_url` in its place', holds: returnAddress.says ?? '' },
  read: (name, sent, reading) => {
    const other = sent === undefined ? sentIn(reading.tree, 'return_url') : undefined
    return other === undefined
      ? required(returnAddress).read(name, sent, reading)
      : required(returnAddress).read('return_url', other, reading)
  },
}

/** Exactly `Y` requests a hold; any other value means an ordinary sale and is no violation. Chapter 20 §6.1. */
export const authFlag: Param<boolean, BaseReading> = {
  words: { sent: 'no; `N` when absent', holds: '`Y` holds the money; anything else is an ordinary sale' },
  read: (_, sent) => soundResult(sent === 'Y'),
}
