import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { declineText, pageTexts } from './texts.ts'

const english = pageTexts('en')

for (const { code, name } of languages) {
  test(`${name} has every text, in its own words`, () => {
    const texts = pageTexts(code)
    assert.deepEqual(Object.keys(texts), Object.keys(english))
    for (const [key, text] of Object.entries(texts)) assert.ok(text.trim().length > 1, key)
    if (code === 'en') return
    const copied = Object.entries(texts).filter(([key, text]) => Reflect.get(english, key) === text)
    assert.deepEqual(copied, [])
  })
}

test('each cause of a decline has a sentence of its own', () => {
  const causes = ['general', 'otherCard', 'authentication', 'technical', 'late'] as const
  for (const { code } of languages) assert.equal(new Set(causes.map((cause) => declineText(cause, code))).size, 5)
})
