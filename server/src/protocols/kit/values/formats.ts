/** The value formats of chapter 10 §2, each with the text that refuses it (§10.2). Lengths count code points. */

import { isIP } from 'node:net'
import { luhnValid } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { exponentOf } from '#domain/money/money.ts'
import { isCountry } from '#domain/place/country.ts'
import { isDay } from '#domain/schedule/day.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { isUuid, mayNumberOrder } from '#domain/uuid.ts'
import { type Format, withWords } from './params.ts'
import { soundResult, violationResult } from './read.ts'
import type { ReadingContext } from './reading.ts'

/** Depends on the text alone. */
type PlainFormat<T> = Format<T, unknown>

export const text = (longest: number): PlainFormat<string> =>
  withWords(
    `up to ${longest} characters`,
    (sent) => (isLonger(sent, longest) ? violationResult(violations.tooLong(longest)) : soundResult(sent)),
    { maxLength: longest },
  )

export const patternText = (pattern: RegExp, says = ''): PlainFormat<string> =>
  withWords(says, (sent) => (pattern.test(sent) ? soundResult(sent) : violationResult(violations.notValid)), {
    pattern: pattern.source,
  })

export const choice = <const T extends string>(...choices: readonly T[]): PlainFormat<T> =>
  withWords(
    choices.map((one) => `\`${one}\``).join(', '),
    (sent) => {
      const chosen = choices.find((value) => value === sent)
      return chosen === undefined ? violationResult(violations.notChoice) : soundResult(chosen)
    },
    { enum: choices },
  )

const yesOrNo = choice('Y', 'N')
export const flag: PlainFormat<boolean> = withWords(
  '`Y` or `N`',
  (sent, reading) => {
    const chosen = yesOrNo(sent, reading)
    return chosen.ok ? soundResult(chosen.value === 'Y') : chosen
  },
  { enum: ['Y', 'N'] },
)

/** The merchant's number of an order. See decisions/requests#order-numbers. */
export const orderNumber =
  (pays: 'in' | 'out') =>
  (format: PlainFormat<string>): PlainFormat<string> =>
    withWords(
      `${format.says}; must not begin with an identifier of a payment, transaction or session`,
      (sent, reading) => {
        const judged = format(sent, reading)
        return judged.ok && !mayNumberOrder(sent, pays) ? violationResult(violations.ownIdentifier) : judged
      },
      format.schema,
    )

/** An identifier of a follow-up: any text up to 255 characters; one that does not exist is an unknown entity and not a violation. */
export const identifier: PlainFormat<string> = withWords(
  `up to ${limits.length.identifier} characters`,
  (sent) => (isLonger(sent, limits.length.identifier) ? violationResult(violations.notCorrect) : soundResult(sent)),
  { maxLength: limits.length.identifier },
)

export const uuid: PlainFormat<string> = withWords(
  'a UUID',
  (sent) => (isUuid(sent) ? soundResult(sent.toLowerCase()) : violationResult(violations.notValid)),
  { format: 'uuid' },
)

export const currency: PlainFormat<string> = withWords(
  'an ISO 4217 code in capitals',
  (sent) =>
    /^[A-Z]{3}$/.test(sent) && exponentOf(sent) !== undefined
      ? soundResult(sent)
      : violationResult(violations.notValid),
  { pattern: '^[A-Z]{3}$' },
)

export const country: PlainFormat<string> = withWords(
  'an ISO 3166-1 code of two capitals',
  (sent) => (isCountry(sent) ? soundResult(sent) : violationResult(violations.notValid)),
  { pattern: '^[A-Z]{2}$' },
)

export const day: PlainFormat<string> = withWords(
  'a date, `YYYY-MM-DD`',
  (sent) => (isDay(sent) ? soundResult(sent) : violationResult(violations.notValid)),
  { format: 'date' },
)

