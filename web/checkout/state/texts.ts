/** The texts of the page in the current language. Only the texts of that language are loaded. Chapter 30 §7.6. */
import { computed, signal } from '@preact/signals'
import { type Language, type LanguageCode, languages } from '#domain/place/language.ts'
import type english from '#domain/place/languages/en.json'
import { fillText, pluralOf, type Values } from './fill-text.ts'

type English = (typeof english)['page']
type Texts = Readonly<Record<keyof English, string | Readonly<Record<string, string>>>>
type Key = keyof English
/** Plain texts, and texts that depend on a number. */
export type TextKey = { [K in Key]: English[K] extends string ? K : never }[Key]
export type CountKey = Exclude<Key, TextKey>

const texts = signal<Texts | null>(null)
const code = signal<LanguageCode>('en')

export const language = computed<Language>(() => {
  const found = languages.find((one) => one.code === code.value) ?? languages[0]
  if (!found) throw new Error('The interface has languages.')
  return found
})

export function say(key: TextKey, values: Values = {}): string {
  const text = texts.value?.[key]
  return typeof text === 'string' ? fillText(text, values) : ''
}

export function sayCount(key: CountKey, count: number, values: Values = {}): string {
  const forms = texts.value?.[key]
  if (typeof forms !== 'object') return ''
  return fillText(pluralOf(forms, count, language.value.tag), { ...values, count: String(count) })
}

/** Amounts and numbers stay left to right inside a right-to-left text. Chapter 30 §7.6. */
export const leftToRight = (text: string): string => (language.value.direction === 'rtl' ? `\u2066${text}\u2069` : text)

/** A text with its placeholders, for callers that insert elements. */
export const template = (key: TextKey): string => say(key)

let addresses: Readonly<Record<string, string>> = {}

/** From language code to the address of its texts. */
export function setTextAddresses(where: Readonly<Record<string, string>>): void {
  addresses = where
}

/** The page keeps its language if the texts of the new one cannot be loaded. */
export async function loadLanguage(next: LanguageCode): Promise<void> {
  const address = addresses[next]
  if (address === undefined) return
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The texts of ${next} are missing.`)
  // The build generates this file; a test checks that it is complete.
  texts.value = (await answer.json()) as Texts
  code.value = next
  document.documentElement.lang = language.value.tag
  document.documentElement.dir = language.value.direction
}
