/** The few texts that the SDK itself shows. The form provides all others. */
import { type LanguageCode, languageOf } from '#domain/place/language.ts'
import { sdk } from './texts-generated.ts'

interface SdkTexts {
  /** The label of the link that opens the next page. */
  readonly open: string
  /** Shown beside the link, and after it was pressed. */
  readonly goOn: string
  readonly resultUnknown: string
  /** Nothing was charged, and the form shows the new amount. */
  readonly amountChanged: string
}

export function textsIn(language: string): SdkTexts {
  return table[languageOf(language)]
}

/** A language that lacks a text is an error of types. */
const table: Readonly<Record<LanguageCode, SdkTexts>> = sdk
