/**
 * What the record of a wallet B token contains besides its result: checks that do not apply, the root, the kind of number, the sandbox
 * mark. Chapter 40 §12, §14, §15.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownIntermediates } from '../known-intermediates.ts'
import { labelledKey, sha256 } from '../testing/keys.ts'
import { termsB, verdict, virtual } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-b.ts'
import { mint } from '../testing/wallet-b.ts'
import { openWalletB, type WalletBTerms, walletBChecks } from './wallet-b.ts'
import { gatewayRecipient, merchantRecipient } from './wallet-b-signature.ts'

const open = (token: unknown, terms: Partial<WalletBTerms> = {}) =>
  openWalletB(JSON.stringify(token), { ...termsB, known: new KnownIntermediates(), ...terms })
const direct = (type: string) => ({ type, token: mint({ recipient: 'merchant:M1' }) })
const both = { gateway: gatewayRecipient(wallet.gateway, wallet.gatewayMerchantId), merchant: merchantRecipient('M1') }

function checksWith(result: string, token: unknown, terms: Partial<WalletBTerms> = {}): readonly string[] {
  return open(token, terms)
    .record.checks.filter((check) => check.result === result)
    .map(({ id }) => id)
}

test('checks that do not apply are recorded as such, and not as unreached', () => {
  const skipped = 'not applicable'
  assert.deepEqual(checksWith(skipped, mint(), { flow: virtual }), ['B8', 'B9', 'B10', 'B11', 'B12', 'B13'])
  assert.deepEqual(checksWith(skipped, mint({ version: 'ECv1' })), ['B3', 'B4', 'B13'])
  assert.deepEqual(checksWith(skipped, direct('DIRECT'), { recipients: both }), ['B11', 'B13'])
})

test('the root that signed an ECv1 token directly is recorded', () => {
  const { record } = open(mint({ version: 'ECv1' }))
  assert.equal(record.trust.rootFingerprint, sha256(wallet.rootKey.spki).toString('hex').slice(0, 16))
})

test('a token addressed to the gateway is not accepted as one for the merchant', () => {
  assert.equal(verdict(open(direct('PAYMENT_GATEWAY'), { recipients: both })), 'B5 expired-or-altered')
  assert.equal(verdict(open(direct('DIRECT'), { recipients: both })), 'passed')
})

test('for every check but the shape the merchant learns only that the token is expired or altered', () => {
  for (const [id, [, refusal]] of Object.entries(walletBChecks))
    assert.equal(refusal, id === 'B1' ? 'malformed' : 'expired-or-altered', id)
})

test('a number with a cryptogram is a device number, and its data is 3DSecure', () => {
  const opened = open(mint())
  assert.ok(opened.ok)
  const { panType, numberKind, dataType } = opened.token.card ?? assert.fail()
  assert.deepEqual([panType, numberKind, dataType], ['DPAN', 'device number', '3DSecure'])
})

test('an empty message id is refused, because the replay guard would treat all such tokens as one', () => {
  const plaintext = wallet.plaintext.replace('gatehouse-message-1', '')
  assert.equal(verdict(open(mint({ plaintext }))), 'B9 expired-or-altered')
})

test('an expiry has a four-digit year', () => {
  const years = ['999', '1000', '9999', '10000'].map((year) =>
    verdict(open(mint({ plaintext: wallet.plaintext.replace('2031', year) }))),
  )
  assert.deepEqual(years, ['B9 expired-or-altered', 'passed', 'passed', 'B9 expired-or-altered'])
})

test('up to eight signatures of an intermediate key are checked', () => {
  const token = mint()
  const { signedKey = '', signatures: [good = ''] = [] } = token.intermediateSigningKey ?? {}
  const signatures = [...Array.from({ length: 7 }, () => mint({ rootKey: labelledKey('other') }).signature), good]
  assert.equal(verdict(open({ ...token, intermediateSigningKey: { signedKey, signatures } })), 'passed')
})

test("a refused token shows by its intermediate key's mark whether a sandbox made it", () => {
  const stranger = labelledKey('a stranger')
  const withKey = (keyValue: string) =>
    mint({ rootKey: stranger, signedKey: (usual) => JSON.stringify({ ...JSON.parse(usual), keyValue }) })
  // A label whose key has the two bytes that sandbox authorities search for.
  const marked = labelledKey('sandbox 52843')
  const fromSandbox = (token: unknown): boolean => {
    const opened = open(token)
    assert.ok(!opened.ok)
    return opened.fromSandbox
  }
  assert.equal(fromSandbox(withKey(marked.spki.toString('base64'))), true)
  assert.equal(fromSandbox(mint({ rootKey: stranger })), false)
  assert.equal(fromSandbox(withKey('no key at all')), false)
  assert.equal(fromSandbox({}), false)
})