/** A zone such as `%eth0` is meaningful on one machine only, and has no maximum length. */
export const ip: PlainFormat<string> = withWords(
  'an IPv4 or IPv6 address',
  (sent) => (isIP(sent) > 0 && !sent.includes('%') ? soundResult(sent) : violationResult(violations.notValid)),
  { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
)

/** One `@` with text on both sides; letters of any script are fine. */
export const email: PlainFormat<string> = withWords(
  `an e-mail address, up to ${limits.length.email} characters`,
  (sent) => {
    if (isLonger(sent, limits.length.email)) return violationResult(violations.tooLong(limits.length.email))
    return /^[^@\s]+@[^@\s]+$/u.test(sent) ? soundResult(sent) : violationResult(violations.notEmail)
  },
  { pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: limits.length.email },
)

const webAddressPattern = '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]\\S*$'

export const url = (longest: number): PlainFormat<string> =>
  withWords(
    `an http or https address, up to ${longest} characters`,
    (sent) => {
      if (isLonger(sent, longest)) return violationResult(violations.tooLong(longest))
      return isWebAddress(sent) ? soundResult(sent) : violationResult(violations.notUrl)
    },
    { pattern: webAddressPattern, maxLength: longest },
  )

const anyCallbackUrl = url(limits.length.callbackUrl)

/** With a live key callback addresses must be https, unless the whole instance is a sandbox (chapter 10 §2). */
export const callbackUrl: Format<string> = withWords(
  `an https address, up to ${limits.length.callbackUrl} characters; http with a test key or on a sandbox instance`,
  (sent, reading) => {
    const judged = anyCallbackUrl(sent, reading)
    if (!judged.ok) return judged
    const mayBePlain = reading.mode === 'test' || reading.sandbox
    return mayBePlain || sent.toLowerCase().startsWith('https:') ? judged : violationResult(violations.notUrl)
  },
  { pattern: webAddressPattern, maxLength: limits.length.callbackUrl },
)

export const cardNumber: PlainFormat<Secret<string>> = withWords(
  '12 to 19 digits with a right check digit',
  (sent) =>
    /^[0-9]{12,19}$/.test(sent) && luhnValid(sent) ? soundResult(secret(sent)) : violationResult(violations.notValid),
  { pattern: '^[0-9]{12,19}$' },
)

export const verificationCode: PlainFormat<Secret<string>> = withWords(
  '3 or 4 digits',
  (sent) => (/^[0-9]{3,4}$/.test(sent) ? soundResult(secret(sent)) : violationResult(violations.notValid)),
  { pattern: '^[0-9]{3,4}$' },
)

export const expiryMonth: PlainFormat<number> = withWords(
  '`01` to `12`',
  (sent) => (/^(0[1-9]|1[0-2])$/.test(sent) ? soundResult(Number(sent)) : violationResult(violations.notValid)),
  { pattern: '^(0[1-9]|1[0-2])$' },
)

export const cardToken: PlainFormat<string> = withWords(
  '64 hexadecimal characters',
  (sent) => (/^[0-9a-f]{64}$/i.test(sent) ? soundResult(sent.toLowerCase()) : violationResult(violations.notValid)),
  { pattern: '^[0-9a-fA-F]{64}$' },
)

/** A sub-account of the merchant: a name that no mapping has is answered like any unknown identifier. */
export const channel: Format<string, Pick<ReadingContext, 'channels'>> = withWords(
  `a channel of the merchant's mappings, up to ${limits.length.channelId} characters`,
  (sent, { channels }) => {
    if (isLonger(sent, limits.length.channelId)) return violationResult(violations.tooLong(limits.length.channelId))
    return channels.includes(sent) ? soundResult(sent) : violationResult(violations.notCorrect)
  },
  { maxLength: limits.length.channelId },
)

export const phoneCountryCode: PlainFormat<string> = withWords(
  `digits and hyphens, up to ${limits.length.phoneCountryCode} characters`,
  (sent) => {
    if (isLonger(sent, limits.length.phoneCountryCode))
      return violationResult(violations.tooLong(limits.length.phoneCountryCode))
    return /^[0-9-]+$/.test(sent) ? soundResult(sent) : violationResult(violations.notValid)
  },
  { pattern: '^[0-9-]+$', maxLength: limits.length.phoneCountryCode },
)

/** A text has at most as many code points as code units, so that few texts are counted. */
const isLonger = (sent: string, longest: number): boolean => sent.length > longest && codePoints(sent) > longest

/** Lengths of the interface count these. Chapter 10 §1.1. */
export const codePoints = (sent: string): number => {
  let count = 0
  for (const _ of sent) count += 1
  return count
}

/** The URL parser drops line ends and outer spaces, but the value is used unchanged in a header, where they are not allowed. */
const isWebAddress = (sent: string): boolean => /^https?:\/\/[^\s/]\S*$/i.test(sent) && URL.canParse(sent)
