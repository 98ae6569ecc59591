/** The texts of the fields. One file contains all 21 languages, because a frame loads nothing else. */
import { type LanguageCode, languages } from '#domain/place/language.ts'
import type { SessionFault } from './fields-api.ts'
import type { FieldName } from './messages.ts'
import { fields } from './texts-generated.ts'

export interface FieldTexts {
  readonly label: Readonly<Record<FieldName, string>>
  readonly wrong: Readonly<Record<FieldName, string>>
  readonly wrongNetwork: string
  readonly fault: Readonly<Record<SessionFault, string>>
  /** BCP 47. */
  readonly tag: string
  readonly direction: 'ltr' | 'rtl'
}

export function textsIn(code: LanguageCode): FieldTexts {
  const { card, expiry, cvv, wrongCard, wrongExpiry, wrongCode, wrongNetwork, ...faults } = table[code]
  const { tag, direction } = languages.find((language) => language.code === code) ?? { tag: 'en', direction: 'ltr' }
  return {
    label: { card, expiry, cvv },
    wrong: { card: wrongCard, expiry: wrongExpiry, cvv: wrongCode },
    wrongNetwork,
    fault: { over: faults.over, complete: faults.complete, busy: faults.busy, notSent: faults.notSent },
    tag,
    direction,
  }
}

/** A language that lacks a text is an error of types. */
type Row = Readonly<Record<keyof typeof fields.en, string>>
const table: Readonly<Record<LanguageCode, Row>> = fields
