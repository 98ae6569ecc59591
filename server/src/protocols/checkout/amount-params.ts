/** Amounts of Checkout: their text is stored as sent, because hashes and echoes repeat it byte for byte. Chapter 30 §3.3, §3.5. */
import { violations } from '#domain/errors.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { type Amount, amountSign, parseAmount } from '#domain/money/money.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { invalid } from '../../contracts/refused-error.ts'
import { codePoints } from '../kit/values/formats.ts'
import { orNumber } from '../kit/values/json-params.ts'
import { type Format, type Param, required } from '../kit/values/params.ts'
import {
  fault,
  faultyResult,
  type Judgement,
  type ReadResult,
  soundResult,
  violationResult,
} from '../kit/values/read.ts'
import type { BaseReading } from '../kit/values/reading.ts'

const longest = 255

interface AmountRules<Needs extends BaseReading> {
  /** The currency of the amount; while it is undefined the decimals are not checked. */
  readonly currency: (reading: Needs) => string | undefined
  /** The crypto currencies that the amount may have. */
  readonly crypto?: (reading: Needs) => Exponents
  readonly mayBeZero?: (reading: Needs) => boolean
  /** A transfer's `-1` shows an empty amount field. */
  readonly mayBeOpen?: (reading: Needs) => boolean
  /** A zero order is reported under both names, because deployed clients look for either. */
  readonly alsoNamed?: string
}

export function requiredAmount<Needs extends BaseReading>(
  rules: AmountRules<Needs>,
  words = 'yes',
): Param<string, Needs> {
  const amount = required<string, Needs>(amountFormat(rules))
  return orNumber({
    words: {
      sent: words,
      holds: 'an amount above 0, with no more decimals than the currency has',
      schema: { maxLength: longest },
    },
    read: (path, sent, reading): ReadResult<string> => {
      const read = amount.read(path, sent, reading)
      const isNothing = !read.ok && read.violations.some(({ text }) => text === violations.notPositive)
      const { alsoNamed } = rules
      return isNothing && alsoNamed !== undefined
        ? faultyResult(...read.violations, ...fault(alsoNamed, violations.notPositive).violations)
        : read
    },
  })
}

export function optionalAmount<Needs extends BaseReading>(
  rules: AmountRules<Needs> & { readonly mayBeAbsent: (reading: Needs) => boolean },
  words: string,
): Param<string | undefined, Needs> {
  const amount = requiredAmount(rules, words)
  return {
    words: amount.words,
    read: (path, sent, reading): ReadResult<string | undefined> =>
      sent === undefined && rules.mayBeAbsent(reading) ? soundResult(undefined) : amount.read(path, sent, reading),
  }
}

const amountFormat =
  <Needs extends BaseReading>(rules: AmountRules<Needs>): Format<string, Needs> =>
  (text, reading): Judgement<string> => {
    if (codePoints(text) > longest) return violationResult(violations.tooLong(longest))
    if (text === '-1' && rules.mayBeOpen?.(reading)) return soundResult(text)
    const sign = amountSign(text)
    if (sign === 'malformed') return violationResult(violations.notValid)
    if (sign === 'below-zero' || (sign === 'zero' && !rules.mayBeZero?.(reading)))
      return violationResult(violations.notPositive)
    const currency = rules.currency(reading)
    const amount = currency === undefined ? 'unknown-currency' : parseAmount(text, currency, rules.crypto?.(reading))
    // The parameter of the currency reports a missing or unknown one.
    return amount === 'too-precise' ? violationResult(violations.notValid) : soundResult(text)
  }

/** The amount of a follow-up, whose decimals can be judged only once the payment, and with it the currency, is known. */
export const followUpAmount = requiredAmount<BaseReading>({ currency: () => undefined })

/** The payment decides whether zero is allowed. */
export const refundAmount = requiredAmount<BaseReading>({ currency: () => undefined, mayBeZero: () => true })

/** A crypto amount uses the decimals stored with the payment, because the table may have changed since. */
export const amountIn = (
  { currency, amountDecimals }: Pick<PaymentRecord, 'currency' | 'amountDecimals'>,
  text: string,
  param = 'amount',
): Amount => orderedAmount(text, currency, new Map([[currency, amountDecimals]]), param)

/** For an order that has no payment yet. */
export function orderedAmount(text: string, currency: string, crypto: Exponents, param: string): Amount {
  const amount = parseAmount(text, currency, crypto)
  if (typeof amount === 'object') return amount
  throw invalid({ param, text: violations.notValid })
}
