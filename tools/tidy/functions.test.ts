import assert from 'node:assert/strict'
import { test } from 'node:test'
import { functionsIn } from './functions.ts'
import { wideFunctions } from './parameters.ts'
import { sourceFile } from './source-files.ts'

// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [code: string, name: string, parameters: number])[] = [
  ['function one(a: A, b: Map<B, C>): void {}',                        'one',         2],
  ['export async function one<T extends A<B>>(a: T): Promise<T> {}',   'one',         1],
  ['const one = (a: A, { b, c }: B, ...d: readonly C[]) => a',          'one',         3],
  ['const one = async (a: Map<A, () => B>, e = [1, 2]): Promise<F> => {}',  'one',         2],
  ['type One = (a: A, b: B) => C',                                      'One',         2],
  ['const one = <T>(a: T): T => a',                                     'one',         1],
  ['const one = {\n  two: (a: A, b: B) => a,\n}',                       'two',         2],
  ['class One {\n  async two(a: A, b: B): Promise<void> {}\n}',         'two',         2],
  ['class One {\n  constructor(\n    a: A,\n    b: B,\n  ) {}\n}',      'constructor', 2],
  ['list.map((a, b) => a)',                                             '=>',          2],
  ['const one = function (a: A) {}',                                    'function',    1],
]

for (const [code, name, parameters] of cases) {
  test(`the parameters are counted of: ${code.replace(/\s+/g, ' ')}`, () => {
    assert.deepEqual(
      functionsIn(code).map((one) => [one.name, one.parameters.length]),
      [[name, parameters]],
    )
  })
}

test('calls and conditions are no functions', () => {
  for (const code of ['one(a, b)', 'if (a && one(b, c)) {}', 'for (const a of b) {}', 'switch (a) {}'])
    assert.deepEqual(functionsIn(code), [], code)
})

test('a function above four parameters is reported with its line', () => {
  const complaints = (list: string) => wideFunctions(sourceFile('cli/one.ts', `\nfunction one(${list}) {}`))
  assert.deepEqual(complaints('a, b, c, d'), [])
  assert.deepEqual(complaints('a, b, c, d, e'), ['cli/one.ts:2: one has 5 parameters; take an options object.'])
})
