/** Chooses the language of a payer's page for a language tag or an Accept-Language header; English by default. */
import { type Language, payerTexts } from './payer-texts.ts'

/** `wish` is one tag, `zh-Hant`, or a header Accept-Language, `de-AT,de;q=0.9,en;q=0.5`. */
export function languageFor(wish: string | undefined): Language {
  for (const tag of byPreference(wish ?? '')) {
    const language = languagesByCode.get(tag) ?? languagesByCode.get(scriptOf(tag)) ?? languagesByCode.get(primary(tag))
    if (language) return language
  }
  return 'en'
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

function byPreference(wish: string): readonly string[] {
  return wish
    .slice(0, LONGEST_WISH)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { tag, weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

const LONGEST_WISH = 500

const primary = (tag: string): string => {
  const [language = ''] = tag.split('-')
  return synonyms.get(language) ?? language
}

/** Browsers name a Chinese script by its region. */
const scriptOf = (tag: string): string => (/^zh-(?:hant|tw|hk|mo)\b/.test(tag) ? 'zh-hant' : tag)

const synonyms: ReadonlyMap<string, string> = new Map([
  ['zh', 'zh-hans'],
  ['no', 'nb'],
  ['nn', 'nb'],
])

const isLanguage = (name: string): name is Language => name in payerTexts

const languagesByCode: ReadonlyMap<string, Language> = new Map(
  Object.keys(payerTexts)
    .filter(isLanguage)
    .map((language) => [language.toLowerCase(), language]),
)
