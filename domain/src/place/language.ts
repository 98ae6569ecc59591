/** The languages of the pages a payer sees: the 21 codes of the interface (Chapter 30 §7.6). */

export interface Language {
  /** The interface's own code; `sp` is its word for Spanish. */
  readonly code: LanguageCode
  readonly name: string
  readonly nativeName: string
  /** BCP 47, for `<html lang>` and number formats. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

export type LanguageCode = (typeof rows)[number][0]

/** The code a merchant sent, in any case. One that is not listed means English, without an error. */
export function languageOf(text: string | undefined): LanguageCode {
  return codesByLowerCase.get(text?.toLowerCase() ?? '') ?? 'en'
}

// biome-ignore format: a table is read in columns.
const rows = [
  // code     name                    native name           tag        direction
  [ 'en',     'English',              'English',            'en',      'ltr' ],
  [ 'sp',     'Spanish',              'Español',            'es',      'ltr' ],
  [ 'ar',     'Arabic',               'العربية',            'ar',      'rtl' ],
  [ 'az',     'Azerbaijani',          'Azərbaycanca',       'az',      'ltr' ],
  [ 'fr',     'French',               'Français',           'fr',      'ltr' ],
  [ 'nb',     'Norwegian',            'Norsk bokmål',       'nb',      'ltr' ],
  [ 'zh',     'Chinese, simplified',  '简体中文',            'zh-Hans', 'ltr' ],
  [ 'zh-TW',  'Chinese, traditional', '繁體中文',            'zh-Hant', 'ltr' ],
  [ 'kk',     'Kazakh',               'Қазақша',            'kk',      'ltr' ],
  [ 'de',     'German',               'Deutsch',            'de',      'ltr' ],
  [ 'it',     'Italian',              'Italiano',           'it',      'ltr' ],
  [ 'hr',     'Croatian',             'Hrvatski',           'hr',      'ltr' ],
  [ 'cs',     'Czech',                'Čeština',            'cs',      'ltr' ],
  [ 'hu',     'Hungarian',            'Magyar',             'hu',      'ltr' ],
  [ 'pl',     'Polish',               'Polski',             'pl',      'ltr' ],
  [ 'pt',     'Portuguese',           'Português',          'pt',      'ltr' ],
  [ 'ro',     'Romanian',             'Română',             'ro',      'ltr' ],
  [ 'ja',     'Japanese',             '日本語',              'ja',      'ltr' ],
  [ 'nl',     'Dutch',                'Nederlands',         'nl',      'ltr' ],
  [ 'bg',     'Bulgarian',            'Български',          'bg',      'ltr' ],
  [ 'ru',     'Russian',              'Русский',            'ru',      'ltr' ],
] as const

/** In the order of the interface, which is the order of the payer's menu. */
export const languages: readonly Language[] = rows.map(([code, name, nativeName, tag, direction]) => ({
  code,
  name,
  nativeName,
  tag,
  direction,
}))

const codesByLowerCase: ReadonlyMap<string, LanguageCode> = new Map(rows.map(([code]) => [code.toLowerCase(), code]))
