import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSubdivision, subdivisionsOf } from './subdivision.ts'

test('five countries have states, and no other has', () => {
  for (const country of ['CA', 'US', 'JP', 'AU', 'IN']) assert.ok((subdivisionsOf(country)?.length ?? 0) >= 8, country)
  for (const country of ['DE', 'BR', 'us', '']) assert.equal(subdivisionsOf(country), null, country)
})

test('the numbers of states are those of ISO 3166-2', () => {
  const count = (country: string) => subdivisionsOf(country)?.length
  assert.deepEqual([count('AU'), count('CA'), count('IN'), count('JP')], [8, 13, 36, 47])
  // 50 states, the district, six outlying areas and the three areas of the armed forces.
  assert.equal(count('US'), 60)
})

test('a code and a full name are states in any case, and a code of another country is none', () => {
  for (const [country, text] of [
    ['US', 'CA'],
    ['US', 'california'],
    ['CA', 'Québec'],
    ['JP', '13'],
    ['JP', 'TOKYO'],
  ] as const)
    assert.ok(isSubdivision(country, text), text)
  for (const [country, text] of [
    ['US', 'ON'],
    ['CA', 'TX'],
    ['DE', 'BE'],
    ['US', ''],
    ['US', 'Cal'],
  ] as const)
    assert.ok(!isSubdivision(country, text), text)
})

test('no code and no name of a country stands twice', () => {
  for (const country of ['CA', 'US', 'JP', 'AU', 'IN']) {
    const all = subdivisionsOf(country) ?? []
    assert.equal(new Set(all.map(({ code }) => code)).size, all.length)
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
  }
})
