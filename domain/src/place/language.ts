/** The languages of the pages that a payer sees: the 21 codes of the interface (Chapter 30 §7.6), then ours. Each is a file in `languages/`. */
import { languageRows } from './language-generated.ts'

export interface Language {
  /** The interface's own code; `sp` is its word for Spanish. */
  readonly code: LanguageCode
  readonly name: string
  readonly nativeName: string
  /** BCP 47, for `<html lang>` and number formats. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

export type LanguageCode = (typeof languageRows)[number]['code']

/** The code a merchant sent, in any case. One that is not listed means English, without an error. */
export function languageOf(text: string | undefined): LanguageCode {
  return codesByLowerCase.get(text?.toLowerCase() ?? '') ?? 'en'
}

/** In the order of the interface, which is the order of the payer's menu. */
export const languages: readonly Language[] = languageRows

const codesByLowerCase: ReadonlyMap<string, LanguageCode> = new Map(
  languageRows.map(({ code }) => [code.toLowerCase(), code]),
)
