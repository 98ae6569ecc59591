/** The value formats of chapter 30 §3.3 and §3.4, where they differ from those of the other protocols. */

import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import { isDay } from '#domain/schedule/day.ts'
import { email as anyEmail, codePoints, orderNumber as withOrderRule } from '../kit/values/formats.ts'
import { type Format, withWords } from '../kit/values/params.ts'
import { soundResult, violationResult } from '../kit/values/read.ts'
import type { ReadingContext } from '../kit/values/reading.ts'

type PlainFormat<T> = Format<T, unknown>

/** Any printable character of any script; control characters are none. */
export const printable = (shortest: number, longest: number): PlainFormat<string> =>
  withWords(
    `${shortest} to ${longest} printable characters`,
    (sent) => {
      const length = codePoints(sent)
      if (length > longest) return violationResult(violations.tooLong(longest))
      if (length < shortest) return violationResult(violations.tooShort(shortest))
      return /^[^\p{Cc}\p{Cs}]*$/u.test(sent) ? soundResult(sent) : violationResult(violations.notValid)
    },
    { minLength: shortest, maxLength: longest },
  )

const anyNumber = printable(1, limits.length.orderId)
export const orderNumber = withOrderRule('in')(anyNumber)
export const payoutNumber = withOrderRule('out')(anyNumber)

export const description = printable(limits.length.orderDescriptionLow, limits.length.orderDescription)

/** Three letters of ISO 4217, or a crypto currency of the instance. */
export const currency: Format<string, { readonly crypto: Exponents }> = withWords(
  'an ISO 4217 code in capitals, or a crypto currency of 3 to 6',
  (sent, { crypto }) =>
    exponentOf(sent, crypto) === undefined ? violationResult(violations.notValid) : soundResult(sent),
  { pattern: '^[A-Z0-9]{3,6}$' },
)

export const checkoutEmail: PlainFormat<string> = withWords(
  `an e-mail address, up to ${limits.length.checkoutEmail} characters`,
  (sent, reading) => {
    if (codePoints(sent) > limits.length.checkoutEmail)
      return violationResult(violations.tooLong(limits.length.checkoutEmail))
    return anyEmail(sent, reading)
  },
  { pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: limits.length.checkoutEmail },
)

/** In the merchant's calendar. */
export const pastDay: Format<string, Pick<ReadingContext, 'today'>> = withWords(
  'a past date, `YYYY-MM-DD`',
  (sent, { today }) => (isDay(sent) && sent < today ? soundResult(sent) : violationResult(violations.notValid)),
  { format: 'date' },
)

export const dayFromToday: Format<string, Pick<ReadingContext, 'today'>> = withWords(
  'a date, `YYYY-MM-DD`, today or later',
  (sent, { today }) => (isDay(sent) && sent >= today ? soundResult(sent) : violationResult(violations.notValid)),
  { format: 'date' },
)
