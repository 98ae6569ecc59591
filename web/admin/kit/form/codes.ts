/** Codes that a field suggests while they are typed, with their names in the user's language. */
import { isoExponents } from '#domain/money/currencies.ts'
import { countries } from '#domain/place/country.ts'

export type CodeKind = 'currency' | 'country'

export interface Suggestion {
  readonly code: string
  readonly name: string
}

export function codesOf(kind: CodeKind, locale?: string): readonly Suggestion[] {
  const names = new Intl.DisplayNames(locale, { type: kind === 'currency' ? 'currency' : 'region' })
  const codes = kind === 'currency' ? isoExponents.keys() : countries
  return [...codes].toSorted().map((code) => ({ code, name: names.of(code) ?? code }))
}
