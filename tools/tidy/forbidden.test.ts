import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headlessComments } from './forbidden.ts'
import { sourceFile } from './source-files.ts'

const countIn = (code: string, path = 'server/src/one.ts') => headlessComments(sourceFile(path, code)).length

test('half a sentence above a function is reported', () => {
  for (const comment of [
    'Of one currency, or of all.',
    'Those of the payment.',
    'What was sent.',
    'Whether it was running.',
  ])
    for (const head of ['function list() {}', 'export async function list() {}', 'const list = (on: Queryable) => []'])
      assert.equal(countIn(`/** ${comment} */\n${head}\n`), 1, comment)
})

test('a sentence, a member and a value are not', () => {
  for (const code of [
    '/** Lists the rows of one currency. */\nfunction list() {}\n',
    '/** Of two requests, one succeeds. */\nfunction take() {}\n',
    '/** Of one currency. */\nconst list = sql()\n',
    'interface Row {\n  /** Of one currency. */\n  readonly amount: bigint\n}\n',
  ])
    assert.equal(countIn(code), 0, code)
  assert.equal(countIn('/** What was sent. */\nfunction list() {}\n', 'web/one.ts'), 0)
})
