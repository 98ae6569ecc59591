/** An expiry date while it is typed: `MM/YY`, and other notations of payers and password managers. Chapter 30 §7.3. */
import type { Expiry } from '#domain/card.ts'
import { digitsOf } from './card-number.ts'

/** Reads `MM/YY`, `MMYY`, `MM-YY` and `MM/YYYY`, with any spaces; null if it is not a month. */
export function readExpiry(text: string): Expiry | null {
  const found = /^([01]?[0-9])[^0-9]+([0-9]{2}|[0-9]{4})$|^([01][0-9])([0-9]{2}|[0-9]{4})$/.exec(western(text).trim())
  if (!found) return null
  const month = Number(found[1] ?? found[3])
  const year = found[2] ?? found[4] ?? ''
  if (month < 1 || month > 12) return null
  return { month, year: Number(year.length === 2 ? `20${year}` : year) }
}

/** Whether both digits of the month are typed and are not a month, so that no further digit can make it valid. */
export function hasImpossibleMonth(text: string): boolean {
  const month = /^\s*([0-9]{2})/.exec(western(text))?.[1]
  return month !== undefined && (Number(month) < 1 || Number(month) > 12)
}

/** The text to show while typing. A slash that was just deleted is not added again, or the month could not be deleted. */
export function formatExpiryWhileTyping(text: string, before: string): string {
  const plain = western(text)
  if (before.startsWith(plain)) return plain
  const [month = '', ...rest] = plain.split(/[^0-9]+/)
  if (rest.length > 0)
    return [month.length === 1 ? `0${month}` : month.slice(0, 2), rest.join('').slice(0, 4)].join('/')
  if (/^[2-9]$/.test(month)) return `0${month}/`
  if (month.length < 2) return month
  return `${month.slice(0, 2)}/${month.slice(2, 6)}`
}

/** Digits of other scripts become 0 to 9, the rest is unchanged. */
const western = (text: string): string => text.replace(/\p{Nd}/gu, (digit) => digitsOf(digit)).slice(0, 9)
