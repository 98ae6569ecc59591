/** The server's own texts on the hosted page and in the frames, in the 21 languages. A missing text is a compiler error. */
import type { DeclineCause } from '#domain/checkout/decline-cause.ts'
import { type LanguageCode, languageOf } from '#domain/place/language.ts'
import { server } from './texts-generated.ts'

export type PageTexts = Readonly<Record<keyof typeof server.en, string>>

const textsByCode: Readonly<Record<LanguageCode, PageTexts>> = server

export const pageTexts = (language: string): PageTexts => textsByCode[languageOf(language)]

// biome-ignore format: a table is read in columns.
const declineTexts: Readonly<Record<DeclineCause, readonly [reason: keyof PageTexts, advice: keyof PageTexts]>> = {
  general:        ['declined',       'checkDetails'],
  funds:          ['funds',          'otherCard'],
  expiredCard:    ['expiredCard',    'otherCard'],
  issuer:         ['issuer',         'otherCard'],
  otherCard:      ['declined',       'otherCard'],
  authentication: ['authentication', 'tryOrOtherWay'],
  technical:      ['technical',      'tryLater'],
  late:           ['late',           'tryAgain'],
}

/** The message for a payer who has no attempt left: an advice could not be followed. */
export const declineReasonText = (cause: DeclineCause, language: string): string =>
  pageTexts(language)[declineTexts[cause][0]]

/** The message for a payer who may try again: the reason, and what to do. */
export function declineText(cause: DeclineCause, language: string): string {
  const reason = declineReasonText(cause, language)
  const advice = pageTexts(language)[declineTexts[cause][1]]
  // Chinese and Japanese have no space between sentences.
  return reason.endsWith('。') ? `${reason}${advice}` : `${reason} ${advice}`
}
