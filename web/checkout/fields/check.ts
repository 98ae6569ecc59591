/** Validates an entry and names the text that explains what is wrong. The server repeats every check. Chapter 30 §7.3. */
import { isExpired, luhnValid, networkOf } from '#domain/card.ts'
import { isPersonName } from '#domain/checkout/person-name.ts'
import { codeLength, digitsOf, usualLength } from '../../kit/card-number.ts'
import { hasImpossibleMonth, readExpiry } from '../../kit/expiry.ts'
import type { FieldView } from '../page-api.ts'
import type { TextKey } from '../state/texts.ts'

export interface Surroundings {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly currency: string
  /** The network of the saved or typed card. */
  readonly network: string | null
  /** The networks that a MID accepts; empty if unknown. */
  readonly networks: readonly string[]
  /** True when the payer presses Pay, false when the payer leaves the field. */
  readonly atPay: boolean
}

/** Null if the entry is valid. */
export function complaintOf(field: FieldView, text: string, around: Surroundings): TextKey | null {
  const { name, required } = field
  const value = text.trim()
  const rule = rules[name]
  if (value === '') return required ? emptyText(rule) : null
  if (rule) return rule.check(value, around) ? null : faultText(rule, value, around)
  return fits(field, value) ? null : 'wrongValue'
}

/** At pay, an unsupported card is reported first, whatever else is wrong with its number. */
function networkComplaint(number: string, { networks }: Surroundings): TextKey | null {
  const network = networkOf(digitsOf(number))
  if (network === undefined) return 'wrongNetwork'
  return networks.length > 0 && !networks.includes(network) ? 'wrongNetwork' : null
}

interface Rule {
  readonly check: (value: string, around: Surroundings) => boolean
  /** Says what to do about an invalid entry: the same for every fault, or one text for each. */
  readonly text: TextKey | ((value: string, around: Surroundings) => TextKey)
  /** Says what to do about an empty field, where `text` would not fit. */
  readonly empty?: TextKey
}

const faultText = ({ text }: Rule, value: string, around: Surroundings): TextKey =>
  typeof text === 'string' ? text : text(value, around)

function emptyText(rule: Rule | undefined): TextKey {
  if (rule?.empty) return rule.empty
  return typeof rule?.text === 'string' ? rule.text : 'missing'
}

const email = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/
/** The server also counts code points: a letter outside the basic plane counts once. */
const codePoints = (text: string): number => Array.from(text).length

const upTo =
  (most: number): Rule['check'] =>
  (value) =>
    codePoints(value) <= most

// biome-ignore format: a table is read in columns.
const rules: Readonly<Record<string, Rule>> = {
  // field                                 rule                                                                   message if invalid
  'card.number':                         { check: isNumber,                                                      text: numberFault, empty: 'emptyCardNumber' },
  'payee_card.number':                   { check: isPlainNumber,                                                 text: plainNumberFault, empty: 'emptyCardNumber' },
  'card.expiry':                         { check: isExpiry,                                                      text: expiryFault, empty: 'emptyExpiry' },
  'card.cvv':                            { check: isCode,                                                        text: 'wrongCode', empty: 'emptyCode' },
  'amount':                              { check: isAmount,                                                      text: 'wrongAmount' },
  'customer.name':                       { check: isPersonName,                                                  text: 'wrongName', empty: 'emptyName' },
  'customer.email':                      { check: (value) => value.length <= 255 && email.test(value),           text: 'wrongEmail' },
  'customer.birth_date':                 { check: (value, { today }) => isDay(value) && value < today,           text: 'wrongValue' },
  'payee.name':                          { check: isPersonName,                                                  text: 'wrongName', empty: 'missing' },
  'billing_address.country':             { check: (value) => /^[A-Z]{2}$/.test(value),                           text: 'wrongCountry' },
  'billing_address.state':               { check: upTo(32),                                                      text: 'wrongState' },
  'billing_address.city':                { check: upTo(40),                                                      text: 'wrongCity' },
  'billing_address.district':            { check: upTo(32),                                                      text: 'wrongValue' },
  'billing_address.address':             { check: upTo(255),                                                     text: 'wrongAddress' },
  'billing_address.house_number':        { check: upTo(9),                                                       text: 'wrongValue' },
  'billing_address.zip':                 { check: upTo(10),                                                      text: 'wrongZip' },
  'billing_address.phone':               { check: (value) => /^(?=.*[0-9])[0-9+().\-/ ]{1,32}$/.test(value),     text: 'wrongPhone' },
  'billing_address.phone_country_code':  { check: (value) => /^\+?[0-9](?:[0-9-]{0,9})$/.test(value),            text: 'wrongPhoneCode' },
}

function numberFault(value: string, around: Surroundings): TextKey {
  return (around.atPay ? networkComplaint(value, around) : null) ?? plainNumberFault(value)
}

function plainNumberFault(value: string): TextKey {
  const digits = digitsOf(value)
  return digits.length < usualLength(networkOf(digits)) ? 'shortCardNumber' : 'wrongCardNumber'
}

function expiryFault(value: string): TextKey {
  if (readExpiry(value) !== null) return 'pastExpiry'
  return hasImpossibleMonth(value) ? 'wrongMonth' : 'wrongExpiry'
}

function isNumber(value: string, around: Surroundings): boolean {
  return isPlainNumber(value) && !(around.atPay && networkComplaint(value, around))
}

function isPlainNumber(value: string): boolean {
  const digits = digitsOf(value)
  return digits.length >= 14 && digits.length <= 19 && luhnValid(digits)
}

function isExpiry(value: string, { today }: Surroundings): boolean {
  const expiry = readExpiry(value)
  return expiry !== null && !isExpired(expiry, today)
}

function isCode(value: string, { network }: Surroundings): boolean {
  return digitsOf(value).length === value.length && value.length === codeLength(network)
}

/** The browser's decimals of a currency suffice, because the server checks again by its own table, which is too large for the page. */
function isAmount(value: string, { currency }: Surroundings): boolean {
  const found = positiveAmount.exec(value)
  if (!found) return false
  const [, fraction = ''] = found
  const decimals = decimalsOf(currency)
  return fraction.length <= decimals || (fraction === '00' && decimals === 0)
}

const positiveAmount = /^(?=.*[1-9])(?:0|[1-9][0-9]{0,11})(?:\.([0-9]+))?$/

/** Browsers know no crypto currencies. */
function decimalsOf(currency: string): number {
  try {
    const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    return maximumFractionDigits
  } catch {
    return 18
  }
}

function isDay(value: string): boolean {
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value) && !Number.isNaN(Date.parse(value))
}

/** The types of chapter 20 §5.2, as far as a page can ask for them. */
function fits({ type, min, max, pattern, values }: FieldView, value: string): boolean {
  const length = codePoints(value)
  if (values.length > 0) return values.includes(value)
  if (type === 'email') return email.test(value)
  if (type === 'integer' || type === 'amount') {
    return (
      /^-?[0-9]+(?:\.[0-9]+)?$/.test(value) && Number(value) >= (min ?? -Infinity) && Number(value) <= (max ?? Infinity)
    )
  }
  if (length < (min ?? 0) || length > (max ?? 1024)) return false
  if (type === 'digits' && !/^[0-9]+$/.test(value)) return false
  return pattern === null || new RegExp(pattern, 'u').test(value)
}
