/** The persons and addresses of a request, each format stated once. Chapter 30 §3.4, and for white space and "N/A" §1.3. */

import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { isCountry } from '#domain/place/country.ts'
import { isSubdivision, subdivisionsOf } from '#domain/place/subdivision.ts'
import * as format from '../kit/values/formats.ts'
import { type Format, object, optional, type Param, required, withWords } from '../kit/values/params.ts'
import { type ReadResult, soundResult, violationResult } from '../kit/values/read.ts'
import type { BaseReading, DatedReading } from '../kit/values/reading.ts'
import { objectIn, type SentValue, textIn } from '../kit/values/sent.ts'
import { checkoutEmail, pastDay, printable } from './text-formats.ts'

const { length } = limits
const personName = printable(length.customerNameLow, length.customerName)

const customerTable = {
  name: tidyParam(optional(personName)),
  email: tidyParam(optional(checkoutEmail)),
  birth_date: tidyParam(optional(pastDay)),
}

/** The page ignores `ip`, because it sees the payer's IP address itself. */
export const pageCustomer: Param<Texts, DatedReading> = textsOf(object(customerTable, { sent: 'no', ifAbsent: 'skip' }))

export const fieldsCustomer: Param<Texts, DatedReading> = textsOf(
  object({ ...customerTable, ip: tidyParam(optional(format.ip)) }, { sent: 'no', ifAbsent: 'skip' }),
)

/** The customer of a recurring charge. */
export const chargedCustomer: Param<Texts, DatedReading> = textsOf(
  object({ name: customerTable.name, email: customerTable.email }, { sent: 'no', ifAbsent: 'skip' }),
)

export const payee: Param<Texts, DatedReading> = textsOf(
  object(
    { name: tidyParam(required(personName)), email: tidyParam(optional(checkoutEmail)) },
    { sent: 'no', ifAbsent: 'skip' },
  ),
)

const country: Format<string, unknown> = withWords(
  'an ISO 3166-1 code of two letters in any case',
  (sent) => {
    const code = sent.toUpperCase()
    return isCountry(code) ? soundResult(code) : violationResult(violations.notValid)
  },
  { pattern: '^[A-Za-z]{2}$' },
)

const phone: Format<string, unknown> = withWords(`up to ${length.phone} digits, \`+ ( ) - . /\` and spaces`, (sent) => {
  if (format.codePoints(sent) > length.phone) return violationResult(violations.tooLong(length.phone))
  return /^[0-9+()\-./ ]+$/.test(sent) ? soundResult(sent) : violationResult(violations.notValid)
})

const phoneCountryCode: Format<string, unknown> = withWords(
  `digits and hyphens, up to ${length.phoneCountryCode} characters; a leading \`+\` is dropped`,
  (sent, reading) => format.phoneCountryCode(sent.replace(/^\+/, ''), reading),
)

/** In a country without states the value is neither checked nor stored. */
const state: Param<string | undefined, BaseReading> = {
  words: { sent: 'no', holds: `a state's code or name, where the country is CA, US, JP, AU or IN; elsewhere dropped` },
  read: (path, sent, reading): ReadResult<string | undefined> => {
    const [address = ''] = path.split('.')
    const code = textIn(objectIn(reading.tree, address), 'country')?.trim().toUpperCase() ?? ''
    if (subdivisionsOf(code) === null) return soundResult(undefined)
    return optional(stateOf(code)).read(path, sent, reading)
  },
}

const stateOf =
  (code: string): Format<string, unknown> =>
  (sent) =>
    isSubdivision(code, sent) ? soundResult(sent) : violationResult(violations.notValid)

/** Never refused: an unlisted language shows the page in English. Chapter 30 §7.6. */
const anyLanguage: Format<string, unknown> = withWords<string, unknown>('any text', soundResult)

const addressTable = {
  country: tidyParam(optional(country)),
  state: address(state),
  city: address(optional(format.text(length.city))),
  district: address(optional(format.text(length.district))),
  address: address(optional(format.text(length.address))),
  house_number: address(optional(format.text(length.houseNumber))),
  zip: address(optional(format.text(length.zip))),
  phone: address(optional(phone)),
  phone_country_code: address(optional(phoneCountryCode)),
  language: address(optional(anyLanguage)),
}

/** `billing_address` and `payee_billing_address`. */
export const postalAddress: Param<Texts, DatedReading> = textsOf(object(addressTable, { sent: 'no', ifAbsent: 'skip' }))

type Texts = Readonly<Record<string, string>>

/** Members that were sent, by their wire names. */
function textsOf<Needs extends BaseReading>(param: Param<object | undefined, Needs>): Param<Texts, Needs> {
  return {
    words: param.words,
    read: (path, sent, reading) => {
      const read = param.read(path, sent, reading)
      if (!read.ok) return read
      const entries: readonly (readonly [string, unknown])[] = Object.entries(read.value ?? {})
      return soundResult(
        Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))),
      )
    },
  }
}

/** Replaces each line end and tab with a space and trims the text. */
function tidyParam<T, Needs extends BaseReading>(param: Param<T, Needs>): Param<T, Needs> {
  return { ...param, read: (path, sent, reading) => param.read(path, withoutBreaks(sent), reading) }
}

function withoutBreaks(sent: SentValue): SentValue {
  if (typeof sent !== 'string') return sent
  const text = sent.replace(/[\r\n\t]/g, ' ').trim()
  return text === '' ? undefined : text
}

/** Placeholders that deployed clients send for a missing value. */
const emptyWords = new Set(['na', 'n/a', 'none'])

function address<T, Needs extends BaseReading>(param: Param<T, Needs>): Param<T, Needs> {
  return {
    ...param,
    read: (path, sent, reading) => {
      const text = withoutBreaks(sent)
      return param.read(
        path,
        typeof text === 'string' && emptyWords.has(text.toLowerCase()) ? undefined : text,
        reading,
      )
    },
  }
}
