/** The rules of each field: its format while typing, its validity, and the value that is sent. Chapter 30 §7.3. */
import { formatExpiry, isExpired, luhnValid } from '#domain/card.ts'
import { codeLength, digitsOf, groupCardNumber } from '../kit/card-number.ts'
import { formatExpiryWhileTyping, readExpiry } from '../kit/expiry.ts'
import type { FieldName } from './messages.ts'

export interface Surroundings {
  /** `YYYY-MM-DD`. */
  readonly today: string
  /** The network of the card in the neighbouring field; null while unknown. */
  readonly brand: string | null
}

export interface Entry {
  /** The formatted text without invalid characters; `before` is the previous text. */
  shape(text: string, before: string): string
  isValid(text: string, around: Surroundings): boolean
  /** The value in the format of the service. */
  value(text: string): string
}

const card: Entry = {
  shape: groupCardNumber,
  isValid: (text) => {
    const digits = digitsOf(text)
    return digits.length >= 14 && digits.length <= 19 && luhnValid(digits)
  },
  value: digitsOf,
}

const expiry: Entry = {
  shape: formatExpiryWhileTyping,
  isValid: (text, { today }) => {
    const read = readExpiry(text)
    return read !== null && read.year < 2100 && !isExpired(read, today)
  },
  value: (text) => {
    const read = readExpiry(text)
    return read === null ? '' : formatExpiry(read)
  },
}

const cvv: Entry = {
  shape: (text) => digitsOf(text).slice(0, 4),
  isValid: (text, { brand }) => {
    const { length } = digitsOf(text)
    return brand === null ? length === 3 || length === 4 : length === codeLength(brand)
  },
  value: digitsOf,
}

export const entries: Readonly<Record<FieldName, Entry>> = { card, expiry, cvv }
