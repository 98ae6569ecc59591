/** What integrators usually do to a token on its way: it is named, and undone to examine the token. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wallet } from '#domain/mid.ts'
import * as walletA from './testing/wallet-a.ts'
import * as walletB from './testing/wallet-b.ts'
import { tokenMistake, walletOf } from './token-mistake.ts'
import { explainShape, hasTokenShape } from './token-shape.ts'

const a = walletA.mint()
const [textA, textB] = [JSON.stringify(a), JSON.stringify(walletB.mint())]
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const { paymentMethod: _method, ...withoutMethod } = a

type Row = readonly [what: string, wallet: Wallet, text: string, mistake: RegExp, isRestored: boolean]
// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  ['encoded as JSON twice',           'walletapay', JSON.stringify(textA),                     /JSON twice/,           true],
  ['encoded as JSON twice',           'walletbpay', JSON.stringify(textB),                     /JSON twice/,           true],
  ['in base64',                       'walletapay', base64(textA),                             /base64/,               true],
  ['in base64',                       'walletbpay', base64(textB),                             /base64/,               true],
  ['URL-encoded',                     'walletapay', encodeURIComponent(textA),                 /URL-encoded twice/,    true],
  ['inside the whole payment',        'walletapay', JSON.stringify({ token: a }),              /the whole payment/,    true],
  ['paymentData alone',               'walletapay', JSON.stringify(a.paymentData),             /paymentData alone/,    true],
  ['without paymentMethod',           'walletapay', JSON.stringify(withoutMethod),             /paymentMethod of the token is missing/, true],
  ['cut off',                         'walletapay', textA.slice(0, -5),                        /cut off/,              false],
  ['of wallet B',                     'walletapay', textB,                                     /token of wallet B/,    false],
  ['of wallet A',                     'walletbpay', textA,                                     /token of wallet A/,    false],
]

for (const [what, wallet, text, mistake, isRestored] of rows) {
  test(`a ${wallet} token ${what} is explained`, () => {
    assert.match(explainShape(wallet, text) ?? '', mistake)
    const restored = tokenMistake(wallet, text)?.restored ?? null
    assert.equal(restored !== null && hasTokenShape(wallet, restored), isRestored)
    if (isRestored) assert.equal(walletOf(text), wallet)
  })
}

test('a token with its shape has no mistake', () => {
  assert.equal(explainShape('walletapay', textA), null)
  assert.equal(explainShape('walletbpay', textB), null)
})

test('an explanation quotes nothing of the text', () => {
  for (const text of ['{"pan":"4000001000000018"}', '"4000001000000018"', '4000001000000018', '[1]', ''])
    for (const wallet of ['walletapay', 'walletbpay'] as const)
      assert.doesNotMatch(explainShape(wallet, text) ?? '', /4000001/, text)
})
