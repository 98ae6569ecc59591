/** What the record of a wallet A token contains besides its result. Chapter 40 §11, §14. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsA } from '../testing/terms.ts'
import { mint } from '../testing/wallet-a.ts'
import { openWalletA, walletAChecks } from './wallet-a.ts'

test('the merchant learns of a malformed token or a mismatch with the order, and no further detail', () => {
  const refusals = new Map([
    ['A1', 'malformed'],
    ['A17', 'mismatch'],
    ['A18', 'mismatch'],
  ])
  for (const [id, [, refusal]] of Object.entries(walletAChecks))
    assert.equal(refusal, refusals.get(id) ?? 'expired-or-altered', id)
})

test('an unreadable token is not reported as a sandbox token', () => {
  const opened = openWalletA('{}', termsA)
  assert.ok(!opened.ok)
  assert.equal(opened.fromSandbox, false)
})

const header = (member: string, value: unknown) => {
  const { paymentData, ...token } = mint()
  return { ...token, paymentData: { ...paymentData, header: { ...paymentData.header, [member]: value } } }
}
const payment = (member: string, value: unknown) => {
  const { paymentData, ...token } = mint()
  return { ...token, paymentData: { ...paymentData, [member]: value } }
}
const wrappedKey = (value: unknown) => {
  const { paymentData, ...token } = header('wrappedKey', value)
  return { ...token, paymentData: { ...paymentData, version: 'RSA_v1' } }
}
const short = Buffer.alloc(31).toString('base64')

// biome-ignore format: a table is read in columns.
const unreadable = [
  [payment('data', '?'),                        'data is not base64'],
  [payment('signature', '?'),                   'signature is not base64'],
  [payment('signature', 1),                     'signature is not a string'],
  [payment('header', 1),                        'header is not an object'],
  [payment('version', undefined),               'version is missing'],
  [header('publicKeyHash', '?'),                'publicKeyHash is not base64'],
  [header('publicKeyHash', short),              'publicKeyHash has another length'],
  [header('ephemeralPublicKey', '?'),           'ephemeralPublicKey is not base64'],
  [wrappedKey('?'),                             'wrappedKey is not base64'],
  [header('transactionId', '?'),                'transactionId is not hexadecimal'],
  [header('transactionId', '00'),               'transactionId has another length'],
  [header('applicationData', '?'),              'applicationData is not hexadecimal'],
  [header('applicationData', '00'),             'applicationData has another length'],
] as const

for (const [token, detail] of unreadable)
  test(`support can read about a token: ${detail}`, () => {
    const opened = openWalletA(JSON.stringify(token), termsA)
    assert.deepEqual(
      opened.record.checks.filter(({ result }) => result === 'failed').map((check) => check.detail),
      [detail],
    )
  })
