// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceFile, sourceFiles } from './source-files.ts'
import { keepKinds, tokensOf } from './tokens.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // source                                         the code in it, a dot for each literal
  ['a // b\nc',                                     'a c'],
  ['a /* b\n * c */ d',                             'a d'],
  [`a('b // c', "d /* e")`,                         'a(·, ·)'],
  [`a('it\\'s', b)`,                                'a(·, b)'],
  ['a(`b`)',                                        'a(·)'],
  ['a(`b ${c} d`)',                                 'a(·c·)'],
  ['a(`b ${c({ d: `e ${f} g` })} h`, i)',           'a(·c({ d: ·f· })·, i)'],
  ['a(`b ${`c`} d`) // e',                          'a(·)'],
  ['a(/b\\/c[/d]\\(e/g) / f',                       'a(·) / f'],
  ['return /a/.test(b)',                            'return ·.test(b)'],
  ['a / b / c',                                     'a / b / c'],
] as const

for (const [source, code] of cases) {
  test(`of «${source.replaceAll('\n', '⏎')}» only the code is looked at`, () => {
    assert.equal(keepKinds(tokensOf(source), 'code').replace(/·+/g, '·').replace(/\s+/g, ' ').trim(), code)
  })
}

test('every character of every file of the project is in exactly one token, and its lines stay where they are', () => {
  for (const { path, text, code } of sourceFiles()) {
    assert.equal(
      tokensOf(text)
        .map((token) => token.text)
        .join(''),
      text,
      path,
    )
    assert.equal(code.split('\n').length, text.split('\n').length, path)
  }
})

test('imports are told apart by when they load', () => {
  const { imports } = sourceFile(
    'server/src/due/one.ts',
    [
      "import { a } from '#domain/a.ts'",
      "import type { B } from '../b.ts'",
      "import {\n  type C,\n  d,\n} from './c.ts'",
      "import 'node:fs'",
      "export { e } from './e.ts'",
      "export const f = 'not/an/import.ts'",
      "// import { g } from './g.ts'",
      "const h = await import('./h.ts')",
    ].join('\n'),
  )
  assert.deepEqual(
    imports.map(({ target, specifier, when, line }) => [target ?? specifier, when, line]),
    [
      ['domain/src/a.ts', 'loading', 1],
      ['server/src/b.ts', 'types', 2],
      ['server/src/due/c.ts', 'loading', 3],
      ['node:fs', 'loading', 7],
      ['server/src/due/e.ts', 'loading', 8],
      ['server/src/due/h.ts', 'later', 11],
    ],
  )
})
