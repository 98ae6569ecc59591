/**
 * What the search box understands. Each word has one meaning, which its form decides and which the page states; `order:1111` names another
 * one. A text that cannot be understood is a fault and searches nothing, so that a list or a file is never wider than its reader believes.
 */

import { isoExponents } from '#domain/money/currencies.ts'
import { uuidPattern } from '#domain/uuid.ts'
import type { Query } from '../../api/call.ts'
import { decimalOf, localeDigits } from '../../kit/values/typed-decimal.ts'
import { hasCardNumber } from './card-numbers.ts'
import { wordsIn } from './split-words.ts'

type SearchFilter = Query<'GET /payments'>

interface Meaning {
  readonly filter: SearchFilter
  /** In words for the user. */
  readonly text: string
  /** Other texts for the box, if the word could mean something else. */
  readonly others: readonly Alternative[]
}

interface Alternative {
  readonly text: string
  readonly search: string
}

export type SearchReading =
  | {
      readonly ok: true
      readonly filter: SearchFilter
      readonly texts: readonly string[]
      readonly others: readonly Alternative[]
    }
  | { readonly ok: false; readonly text: string }

export function readSearch(typed: string, locale?: string): SearchReading {
  if (hasCardNumber(typed)) return { ok: false, text: 'Do not enter a whole card number. Enter its last four digits.' }
  const words = wordsIn(typed, (text) => decimalOf(text, locale) !== null)
  const meanings: Meaning[] = []
  for (const { name, value, source } of words) {
    const meaning = name === null ? meaningOf(value, locale) : namedMeaning(name, value, locale)
    if (typeof meaning === 'string') return { ok: false, text: meaning }
    const others = meaning.others.map(({ text, search }) => ({ text, search: typed.replace(source, search) }))
    meanings.push({ ...meaning, others })
  }
  return combine(meanings)
}

/** A payment has one card, one amount and one order, so two values for one of them contradict each other. */
function combine(meanings: readonly Meaning[]): SearchReading {
  const filter = new Map<string, string>()
  for (const meaning of meanings)
    for (const [name, value] of Object.entries(meaning.filter)) {
      const before = filter.get(name)
      const text = String(value)
      if (before !== undefined && before !== text)
        return { ok: false, text: `No payment is found by both ${before} and ${text}. Remove one of them.` }
      filter.set(name, text)
    }
  return {
    ok: true,
    // Every name and value comes from a filter of the same type.
    filter: Object.fromEntries(filter) as SearchFilter,
    texts: meanings.map(({ text }) => text),
    others: meanings.flatMap(({ others }) => others),
  }
}

type Reader = (value: string, locale: string | undefined) => Meaning | string

const simple =
  (name: keyof SearchFilter, label: string): Reader =>
  (value) => ({ filter: { [name]: value }, text: `${label} ${value}`, others: [] })

const readForm =
  (form: RegExp, reader: Reader, fault: string): Reader =>
  (value, locale) =>
    form.test(value) ? reader(value, locale) : `“${value}” is not ${fault}.`

const uuid = new RegExp(`^${uuidPattern}$`, 'i')
const address = /^(?:\d{1,3}\.){3}\d{1,3}$|^[0-9a-f]*:[0-9a-f:.]+$/i

// biome-ignore format: a table is read in columns.
const readers: Readonly<Record<string, Reader>> = {
  order:        simple('orderId', 'order number beginning with'),
  id:           readForm(uuid, simple('paymentId', 'transaction id'), 'a whole transaction id of 36 characters'),
  subscription: readForm(uuid, simple('subscriptionId', 'subscription'), 'a whole subscription id of 36 characters'),
  ref:          simple('reference', 'reference'),
  email:        readForm(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, simple('payerEmail', 'e-mail'), 'a whole e-mail address'),
  name:         simple('payerName', 'payer’s name beginning with'),
  ip:           readForm(address, simple('payerIp', 'IP address'), 'an IP address'),
  card:         readCard,
  amount:       readAmount,
  currency:     readForm(/^[a-z]{3}$/i, (code) => simple('currency', 'currency')(code.toUpperCase(), undefined), 'the code of a currency'),
}

