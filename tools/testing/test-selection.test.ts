import assert from 'node:assert/strict'
import { test } from 'node:test'
import { selectTests } from './test-selection.ts'

const all = [
  'domain/src/money/money.test.ts',
  'server/src/payments/commands/capture.test.ts',
  'server/test/flows/card/capture.test.ts',
]

// biome-ignore format: a table is read in columns.
const cases = [
  // title                                                  words                   files                titles
  ['no word asks for everything',                           [],                     all,                 []],
  ['a word of a path asks for those files',                 ['capture'],            all.slice(1),        []],
  ['a whole path asks for that file',                       [all[0]],               [all[0]],            []],
  ['several words of paths add up',                         ['money', 'flows'],     [all[0], all[2]],    []],
  ['a word of no path is looked for in all titles',         ['twice'],              all,                 ['twice']],
  ['words of both kinds narrow each other',                 ['flows', 'twice'],     [all[2]],            ['twice']],
] as const

for (const [title, words, files, titles] of cases) {
  test(title, () => {
    assert.deepEqual(selectTests(all, words.map(String)), { files, titles })
  })
}
