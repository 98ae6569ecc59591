/** What a wallet A token leaves behind beyond its verdict. Chapter 40 §11, §14. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsA } from '../samples/terms.ts'
import { openWalletA, walletAChecks } from './wallet-a.ts'

test('the merchant is told of a malformed token, of a mismatch with the order, and of nothing closer', () => {
  const told = new Map([
    ['A1', 'malformed'],
    ['A17', 'mismatch'],
    ['A18', 'mismatch'],
  ])
  for (const [id, [, refusal]] of Object.entries(walletAChecks))
    assert.equal(refusal, told.get(id) ?? 'expired-or-altered', id)
})

test('a token that cannot be read is not said to be of a sandbox', () => {
  const opened = openWalletA('{}', termsA)
  assert.ok(!opened.ok)
  assert.equal(opened.fromSandbox, false)
})
