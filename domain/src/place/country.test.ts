import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countries, isCountry } from './country.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

// The locale data names more regions than ISO 3166-1 assigns: reserved codes, groups of countries, private and former codes.
const named = alphabet.flatMap((a) => alphabet.map((b) => a + b)).filter((code) => names.of(code) !== undefined)
const reserved = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'TA', 'UN']
const privateUse = ['QO', 'XA', 'XB', 'XK', 'ZZ']

/** A code that was replaced is rewritten by the locale data: UK to GB, DD to DE. */
const replaced = (code: string): boolean => new Intl.Locale(`und-${code}`).maximize().region !== code

test('the countries are those of ISO 3166-1', () => {
  const expected = named.filter((code) => !reserved.includes(code) && !privateUse.includes(code) && !replaced(code))
  assert.deepEqual([...countries], expected)
  assert.equal(countries.size, 249)
})

test('a country is two upper-case letters, and nothing near them', () => {
  assert.ok(isCountry('US'))
  for (const text of ['', 'us', 'USA', 'UK', 'XX', 'ZZ', ' US', 'U']) assert.ok(!isCountry(text), text)
})
