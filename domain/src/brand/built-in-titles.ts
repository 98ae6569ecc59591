/** Titles of the built-in methods, in every language of the page. Payouts and debits have none, because they have no page. */
import { type LanguageCode, languages } from '../place/language.ts'
import { brands, parameters } from './titles-generated.ts'

type Titles = Readonly<Record<string, string>>

export const brandTitles: ReadonlyMap<string, Titles> = byName(brands)
export const parameterTitles: ReadonlyMap<string, Titles> = byName(parameters)

function byName<Name extends string>(
  texts: Readonly<Record<LanguageCode, Readonly<Record<Name, string>>>>,
): ReadonlyMap<string, Titles> {
  return new Map(
    Object.keys(texts.en).map((name) => [
      name,
      Object.fromEntries(languages.map(({ code }) => [code, Reflect.get(texts[code], name)])),
    ]),
  )
}
