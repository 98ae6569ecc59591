/** Amounts as members: their text is kept as sent, because hashes and echoes repeat it byte for byte. Chapter 30 §3.3, §3.5. */
import { violations } from '#domain/errors.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { type Amount, amountSign, parseAmount } from '#domain/money/money.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import { invalid } from '../../contracts/refused-error.ts'
import { codePoints } from '../kit/values/formats.ts'
import { type Member, orNumber } from '../kit/values/members.ts'
import { blank, fault, type Read } from '../kit/values/params.ts'

const longest = 255

interface AmountRules<About> {
  /** The currency it is in; undefined while that is not known, and then its decimals are not judged yet. */
  readonly currency: (about: About) => string | undefined
  /** The crypto currencies that it may be in. */
  readonly crypto?: (about: About) => Exponents
  readonly mayBeZero?: (about: About) => boolean
  /** A transfer's `-1` shows an empty amount field. */
  readonly mayBeOpen?: (about: About) => boolean
  readonly mayBeAbsent?: (about: About) => boolean
  /** Deployed clients look for either name, so that an order of nothing is refused under both. */
  readonly alsoNamed?: string
  readonly words?: string
}

/** One that may be absent. */
export function optionalAmount<About>(rules: AmountRules<About>): Member<string | undefined, About> {
  return orNumber({
    words: { sent: rules.words ?? 'yes', holds: 'an amount above 0, with no more decimals than the currency has' },
    read: (path, sent, about): Read<string | undefined> => {
      if (sent === undefined) return rules.mayBeAbsent?.(about) ? { value: undefined } : blank(path)
      if (typeof sent !== 'string') return fault(path, violations.wrongType('string'))
      return judged(path, sent, about, rules)
    },
  })
}

function judged<About>(path: string, text: string, about: About, rules: AmountRules<About>): Read<string> {
  if (codePoints(text) > longest) return fault(path, violations.tooLong(longest))
  if (text === '-1' && rules.mayBeOpen?.(about)) return { value: text }
  const sign = amountSign(text)
  if (sign === 'malformed') return fault(path, violations.notValid)
  if (sign === 'below-zero' || (sign === 'zero' && !rules.mayBeZero?.(about))) return notPositive(path, rules.alsoNamed)
  const currency = rules.currency(about)
  const amount = currency === undefined ? 'unknown-currency' : parseAmount(text, currency, rules.crypto?.(about))
  // A missing or unknown currency has a row of its own.
  return amount === 'too-precise' ? fault(path, violations.notValid) : { value: text }
}

const notPositive = (path: string, alsoNamed: string | undefined): Read<string> => ({
  violations: [path, ...(alsoNamed === undefined ? [] : [alsoNamed])].map((param) => ({
    param,
    text: violations.notPositive,
  })),
})

/** One that may not. */
export function amountMember<About>(rules: Omit<AmountRules<About>, 'mayBeAbsent'>): Member<string, About> {
  const { words } = optionalAmount(rules)
  return orNumber({
    words,
    read: (path, sent, about): Read<string> => {
      if (sent === undefined) return blank(path)
      if (typeof sent !== 'string') return fault(path, violations.wrongType('string'))
      return judged(path, sent, about, rules)
    },
  })
}

/** The amount of a follow-up, whose decimals can be judged only once the payment, and with it the currency, is known. */
export const followUpAmount = amountMember<unknown>({ currency: () => undefined })

/** Whether zero is one is up to the payment. */
export const refundAmount = amountMember<unknown>({ currency: () => undefined, mayBeZero: () => true })

/** A crypto currency has the decimals that the payment was made with, whatever the table says now. */
export const amountIn = (
  { currency, amountDecimals }: Pick<PaymentRecord, 'currency' | 'amountDecimals'>,
  text: string,
  param = 'amount',
): Amount => orderedAmount(text, currency, new Map([[currency, amountDecimals]]), param)

/** Of an order that has no payment yet. */
export function orderedAmount(text: string, currency: string, crypto: Exponents, param: string): Amount {
  const amount = parseAmount(text, currency, crypto)
  if (typeof amount === 'object') return amount
  throw invalid({ param, text: violations.notValid })
}
