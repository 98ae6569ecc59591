import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile } from './source-files.ts'

const importedBy = (text: string): readonly string[] =>
  sourceFile('web/admin/one.ts', text).imports.map(({ specifier, when }) => `${specifier} ${when}`)

test('every form of import is found, with when it loads', () => {
  assert.deepEqual(importedBy("import { a } from './a.ts'\nimport type { B } from 'b'\nexport * from './c.ts'"), [
    './a.ts loading',
    'b types',
    './c.ts loading',
  ])
  assert.deepEqual(importedBy("import 'd'\nconst e = await import('./e.ts')"), ['d loading', './e.ts later'])
  assert.deepEqual(importedBy("import {\n  a,\n  b,\n} from './a.ts'"), ['./a.ts loading'])
})

test('quoted words of an exported function are no imports, even the word from', () => {
  for (const text of [
    "export function Page() {\n  const filters = useFilters(['from', 'to'])\n}",
    "export const names = ['to', 'from']",
    "export const sentence = 'it comes from ' + place + ' and goes'",
  ])
    assert.deepEqual(importedBy(text), [], text)
})
