/** Reads the decrypted content of either wallet. Texts of these members never appear in a check's detail. */
import type { Expiry } from '#domain/card.ts'
import { isCardNumber } from '#domain/card.ts'
import { type Secret, secret } from '#domain/secret.ts'
import { isStorable } from '#domain/storable-text.ts'
import { demand, present } from '../check-sheet.ts'
import { isMembers, type JsonMembers, member, strictJsonBytes } from '../strict-json.ts'
import { base64Bytes, hexBytes } from '../text-bytes.ts'

export function plaintextObject(bytes: Buffer): JsonMembers {
  return present(strictJsonBytes(bytes), 'the content is not a JSON object')
}

export function cardNumber(parent: JsonMembers, name: string): Secret<string> {
  const number = requiredText(parent, name)
  demand(isCardNumber(number), 'the number is not valid')
  return secret(number)
}

export function requiredText(parent: JsonMembers, name: string): string {
  return present(optionalText(parent, name), `${name} is missing`)
}

export function optionalText(parent: JsonMembers, name: string): string | null {
  const value = member(parent, name)
  if (value === undefined || value === null) return null
  demand(typeof value === 'string', `${name} is not a string`)
  demand(isStorable(value), `${name} has an invalid Unicode character`)
  return value
}

export function optionalObject(parent: JsonMembers, name: string): JsonMembers | null {
  const value = member(parent, name)
  if (value === undefined || value === null) return null
  demand(isMembers(value), `${name} is not an object`)
  return value
}

export function requiredWhole(parent: JsonMembers, name: string): number {
  const value = member(parent, name)
  demand(typeof value === 'number' && Number.isSafeInteger(value), `${name} is not a whole number`)
  return value
}

export function optionalBase64(parent: JsonMembers, name: string): Secret<string> | null {
  const text = optionalText(parent, name)
  demand(text === null || base64Bytes(text) !== null, `${name} is not base64`)
  return text === null ? null : secret(text)
}

export function optionalHex(parent: JsonMembers, name: string): string | null {
  const text = optionalText(parent, name)
  demand(text === null || hexBytes(text) !== null, `${name} is not hexadecimal`)
  return text
}

/** `YYMMDD` of an existing day in this century. */
export function expiryOfDay(text: string): Expiry {
  demand(/^\d{6}$/.test(text), 'the expiry is not a date')
  const [year, month, day] = [2000 + Number(text.slice(0, 2)), Number(text.slice(2, 4)), Number(text.slice(4))]
  // Date.UTC would turn a nonexistent month or day into the next one.
  const moment = new Date(Date.UTC(year, month - 1, day))
  const exists = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day
  demand(exists, 'the expiry is not a date')
  return { month, year }
}
