import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chooseTextColour, contrast, isColour, leastContrast } from './colour.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

// biome-ignore format: a table is read in columns.
const known: readonly (readonly [one: string, other: string, ratio: string])[] = [
  // colour     on          contrast
  ['#000000',  '#ffffff',  '21.00'],
  ['#ffffff',  '#ffffff',  '1.00' ],
  ['#777777',  '#ffffff',  '4.48' ],
  ['#767676',  '#ffffff',  '4.54' ],
  ['#ff0000',  '#ffffff',  '4.00' ],
]
for (const [one, other, ratio] of known) {
  test(`${one} on ${other} has a contrast of ${ratio}, in either order`, () => {
    assert.equal(contrast(one, other).toFixed(2), ratio)
    assert.equal(contrast(other, one).toFixed(2), ratio)
  })
}

test('text is readable on every background colour', () => {
  fc.assert(fc.property(colours, (colour) => contrast(chooseTextColour(colour), colour) >= leastContrast))
})

test('a colour is a number sign and six hexadecimal digits', () => {
  assert.deepEqual(['#1d4fd7', '#1D4FD7', '#fff', 'red', '#1d4fd7;', '1d4fd7', ''].map(isColour), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})
