/** The persons and addresses of a request, each format stated once. Chapter 30 §3.4, and for white space and "N/A" §1.3. */
import { violations } from '#domain/errors.ts'
import { limits } from '#domain/limits.ts'
import { isCountry } from '#domain/place/country.ts'
import { isSubdivision, subdivisionsOf } from '#domain/place/subdivision.ts'
import * as format from '../kit/values/formats.ts'
import { type Member, object, objectIn, optional, required, type Sent, textIn } from '../kit/values/members.ts'
import { type Format, type Read, saying } from '../kit/values/params.ts'
import type { About } from './about.ts'
import { checkoutEmail, pastDay, printable } from './text-formats.ts'

const { length } = limits
const personName = printable(length.customerNameLow, length.customerName)

const customerTable = {
  name: tidy(optional(personName)),
  email: tidy(optional(checkoutEmail)),
  birth_date: tidy(optional(pastDay)),
}

/** The page sees the payer's address itself and ignores `ip`. */
export const pageCustomer: Member<Texts, About> = known(object(customerTable, { sent: 'no', ifAbsent: 'skip' }))

export const fieldsCustomer: Member<Texts, About> = known(
  object({ ...customerTable, ip: tidy(optional(format.ip)) }, { sent: 'no', ifAbsent: 'skip' }),
)

/** The customer of a recurring charge. */
export const chargedCustomer: Member<Texts, About> = known(
  object({ name: customerTable.name, email: customerTable.email }, { sent: 'no', ifAbsent: 'skip' }),
)

export const payee: Member<Texts, About> = known(
  object({ name: tidy(required(personName)), email: tidy(optional(checkoutEmail)) }, { sent: 'no', ifAbsent: 'skip' }),
)

const country: Format<string, unknown> = saying('an ISO 3166-1 code of two letters in any case', (sent) => {
  const code = sent.toUpperCase()
  return isCountry(code) ? { value: code } : { violation: violations.notValid }
})

const phone: Format<string, unknown> = saying(`up to ${length.phone} digits, \`+ ( ) - . /\` and spaces`, (sent) => {
  if (format.codePoints(sent) > length.phone) return { violation: violations.tooLong(length.phone) }
  return /^[0-9+()\-./ ]+$/.test(sent) ? { value: sent } : { violation: violations.notValid }
})

const phoneCountryCode: Format<string, unknown> = saying(
  `digits and hyphens, up to ${length.phoneCountryCode} characters; a leading \`+\` is dropped`,
  (sent, about) => format.phoneCountryCode(sent.replace(/^\+/, ''), about),
)

/** Where no state is asked it is neither judged nor kept. */
const state: Member<string | undefined, About> = {
  words: { sent: 'no', holds: `a state's code or name, where the country is CA, US, JP, AU or IN; elsewhere dropped` },
  read: (path, sent, about): Read<string | undefined> => {
    const [address = ''] = path.split('.')
    const code = textIn(objectIn(about.body, address), 'country')?.trim().toUpperCase() ?? ''
    if (subdivisionsOf(code) === null) return { value: undefined }
    return optional(stateOf(code)).read(path, sent, about)
  },
}

const stateOf =
  (code: string): Format<string, unknown> =>
  (sent) =>
    isSubdivision(code, sent) ? { value: sent } : { violation: violations.notValid }

/** Never refused: one that is not listed shows the page in English. Chapter 30 §7.6. */
const anyLanguage: Format<string, unknown> = saying('any text', (sent) => ({ value: sent }))

const addressTable = {
  country: tidy(optional(country)),
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
export const postalAddress: Member<Texts, About> = known(object(addressTable, { sent: 'no', ifAbsent: 'skip' }))

type Texts = Readonly<Record<string, string>>

/** Members that were sent, by their wire names. */
function known<Values extends object>(member: Member<Values | undefined, About>): Member<Texts, About> {
  return {
    words: member.words,
    read: (path, sent, about) => {
      const read = member.read(path, sent, about)
      if ('violations' in read) return read
      const entries: readonly (readonly [string, unknown])[] = Object.entries(read.value ?? {})
      return {
        value: Object.fromEntries(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))),
      }
    },
  }
}

/** Line ends and tabs inside become a space each; white space around goes. */
function tidy<T, Rules>(member: Member<T, Rules>): Member<T, Rules> {
  return { ...member, read: (path, sent, about) => member.read(path, tidied(sent), about) }
}

function tidied(sent: Sent): Sent {
  if (typeof sent !== 'string') return sent
  const text = sent.replace(/[\r\n\t]/g, ' ').trim()
  return text === '' ? undefined : text
}

/** What deployed clients write where they have nothing to write. */
const nothing = new Set(['na', 'n/a', 'none'])

function address<T, Rules>(member: Member<T, Rules>): Member<T, Rules> {
  return {
    ...member,
    read: (path, sent, about) => {
      const text = tidied(sent)
      return member.read(path, typeof text === 'string' && nothing.has(text.toLowerCase()) ? undefined : text, about)
    },
  }
}
