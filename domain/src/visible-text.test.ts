import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasInvisible, visibleText } from './visible-text.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  ['a terminal’s escape sequence',    'a\u001b[8mb',        'a⟨U+001B⟩[8mb'],
  ['a change of direction',           'a\u202eb',           'a⟨U+202E⟩b'],
  ['a line end of browsers alone',    '// a\u2028steal()',  '// a⟨U+2028⟩steal()'],
  ['a character without width',       'a\u200bb',           'a⟨U+200B⟩b'],
  ['a paragraph end of browsers alone', '// a\u2029steal()',  '// a⟨U+2029⟩steal()'],
  ['a letter that looks like nothing', 'const \u3164 = 1',  'const ⟨U+3164⟩ = 1'],
  ['the same letter at half its width', 'const \uffa0 = 1',  'const ⟨U+FFA0⟩ = 1'],
  ['a consonant that looks like nothing', 'const \u115f = 1', 'const ⟨U+115F⟩ = 1'],
  ['a vowel that looks like nothing', 'const \u1160 = 1',   'const ⟨U+1160⟩ = 1'],
  ['a character of private use',      'a\ue000b',           'a⟨U+E000⟩b'],
  ['a character that is not assigned', 'a\u0378b',          'a⟨U+0378⟩b'],
  ['a tag character',                 'a\u{e0041}b',        'a⟨U+E0041⟩b'],
  ['one that is the first of all',    '\u200ba',            '⟨U+200B⟩a'],
] as const

for (const [what, text, shown] of cases)
  test(`${what} is shown by its number`, () => {
    assert.equal(visibleText(text), shown)
    assert.ok(hasInvisible(text))
  })

test('letters of any script, tabs and line ends stay as they are', () => {
  const text = 'const größe = "日本語 😀"\t// שלום\r\n'
  assert.equal(visibleText(text), text)
  assert.equal(hasInvisible(text), false)
})
