import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubledNames, namesakesImported, unusedExports } from './exports.ts'
import { sourceFile } from './source-files.ts'

const declarations = [
  'export function one(): void {}',
  'export async function one(): Promise<void> {}',
  'export const one = 1',
  'export class one {}',
  'export interface one {}',
  'export type one = 1',
  'const one = 1\nexport { one }',
  "export { zero as one } from './zero.ts'",
]

/** The complaints about one file that exports `one`, beside another file with the given text. */
const complaints = (declaration: string, user: string): readonly string[] =>
  unusedExports([sourceFile('cli/one.ts', declaration), sourceFile('cli/two.ts', user)]).filter((line) =>
    line.startsWith('cli/one.ts'),
  )

test('a name that no other file imports is reported, whatever its kind', () => {
  const strangers = [
    '',
    "import { two } from './one.ts'",
    "import { one } from './other.ts'",
    "import * as all from './one.ts'\nall.two()",
    "// import { one } from './one.ts'",
  ]
  for (const declaration of declarations)
    for (const user of strangers) assert.equal(complaints(declaration, user).length, 1, `${declaration} — ${user}`)
})

test('a name that another file imports in any way is not reported', () => {
  const users = [
    "import { one } from './one.ts'",
    "import { zero, type one as first } from './one.ts'",
    "import type { one } from './one.ts'",
    "export { one as two } from './one.ts'",
    "import * as all from './one.ts'\nall.one()",
    "const two = (await import('./one.ts')).one",
    "const { one } = await import('./one.ts')",
  ]
  for (const declaration of declarations)
    for (const user of users) assert.deepEqual(complaints(declaration, user), [], `${declaration} — ${user}`)
})

test('an export that only its own file uses is reported with its line', () => {
  const [line = ''] = complaints('const zero = 0\nexport const one = 1\nconst two = one + zero', '')
  assert.match(line, /^cli\/one\.ts:2: no other file imports one/)
})

test('a name that one room exports twice is reported; siblings, tests and other rooms may have it too', () => {
  const doubled = (...paths: readonly string[]) =>
    doubledNames(paths.map((path) => sourceFile(path, 'export const stateOf = 1'))).filter(
      (complaint) => !complaint.includes('needs no exception'),
    ).length
  assert.equal(doubled('server/src/panel/finance/one.ts', 'server/src/panel/setup/two.ts'), 1)
  assert.equal(doubled('server/src/connectors/adyen/one.ts', 'server/src/connectors/adyen/inner/two.ts'), 1)
  assert.equal(doubled('server/src/connectors/adyen/one.ts', 'server/src/connectors/stripe/two.ts'), 0)
  assert.equal(doubled('server/src/panel/one.ts', 'server/src/store/two.ts'), 0)
  assert.equal(
    doubled('server/src/panel/one.ts', 'server/src/panel/testing/two.ts', 'server/src/panel/three.test.ts'),
    0,
  )
  assert.equal(doubledNames([]).length, 1, 'an exception that is not needed is reported')
})

test('a file that imports two things of one name is reported, unless it is a test', () => {
  const code = "import { a } from './one.ts'\nimport { a as b } from './two.ts'\nimport type { c } from './one.ts'"
  assert.equal(namesakesImported([sourceFile('cli/user.ts', code)]).length, 1)
  assert.equal(namesakesImported([sourceFile('cli/user.test.ts', code)]).length, 0)
})
