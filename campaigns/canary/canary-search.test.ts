import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskCard } from '#domain/card.ts'
import { searchFor } from './canary-search.ts'

const pan = '4000123456789017'
const search = searchFor([{ pan, code: '7391' }])
const findHits = (text: string | Buffer): readonly string[] => search.hits({ name: 'sink', bytes: Buffer.from(text) })

// biome-ignore format: a table is read in columns.
const hidings: readonly (readonly [string, string | Buffer])[] = [
  ['as it is',                          `number=${pan}&`],
  ['in groups',                         '4000 1234 5678 9017'],
  ['with dashes',                       '4000-1234-5678-9017'],
  ['in hexadecimal',                    Buffer.from(`x${pan}`).toString('hex')],
  ['in base64',                         Buffer.from(`{"n":"${pan}"}`).toString('base64')],
  ['in base64, a byte further',         Buffer.from(`{"nn":"${pan}"}`).toString('base64')],
  ['in base64, two bytes further',      Buffer.from(`{"nnn":"${pan}"}`).toString('base64')],
  ['in two bytes a character',          Buffer.from(`n ${pan}`, 'utf16le')],
  ['in packed decimals',                Buffer.from(`00${pan}ff`, 'hex')],
]

for (const [how, text] of hidings) {
  test(`a number is found ${how}`, () => assert.deepEqual(findHits(text), [`${pan} in sink`]))
}

test('the masked part of a number is not a hit', () => assert.deepEqual(findHits(`${maskCard(pan)} 4000129017`), []))

test('a code is found in quotation marks, in a form and in JSON', () => {
  for (const text of ['["7391"]', 'card_cvv2=7391&x=1', 'card_cvv2=7391', '{"cvv":"7391"}', "'7391'"]) {
    assert.deepEqual(findHits(text), ['code 7391 in sink'], text)
  }
})

test('the same digits inside a longer number, a date or a duration are not a hit', () => {
  assert.deepEqual(findHits('17391 73910 "ms":7391, 2026-11-15T04:44:55.7391Z 7391-0000 a7391'), [])
})
