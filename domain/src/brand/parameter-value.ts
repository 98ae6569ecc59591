/** Checks one value of a brand's parameter against its row: returns the violation, or null. Chapter 20 §2, §5.2. */
import { violations } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Exponents } from '../money/currencies.ts'
import { parseAmount } from '../money/money.ts'
import { isCountry } from '../place/country.ts'
import { isDay } from '../schedule/day.ts'
import type { ParameterRow, ParameterType } from './parameter-row.ts'
import { matches } from './pattern.ts'

/** The currency of amounts. */
interface WrittenIn {
  readonly currency: string | null
  readonly crypto?: Exponents
}

export function valueFault(row: ParameterRow, value: string, order: WrittenIn): string | null {
  const fault = faultOf[row.type](row, value, order)
  if (fault !== null) return fault
  return row.pattern === null || matches(row.pattern, value) ? null : violations.notValid
}

type Judge = (row: ParameterRow, value: string, order: WrittenIn) => string | null

/** A text of the given format whose length is within the row's bounds. */
const text =
  (
    isWellFormed: (value: string) => boolean,
    refusal: string = violations.notValid,
    longestOfType: number = limits.request.parameterValueLength,
  ): Judge =>
  ({ min, max }, value) => {
    const length = Array.from(value).length
    const longest = max ?? longestOfType
    if (length > longest) return violations.tooLong(longest)
    return length >= (min ?? 0) && isWellFormed(value) ? null : refusal
  }

const within = (value: bigint, min: bigint | null, max: bigint | null): boolean =>
  (min === null || value >= min) && (max === null || value <= max)

// Rows are validated before they are stored, so a bound is a whole number here.
const whole = (bound: number | null): bigint | null => (bound === null ? null : BigInt(Math.trunc(bound)))

const integer: Judge = ({ min, max }, value) =>
  /^-?[0-9]{1,18}$/.test(value) && within(BigInt(value), whole(min), whole(max)) ? null : violations.notValid

const amount: Judge = ({ min, max }, value, { currency, crypto }) => {
  const minor = (written: string): bigint | null => {
    const read = parseAmount(written, currency ?? '', crypto)
    return typeof read === 'string' ? null : read.minor
  }
  const parseBound = (limit: number | null): bigint | null => (limit === null ? null : minor(String(limit)))
  const read = minor(value)
  return read !== null && within(read, parseBound(min), parseBound(max)) ? null : violations.notValid
}

/** JSON must arrive as one text: rebuilt from bracket names it would no longer be the text that was signed. Chapter 20 §6.4. */
const json: Judge = ({ min, max }, value) => {
  const bytes = new TextEncoder().encode(value).length
  return bytes >= (min ?? 0) && bytes <= (max ?? limits.request.parameterValueLength) && isJson(value)
    ? null
    : violations.notValid
}

const choice: Judge = ({ values }, value) => (values.includes(value) ? null : violations.notChoice)

/** Objects and lists are read member by member elsewhere, so a text in their place is always wrong. */
const never: Judge = () => violations.notValid

// biome-ignore format: a table is read in columns.
const faultOf: Readonly<Record<ParameterType, Judge>> = {
  // type     what fits
  string:   text(() => true),
  digits:   text((value) => /^[0-9]+$/.test(value)),
  integer,
  amount,
  email:    text((value) => /^[^@\s]+@[^@\s]+$/u.test(value), violations.notEmail, limits.length.email),
  phone:    text((value) => /^\+?[0-9][0-9 ()-]{3,30}$/.test(value)),
  date:     text(isDay),
  datetime: text(isDateTime),
  country:  text(isCountry),
  enum:     choice,
  boolean:  text((value) => ['true', 'false', '1', '0'].includes(value)),
  json,
  object:   never,
  list:     never,
}

function isDateTime(value: string): boolean {
  const [, date, time] = /^(\S{10})[ T]([0-9]{2}:[0-9]{2}:[0-9]{2})$/.exec(value) ?? []
  return (
    date !== undefined && time !== undefined && isDay(date) && /^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/.test(time)
  )
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
