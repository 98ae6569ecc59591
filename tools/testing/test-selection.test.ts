import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchedNothing, selectTests } from './test-selection.ts'

const all = [
  'domain/src/money/money.test.ts',
  'server/src/payments/commands/capture.test.ts',
  'server/test/flows/card/capture.test.ts',
]

// biome-ignore format: a table is read in columns.
const cases = [
  // title                                                  arguments               files                titles
  ['no word asks for everything',                           [],                     all,                 []],
  ['a word of a path asks for those files',                 ['capture'],            all.slice(1),        []],
  ['a whole path asks for that file',                       [all[0]],               [all[0]],            []],
  ['several words of paths add up',                         ['money', 'flows'],     [all[0], all[2]],    []],
  ['--grep is looked for in all titles',                    ['--grep=twice'],       all,                 ['twice']],
  ['words and --grep narrow each other',                    ['flows', '--grep=twice'], [all[2]],         ['twice']],
  ['other flags choose nothing',                            ['--strict'],           all,                 []],
] as const

for (const [title, args, files, titles] of cases) {
  test(title, () => {
    assert.deepEqual(selectTests(all, args.map(String)), { files, titles })
  })
}

test('long tests run in a full run, and when they are named', () => {
  const long = 'campaigns/crash/chaos.full.test.ts'
  const filesFor = (...args: readonly string[]) => selectTests([...all, long], args).files
  assert.deepEqual(filesFor(), all)
  assert.deepEqual(filesFor('--full'), [...all, long])
  assert.deepEqual(filesFor('chaos'), [long])
})

test('a run by title in which no title matched does not pass; one without --grep may have no test', () => {
  assert.equal(matchedNothing(['twice'], 0), true)
  assert.equal(matchedNothing(['twice'], 1), false)
  assert.equal(matchedNothing([], 0), false)
})

test('a word that occurs in no path is refused, also beside words that do, and says how to select by title', () => {
  const message = 'no such test file: gone.test.ts; use --grep=TEXT to select by title'
  for (const args of [['gone.test.ts'], ['flows', 'gone.test.ts'], ['gone.test.ts', '--grep=twice']])
    assert.throws(() => selectTests(all, args), { message })
})
