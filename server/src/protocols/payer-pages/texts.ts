/** The texts of the pages in the 21 languages of the interface. A missing text is a compiler error. */
import { type Language, type LanguageCode, languageOf, languages } from '#domain/place/language.ts'
import { payerPages } from './texts-generated.ts'

type Texts = Readonly<Record<keyof typeof payerPages.en, string>>

/** A language with its texts. */
export interface Wording {
  readonly language: Language
  readonly texts: Texts
}

const textsByCode: Readonly<Record<LanguageCode, Texts>> = payerPages

const byCode = new Map(languages.map((language) => [language.code, { language, texts: textsByCode[language.code] }]))

/** The language of a payment, as chosen by `payer_language`. Chapter 10 §7.1.11. */
export function wordingOf(code: string): Wording {
  const wording = byCode.get(languageOf(code))
  if (!wording) throw new Error('Every language of the interface has its texts.')
  return wording
}

/** The browser's preferred language, for pages without a payment; English if none of its languages is available. */
export function wordingFor(acceptLanguage: string | undefined): Wording {
  for (const tag of byPreference(acceptLanguage ?? '')) {
    const language = languageTagged(tag)
    if (language) return wordingOf(language.code)
  }
  return wordingOf('en')
}

/** A longer header does not come from a browser. */
const longestHeader = 500

function byPreference(header: string): readonly string[] {
  return header
    .slice(0, longestHeader)
    .split(',')
    .map((wish) => {
      const [tag = '', weight = 'q=1'] = wish.split(';').map((part) => part.trim())
      return { tag, weight: Number(/^q=([01](?:\.[0-9]{0,3})?)$/i.exec(weight)?.[1] ?? 0) }
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}

function languageTagged(tag: string): Language | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag)) return undefined
  const [primary = '', script = ''] = languageAndScript(tag)
  const wanted = [`${primary}-${script}`, norwegian.includes(primary) ? 'nb' : primary]
  return languages.find((language) => wanted.includes(language.tag))
}

/** A region implies a script: zh-HK is written like zh-TW, and Chinese without a region like zh-CN. */
function languageAndScript(tag: string): readonly (string | undefined)[] {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return [language, script]
  } catch {
    return []
  }
}

/** Readers of `nb` also understand the general tag and `nn`. */
const norwegian = ['no', 'nn']
