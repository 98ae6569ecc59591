import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWalletB } from './formats/wallet-b.ts'
import { withReplay } from './opened-token.ts'
import { termsB } from './testing/terms.ts'
import { mint } from './testing/wallet-b.ts'

const opened = openWalletB(JSON.stringify(mint()), termsB)
assert.ok(opened.ok)
const { token, record } = opened
const replayRows = (used: readonly string[]) =>
  withReplay(record, token, used)
    .checks.filter(({ id }) => id === 'B7' || id === 'B12')
    .map(({ id, result }) => [id, result])

test('the record shows for each id whether it was used before', () => {
  assert.deepEqual(replayRows([]), [
    ['B7', 'passed'],
    ['B12', 'passed'],
  ])
  assert.deepEqual(replayRows(['B12']), [
    ['B7', 'passed'],
    ['B12', 'failed'],
  ])
})

test('other rows of the record stay unchanged', () => {
  const others = (rows: typeof record.checks) => rows.filter(({ id }) => id !== 'B7' && id !== 'B12')
  assert.deepEqual(others(withReplay(record, token, ['B7']).checks), others(record.checks))
})
