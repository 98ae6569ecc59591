/** GET /page/v1/countries: the countries by their names in a language, and the states of the five that have any here. Chapter 30 §7.10. */
import { callingCodeOf } from '#domain/place/calling-code.ts'
import { countries } from '#domain/place/country.ts'
import type { Language } from '#domain/place/language.ts'
import { subdivisionsOf } from '#domain/place/subdivision.ts'

interface CountryAnswer {
  readonly value: string
  readonly text: string
  readonly calling_code: string | null
  readonly regions: readonly { readonly value: string; readonly text: string }[] | null
}

const answersByTag = new Map<string, readonly CountryAnswer[]>()

/** Sorted by the rules of the language. */
export function countriesIn({ tag }: Language): readonly CountryAnswer[] {
  const found = answersByTag.get(tag)
  if (found) return found
  const names = new Intl.DisplayNames([tag], { type: 'region' })
  const { compare } = new Intl.Collator(tag)
  const answers = [...countries]
    .map((value) => ({
      value,
      text: names.of(value) ?? value,
      calling_code: callingCodeOf(value),
      regions: regionsOf(value),
    }))
    .toSorted((one, other) => compare(one.text, other.text))
  answersByTag.set(tag, answers)
  return answers
}

const regionsOf = (country: string): CountryAnswer['regions'] =>
  subdivisionsOf(country)?.map(({ code, name }) => ({ value: code, text: name })) ?? null
