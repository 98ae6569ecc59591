import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWalletB } from './formats/wallet-b.ts'
import { KnownIntermediates } from './known-intermediates.ts'
import { labelledKey } from './testing/keys.ts'
import { termsB, verdict } from './testing/terms.ts'
import { mint } from './testing/wallet-b.ts'

const text = JSON.stringify(mint())
const token = mint()
const other = labelledKey('another root')

function remembering(): KnownIntermediates {
  const known = new KnownIntermediates()
  assert.equal(verdict(openWalletB(text, { ...termsB, known })), 'passed')
  return known
}

test('a cached intermediate key is still refused once it has expired', () => {
  const known = remembering()
  const later = new Date(termsB.now.getTime() + 100 * 365 * 86_400_000)
  const roots = termsB.trust.keys.map((key) => ({ ...key, expiresAt: new Date(later.getTime() + 1) }))
  const terms = { ...termsB, known, now: later, trust: { ...termsB.trust, keys: roots } }
  assert.equal(verdict(openWalletB(text, terms)), 'B4 expired-or-altered')
})

test('a cached intermediate key is dropped when the root that signed it is gone', () => {
  const known = remembering()
  const keys = termsB.trust.keys.map((key) => ({ ...key, fingerprint: 'another', key: other.publicKey }))
  const terms = { ...termsB, known, trust: { ...termsB.trust, keys } }
  assert.equal(verdict(openWalletB(text, terms)), 'B3 expired-or-altered')
})

test('an intermediate key is cached together with its signature only', () => {
  const known = remembering()
  const { signedKey } = token.intermediateSigningKey ?? { signedKey: '' }
  for (const intermediateSigningKey of [
    { signedKey, signatures: [] },
    { signedKey, signatures: [token.signature] },
    { ...token.intermediateSigningKey, signedKey: ` ${signedKey}` },
  ]) {
    const altered = JSON.stringify({ ...token, intermediateSigningKey })
    assert.equal(verdict(openWalletB(altered, { ...termsB, known })), 'B3 expired-or-altered')
  }
})

test('an unverified key is not cached', () => {
  const known = new KnownIntermediates()
  const { signedKey, signatures } = token.intermediateSigningKey ?? { signedKey: '', signatures: [] }
  const altered = { ...token, intermediateSigningKey: { signedKey: ` ${signedKey}`, signatures } }
  assert.equal(openWalletB(JSON.stringify(altered), { ...termsB, known }).ok, false)
  assert.equal(known.find(` ${signedKey}`, signatures, termsB.trust.keys), undefined)
})
