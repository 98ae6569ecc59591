// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { mutantsOf } from './mutants/mutations.ts'
import { testFiles, verdictOn } from './mutants/run.ts'
import { nameOf, readExplained, rowOf } from './mutants/survivors.ts'
import { summaryTable } from './mutants/table.ts'
import { takeSample } from './mutants/take-sample.ts'
import { targets } from './mutants/targets.ts'

const file = 'tools/mutants/sample/gate.ts'
const target = { file, tests: [['tools/mutants/sample/gate-checks.ts']] }
const mutants = mutantsOf(file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
const one = (what: string) => mutants.find((mutant) => mutant.what === what) ?? assert.fail(`no ${what}`)

test('a mutant that the tests notice is killed, one that they do not cover survives', async () => {
  assert.equal(await verdictOn(null, target), 'survived')
  assert.equal(await verdictOn(one('>= → >'), target), 'killed')
  assert.equal(await verdictOn(one('18 → 19'), target), 'killed')
  assert.equal(await verdictOn(one('=== → !=='), target), 'survived')
})

test('guards, comparisons, texts, numbers, arguments and conditions of statements are mutated, types and imports are not', () => {
  const source = [
    "import { b } from './b.ts'",
    'import {',
    '  c,',
    "} from './c.ts'",
    'export function f(given: 1 | 2, other = 3): string {',
    '  if (given === 1) return g(given, other)',
    "  return all.every((x) => x > 0 && !x.y) ? 'yes' : `update t set a = 1 where id = $1 and version = $2`",
    '}',
  ].join('\n')
  const whats = mutantsOf('f.ts', source).map(({ what }) => what)
  for (const expected of [
    '3 → 4',
    '=== → !==',
    'if ( → if (false &&',
    ', other → nothing',
    'every → some',
    '> → >=',
    '&& → ||',
  ]) {
    assert.ok(whats.includes(expected), expected)
  }
  for (const expected of ['! → nothing', "'yes' → 'mutant'", 'and version = $2 → nothing'])
    assert.ok(whats.includes(expected), expected)
  const named = mutantsOf('f.ts', "const text = `where id = ${at('id')} and version = ${at('version')}`")
  assert.ok(
    named.some(({ what }) => what === "and version = ${at('version')} → nothing"),
    'a named parameter',
  )
  for (const path of ['./b.ts', './c.ts']) assert.ok(!whats.includes(`'${path}' → 'mutant'`), path)
  assert.ok(!whats.includes('2 → 3'), 'a number of a type')
})

test('statements, returns, blocks and conditions are mutated, and sentences and what does not parse are not', () => {
  const source = [
    'export function f(given, other) {',
    '  for (const one of given) {',
    "    other.add(one, 'a sentence for people')",
    '  }',
    '  if (given) {',
    '    this.left = 1',
    '  } else {',
    '    other.clear(',
    "      'x',",
    '    )',
    '  }',
    '  return other ? `a is not null` : g(given, false)',
    '}',
  ].join('\n')
  const whats = mutantsOf('f.ts', source).map(({ what }) => what)
  for (const expected of [
    '{ → { continue;',
    '{ → if (false) {',
    'if ( → if (true ||',
    "other.add(one, 'a sentence for people') → void 0",
    "other.clear( 'x', ) → void 0",
    'this.left = 1 → void 0',
    '? → && false ?',
    'is not null → is null',
    'other ? `a is not null` : g(given, false) → undefined',
  ])
    assert.ok(whats.includes(expected), expected)
  assert.ok(!whats.some((what) => what.startsWith("'a sentence") || what.startsWith(", 'a sentence")))
  assert.ok(!whats.includes(', false → nothing'))
})

test('a sample has the requested size, is spread evenly, and is the same for the same seed', () => {
  const all = Array.from({ length: 97 }, (_, index) => index)
  for (const seed of [0, 1, 7, 500]) {
    const some = takeSample(all, 10, seed)
    assert.equal(some.length, 10)
    assert.deepEqual(some, takeSample(all, 10, seed))
    assert.ok((some[0] ?? 97) < 20 && (some.at(-1) ?? 0) > 77)
  }
  assert.notDeepEqual(takeSample(all, 10, 1), takeSample(all, 10, 2))
  assert.deepEqual([takeSample(all, 0, 1), takeSample(all, 97, 1)], [all, all])
})

test('the table has mutants, killed, time-outs and survivors by file and in total', () => {
  const survivor = one('=== → !==')
  const judged = [
    [one('>= → >'), 'killed'],
    [survivor, 'survived'],
  ] as const
  const rows = summaryTable([{ file, all: 5, judged, unexplained: [survivor] }]).split('\n')
  assert.deepEqual(rows.slice(2), [`| ${file} | 2 of 5 | 1 | 0 | 1 | 1 |`, '| In all | 2 of 5 | 1 | 0 | 1 | 1 |'])
})

test('a survivor is explained by its row, and not by a row without a reason', () => {
  const survivor = one('=== → !==')
  const row = rowOf(survivor)
  assert.ok(!readExplained(row).has(nameOf(survivor)))
  assert.ok(readExplained(row.replace(/\|\s*\|$/, '| Nothing depends on it. |')).has(nameOf(survivor)))
})

test('every target names tests that exist', () => {
  for (const { file: path, tests } of targets)
    for (const group of tests) assert.doesNotThrow(() => testFiles(group), path)
})

test('every explained survivor is a mutant of a target file', () => {
  const known = new Set(
    targets.flatMap(({ file: path }) =>
      mutantsOf(path, readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).map(nameOf),
    ),
  )
  assert.deepEqual(
    [...readExplained()].filter((name) => !known.has(name)),
    [],
    'their lines have changed: look at them again',
  )
})