function namedMeaning(name: string, value: string, locale: string | undefined): Meaning | string {
  const reader = readers[name.toLowerCase()]
  if (reader === undefined) {
    const known = Object.keys(readers).map((one) => `${one}:`)
    return `There is no search by “${name}:”. Use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`
  }
  return value === '' ? `Enter a value after “${name}:”.` : reader(value, locale)
}

/** The meaning of a word without a name, by its form; the first form that fits decides. */
function meaningOf(word: string, locale: string | undefined): Meaning | string {
  const as = (name: string, ...others: readonly string[]): Meaning | string => {
    const meaning = namedMeaning(name, word, locale)
    return typeof meaning === 'string'
      ? meaning
      : { ...meaning, others: others.flatMap((one) => alternativeOf(one, word, locale)) }
  }
  if (uuid.test(word)) return as('id', 'subscription', 'ref')
  if (word.includes('@')) return as('email')
  if (/^\d{4}$/.test(word)) return as('card', 'order', 'amount', 'ref')
  if (/^\d{6}[*•x…]+\d{4}$|^[*•x…]+\d{4}$/i.test(word)) return as('card')
  if (/^\d{12}$|^\d{23}$/.test(word)) return as('ref', 'order')
  if (address.test(word)) return as('ip')
  if (/^\d+$/.test(word)) return as('order', 'amount', 'ref')
  if (isAmount(word, locale)) return as('amount', 'order')
  if (isoExponents.has(word)) return as('currency', 'name', 'order')
  if (/^[\p{L}\p{M}'’.\- ]+$/u.test(word)) return as('name', 'order')
  if (/^[\p{L}\p{N}#][\p{L}\p{N}._/#+-]*$/u.test(word)) return as('order', 'ref')
  return `“${word}” cannot be searched for. Write for example 1111, 471.16 EUR, ann@example.com, or order:"${word.replaceAll('"', '')}".`
}

function alternativeOf(name: string, word: string, locale: string | undefined): readonly Alternative[] {
  const meaning = namedMeaning(name, word, locale)
  const quoted = /\s/.test(word) ? `"${word}"` : word
  return typeof meaning === 'string' ? [] : [{ text: meaning.text, search: `${name}:${quoted}` }]
}

function readCard(value: string): Meaning | string {
  const [, firstSix, lastFour] = /^(?:(\d{6})[^\d]*|[^\d]*)(\d{4})$/.exec(value) ?? []
  if (lastFour === undefined)
    return `“${value}” is not a card. Enter its last four digits, or its first six and last four.`
  if (firstSix === undefined) return { filter: { lastFour }, text: `last four ${lastFour}`, others: [] }
  return { filter: { card: `${firstSix}******${lastFour}` }, text: `card ${firstSix}…${lastFour}`, others: [] }
}

const withCurrency = /^(?:([a-z]{3}) ?)?([^a-z]+?)(?: ?([a-z]{3}))?$/i

const isAmount = (word: string, locale: string | undefined): boolean => typeof readAmount(word, locale) !== 'string'

/** With a currency before or after it, or in any currency. */
function readAmount(value: string, locale: string | undefined): Meaning | string {
  const [, before, written = '', after] = withCurrency.exec(value) ?? []
  const amount = decimalOf(written, locale)
  const currency = (before ?? after)?.toUpperCase()
  if (amount === null || (before !== undefined && after !== undefined)) return `“${value}” is not an amount.`
  if (currency === undefined)
    return { filter: { amount }, text: `amount ${showAmount(amount, locale)} in any currency`, others: [] }
  if (!isoExponents.has(currency)) return `${currency} is not the code of a currency.`
  return { filter: { amount, currency }, text: `amount ${showAmount(amount, locale)} ${currency}`, others: [] }
}

/** As understood, with the separators of the locale. */
function showAmount(amount: string, locale: string | undefined): string {
  const [whole = '0', fraction] = amount.split('.')
  const format = new Intl.NumberFormat(locale)
  const mark = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return `${format.format(BigInt(whole))}${fraction === undefined ? '' : `${mark}${localeDigits(fraction, locale)}`}`
}
