import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../place/language.ts'
import { builtInBrands } from './built-in-brands.ts'
import { brandTitles, parameterTitles } from './built-in-titles.ts'

test('every method that the page shows has a title in every language', () => {
  const shown = builtInBrands.filter(({ pageMode }) => pageMode !== 'hidden')
  for (const { code, title, parameters } of shown) {
    const rows = (parameters.SALE ?? []).filter(({ name }) => name !== 'paymentToken')
    for (const titles of [title, ...rows.map((row) => row.title)])
      for (const language of languages) assert.ok(titles[language.code], `${code} in ${language.name}`)
  }
})

test('no language is a copy of English', () => {
  const all = [...brandTitles.values(), ...parameterTitles.values()]
  for (const { code, name } of languages.filter((language) => language.code !== 'en')) {
    const same = all.filter((titles) => titles[code] === titles['en']).length
    assert.ok(same < all.length / 2, name)
  }
})
