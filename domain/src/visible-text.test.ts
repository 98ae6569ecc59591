import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasUnseen, visibleText } from './visible-text.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  ['a terminal’s escape sequence',    'a\u001b[8mb',        'a⟨U+001B⟩[8mb'],
  ['a change of direction',           'a\u202eb',           'a⟨U+202E⟩b'],
  ['a line end of browsers alone',    '// a\u2028steal()',  '// a⟨U+2028⟩steal()'],
  ['a character without width',       'a\u200bb',           'a⟨U+200B⟩b'],
  ['a letter that looks like nothing', 'const \u3164 = 1',  'const ⟨U+3164⟩ = 1'],
  ['a tag character',                 'a\u{e0041}b',        'a⟨U+E0041⟩b'],
] as const

for (const [what, text, shown] of cases)
  test(`${what} is shown by its number`, () => {
    assert.equal(visibleText(text), shown)
    assert.ok(hasUnseen(text))
  })

test('letters of any script, tabs and line ends stay as they are', () => {
  const text = 'const größe = "日本語 😀"\t// שלום\r\n'
  assert.equal(visibleText(text), text)
  assert.equal(hasUnseen(text), false)
})
