/** The server's own texts on the hosted page and in the frames, in the 21 languages. A missing text is a compiler error. */
import type { DeclineCause } from '#domain/checkout/session.ts'
import { type LanguageCode, languageOf } from '#domain/place/language.ts'
import { server } from './texts-generated.ts'

export type PageTexts = Readonly<Record<keyof typeof server.en, string>>

const textsByCode: Readonly<Record<LanguageCode, PageTexts>> = server

export const pageTexts = (language: string): PageTexts => textsByCode[languageOf(language)]

/** The message for a payer who may try again. */
export function declineText(cause: DeclineCause, language: string): string {
  const { declined, otherCard, authentication, technical, late } = pageTexts(language)
  const texts: Readonly<Record<DeclineCause, string>> = {
    general: declined,
    otherCard,
    authentication,
    technical,
    late,
  }
  return texts[cause]
}
