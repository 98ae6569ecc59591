/** Amounts, dates and times in different languages. Chapter 30 §7.1, §7.6. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { searchOptions } from './matching.ts'
import { amountText, dayText, timeLeftText } from './texts-of-values.ts'

const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

// biome-ignore format: a table is read in columns.
const amounts = [
  // amount              currency  language   shown
  ['49.90',             'EUR',    'en',      '€49.90'],
  ['49.90',             'USD',    'en',      '$49.90'],
  ['49.90',             'CAD',    'en',      'CA$49.90'],
  ['49.90',             'USD',    'fr',      '49,90 $US'],
  ['49.90',             'PLN',    'pl',      '49,90 zł'],
  ['49.90',             'EUR',    'ar',      '49.90 €'],
  ['1249.90',           'EUR',    'de',      '1.249,90 €'],
  ['1249.9',            'EUR',    'fr',      '1 249,9 €'],
  ['1000',              'JPY',    'ja',      '￥1,000'],
  ['10.000',            'KWD',    'ar',      '10.000 د.ك.'],
  ['0.00000001',        'BTC',    'en',      'BTC 0.00000001'],
  ['12.50',             'USDT',   'en',      '12.50 USDT'],
  ['999999999999.9999', 'CLF',    'en',      'CLF 999,999,999,999.9999'],
] as const
for (const [amount, currency, tag, shown] of amounts) {
  test(`${amount} ${currency} is ${shown} in ${tag}`, () =>
    assert.equal(plain(amountText(amount, currency, tag)), shown))
}

test('digits are the same in every language, because payers compare them with those of their bank', () => {
  for (const { tag } of languages) {
    assert.match(amountText('1234567890.55', 'EUR', tag), /^(?:€\s?)?[0-9.,’'\s]+(?:\s(?:€|EUR))?$/, tag)
    assert.match(dayText('2026-12-15', tag), /2026/, tag)
  }
})

test('a day is shown as the same day in every time zone', () => {
  assert.equal(dayText('2026-01-01', 'en'), 'January 1, 2026')
  assert.equal(dayText('2026-12-15', 'de'), '15. Dezember 2026')
})

test('the remaining time is never shown shorter than it is', () => {
  assert.deepEqual([600, 599.2, 59.5, 0.1, 0, -5].map(timeLeftText), ['10:00', '10:00', '1:00', '0:01', '0:00', '0:00'])
})

test('a list is searched by the beginnings of words, ignoring accents and plus signs', () => {
  const options = [
    { value: '1', text: 'United States (+1)' },
    { value: '44', text: 'United Kingdom (+44)' },
    { value: '225', text: 'Côte d’Ivoire (+225)' },
  ]
  const found = (typed: string): readonly string[] => searchOptions(options, typed).map(({ value }) => value)
  assert.deepEqual(found(''), ['1', '44', '225'])
  assert.deepEqual(found('uni'), ['1', '44'])
  assert.deepEqual(found('united k'), ['44'])
  assert.deepEqual(found('cote'), ['225'])
  assert.deepEqual(found('+44'), ['44'])
  assert.deepEqual(found('nited'), [])
})
