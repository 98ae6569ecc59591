import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { declineReasonText, declineText, pageTexts } from './texts.ts'

const english = pageTexts('en')
const causes = [
  'general',
  'funds',
  'expiredCard',
  'issuer',
  'otherCard',
  'authentication',
  'technical',
  'late',
] as const

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
  for (const { code } of languages) {
    assert.equal(new Set(causes.map((cause) => declineText(cause, code))).size, causes.length, code)
  }
})

test('the reason of a decline stands alone or before the advice, joined as the language does', () => {
  assert.equal(
    declineText('technical', 'en'),
    'The payment could not be processed. You have not been charged. Please try again in a moment.',
  )
  assert.equal(declineText('late', 'zh'), '付款未在规定时间内确认。您尚未被扣款。请重试。')
  for (const { code } of languages) {
    for (const cause of causes) {
      const [reason, whole] = [declineReasonText(cause, code), declineText(cause, code)]
      assert.match(whole.slice(0, reason.length + 1), new RegExp(`^${reason.slice(0, -1)}(?:\\. |。.)$`), code)
    }
  }
})
