/** The value formats of chapter 10 §2, each with the text that refuses it (§10.2). Lengths count code points. */

import { isIP } from 'node:net'
import { luhnValid } from '#domain/card.ts'
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { exponentOf } from '#domain/money/money.ts'
import { isCountry } from '#domain/place/country.ts'
import { isDay } from '#domain/schedule/day.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { type Format, saying } from './params.ts'
import { sound, unsound } from './read.ts'
import type { Reading } from './reading.ts'

/** Looks at nothing but the text. */
type Plain<T> = Format<T, unknown>

export const text = (longest: number): Plain<string> =>
  saying(`up to ${longest} characters`, (sent) =>
    codePoints(sent) > longest ? unsound(violations.tooLong(longest)) : sound(sent),
  )

export const matching = (pattern: RegExp, says = ''): Plain<string> =>
  saying(says, (sent) => (pattern.test(sent) ? sound(sent) : unsound(violations.notValid)))

export const choice = <const T extends string>(...choices: readonly T[]): Plain<T> =>
  saying(choices.map((one) => `\`${one}\``).join(', '), (sent) => {
    const chosen = choices.find((value) => value === sent)
    return chosen === undefined ? unsound(violations.notChoice) : sound(chosen)
  })

const yesOrNo = choice('Y', 'N')
export const flag: Plain<boolean> = saying('`Y` or `N`', (sent, reading) => {
  const chosen = yesOrNo(sent, reading)
  return chosen.ok ? sound(chosen.value === 'Y') : chosen
})

/** An identifier of a follow-up: anything up to 255; what names nothing is an unknown entity, not a violation. */
export const identifier: Plain<string> = saying(`up to ${limits.length.identifier} characters`, (sent) =>
  codePoints(sent) > limits.length.identifier ? unsound(violations.notCorrect) : sound(sent),
)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (sent: string): boolean => uuidPattern.test(sent)
export const uuid: Plain<string> = saying('a UUID', (sent) =>
  isUuid(sent) ? sound(sent.toLowerCase()) : unsound(violations.notValid),
)

export const currency: Plain<string> = saying('an ISO 4217 code in capitals', (sent) =>
  /^[A-Z]{3}$/.test(sent) && exponentOf(sent) !== undefined ? sound(sent) : unsound(violations.notValid),
)

export const country: Plain<string> = saying('an ISO 3166-1 code of two capitals', (sent) =>
  isCountry(sent) ? sound(sent) : unsound(violations.notValid),
)

export const day: Plain<string> = saying('a date, `YYYY-MM-DD`', (sent) =>
  isDay(sent) ? sound(sent) : unsound(violations.notValid),
)

/** A zone such as `%eth0` means something on one machine only, and would make the address any length. */
export const ip: Plain<string> = saying('an IPv4 or IPv6 address', (sent) =>
  isIP(sent) > 0 && !sent.includes('%') ? sound(sent) : unsound(violations.notValid),
)

/** One `@` with text on both sides; letters of any script are fine. */
export const email: Plain<string> = saying(`an e-mail address, up to ${limits.length.email} characters`, (sent) => {
  if (codePoints(sent) > limits.length.email) return unsound(violations.tooLong(limits.length.email))
  return /^[^@\s]+@[^@\s]+$/u.test(sent) ? sound(sent) : unsound(violations.notEmail)
})

export const url = (longest: number): Plain<string> =>
  saying(`an http or https address, up to ${longest} characters`, (sent) => {
    if (codePoints(sent) > longest) return unsound(violations.tooLong(longest))
    return isWebAddress(sent) ? sound(sent) : unsound(violations.notUrl)
  })

/** A live key may have callbacks sent by https only, unless the whole instance is a sandbox (chapter 10 §2). */
export const callbackUrl: Format<string> = saying(
  `an https address, up to ${limits.length.callbackUrl} characters; http with a test key or on a sandbox instance`,
  (sent, reading) => {
    const judged = url(limits.length.callbackUrl)(sent, reading)
    if (!judged.ok) return judged
    const mayBePlain = reading.mode === 'test' || reading.sandbox
    return mayBePlain || sent.toLowerCase().startsWith('https:') ? judged : unsound(violations.notUrl)
  },
)

export const cardNumber: Plain<Secret<string>> = saying('12 to 19 digits with a right check digit', (sent) =>
  /^[0-9]{12,19}$/.test(sent) && luhnValid(sent) ? sound(secret(sent)) : unsound(violations.notValid),
)

export const verificationCode: Plain<Secret<string>> = saying('3 or 4 digits', (sent) =>
  /^[0-9]{3,4}$/.test(sent) ? sound(secret(sent)) : unsound(violations.notValid),
)

export const expiryMonth: Plain<number> = saying('`01` to `12`', (sent) =>
  /^(0[1-9]|1[0-2])$/.test(sent) ? sound(Number(sent)) : unsound(violations.notValid),
)

export const cardToken: Plain<string> = saying('64 hexadecimal characters', (sent) =>
  /^[0-9a-f]{64}$/i.test(sent) ? sound(sent.toLowerCase()) : unsound(violations.notValid),
)

/** A sub-account of the merchant: a name that no mapping has is answered like any unknown identifier. */
export const channel: Format<string, Pick<Reading, 'channels'>> = saying(
  `a channel of the merchant's mappings, up to ${limits.length.channelId} characters`,
  (sent, { channels }) => {
    if (codePoints(sent) > limits.length.channelId) return unsound(violations.tooLong(limits.length.channelId))
    return channels.includes(sent) ? sound(sent) : unsound(violations.notCorrect)
  },
)

export const phoneCountryCode: Plain<string> = saying(
  `digits and hyphens, up to ${limits.length.phoneCountryCode} characters`,
  (sent) => {
    if (codePoints(sent) > limits.length.phoneCountryCode)
      return unsound(violations.tooLong(limits.length.phoneCountryCode))
    return /^[0-9-]+$/.test(sent) ? sound(sent) : unsound(violations.notValid)
  },
)

/** Lengths of the interface count these. Chapter 10 §1.1. */
export const codePoints = (sent: string): number => {
  let count = 0
  for (const _ of sent) count += 1
  return count
}

/** The parser drops line ends and outer spaces, but the value is used as sent: in a header, where they must not be. */
const isWebAddress = (sent: string): boolean => /^https?:\/\/[^\s/]\S*$/i.test(sent) && URL.canParse(sent)
