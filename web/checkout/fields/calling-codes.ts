/** The calling codes of the countries that the server lists. Chapter 30 §3.4. */
import type { Option } from '../../kit/select-input.tsx'
import type { CountryView } from '../page-api.ts'

type Country = Pick<CountryView, 'value' | 'text' | 'calling_code'>

/** A choice per country, because several countries share a code. Countries without a calling code are left out. */
export const callingCodes = (countries: readonly Country[]): readonly Option[] =>
  countries.flatMap(({ value, text, calling_code: code }) =>
    code === null ? [] : [{ value, text: `${text} (+${code})` }],
  )

export const codeOfCountry = (countries: readonly Country[], country: string): string =>
  countries.find(({ value }) => value === country)?.calling_code ?? ''

/** The country to show for a code: the first preferred one that has it, otherwise the largest. The code itself if no country has it. */
export function countryOfCode(countries: readonly Country[], code: string, preferred: readonly string[]): string {
  const all = countries.map(({ value }) => value)
  const first = [...preferred, ...largest, ...all].find((country) => codeOfCountry(countries, country) === code)
  return code === '' ? '' : (first ?? code)
}

/** The largest country of each code that several share, where it is not the first of the alphabet. */
const largest = ['US', 'GB', 'RU', 'FI', 'GP', 'CW', 'AU', 'MA', 'NO', 'IT', 'RE']
