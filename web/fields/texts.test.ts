import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { textsIn } from './texts.ts'

test('every language has all texts, in its own words', () => {
  const said = languages.map(({ code }) => {
    const { label, wrong, wrongNetwork, fault } = textsIn(code)
    return [...Object.values(label), ...Object.values(wrong), wrongNetwork, ...Object.values(fault)]
  })
  for (const texts of said) for (const text of texts) assert.notEqual(text.trim(), '')
  for (const place of [-1, -2, -3, -4])
    assert.equal(new Set(said.map((texts) => texts.at(place))).size, languages.length)
})

test('the English texts are those of the interface (Chapter 30 §7.3)', () => {
  assert.deepEqual(textsIn('en').wrong, {
    card: 'Invalid card number',
    expiry: 'The expiration date is not valid',
    cvv: 'Invalid security code',
  })
})

test('each language has its name and direction', () => {
  assert.deepEqual([textsIn('sp').tag, textsIn('zh').tag, textsIn('ar').direction], ['es', 'zh-Hans', 'rtl'])
})
