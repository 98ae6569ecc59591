/** The texts of the page are complete in all 21 languages and really translated. Chapter 30 §7.6. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { languages } from '#domain/place/language.ts'

type Text = string | Record<string, string>

const textsOf = (code: string): Record<string, Text> =>
  JSON.parse(readFileSync(new URL(`../../domain/src/place/languages/${code}.json`, import.meta.url), 'utf8')).page

const english = textsOf('en')
const formsOf = (text: Text): readonly string[] => (typeof text === 'string' ? [text] : Object.values(text))
const holesOf = (text: Text): readonly string[] =>
  [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))].toSorted()

/** The number of words that another language may share with English. */
const shared = 20

for (const { code, tag } of languages) {
  describe(code, () => {
    const texts = textsOf(code)

    test('has every text, each with the same placeholders', () => {
      assert.deepEqual(Object.keys(texts), Object.keys(english))
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(holesOf(text), holesOf(english[key] ?? ''), key)
        for (const form of formsOf(text)) assert.equal(form, form.trim(), key)
        assert.ok(
          formsOf(text).every((form) => form !== ''),
          key,
        )
      }
    })

    test('has the plural forms of its language', () => {
      const needed = new Set(Array.from({ length: 100 }, (_, at) => new Intl.PluralRules(tag).select(at + 1)))
      for (const [key, text] of Object.entries(texts)) {
        if (typeof text === 'string') continue
        for (const form of [...needed, 'other']) assert.ok(text[form], `${key} ${form}`)
      }
    })

    test('is not a copy of another language', () => {
      for (const other of languages.filter((one) => one.code !== code)) {
        const theirs = textsOf(other.code)
        const same = Object.keys(texts).filter((key) => {
          const text = JSON.stringify(texts[key])
          return /\p{L}.*\s.*\p{L}/u.test(text.replace(/\{\w+\}/g, '')) && text === JSON.stringify(theirs[key])
        })
        assert.ok(same.length <= shared, `${other.code}: ${same.join(', ')}`)
      }
      if (code === 'en') return
      const untranslated = Object.keys(texts).filter(
        (key) => JSON.stringify(texts[key]) === JSON.stringify(english[key]),
      )
      assert.ok(untranslated.length <= 5, untranslated.join(', '))
    })
  })
}
