/**
 * Altered tokens: with any bit flipped, a token is refused or keeps the meaning of every signed member. `npm run test:full` flips every third
 * or fifth bit, `npm test` every 23rd or 29th: every member of a token is longer.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFullRun } from '../../../../../tools/testing/full-run.ts'
import { KnownCertificates } from '../known-certificates.ts'
import { termsA, termsB, virtual } from '../testing/terms.ts'
import * as a from '../testing/wallet-a.ts'
import * as b from '../testing/wallet-b.ts'
import { openWalletA } from './wallet-a.ts'
import { openWalletB } from './wallet-b.ts'

// Odd, so that all eight bits of a byte are met.
const every = isFullRun ? { a: 3, b: 5 } : { a: 23, b: 29 }

const flows = { card: termsA.flow, virtual }
const terms = { ...termsA, known: new KnownCertificates() }

for (const [flow, value] of Object.entries(flows)) {
  test(`flipping any bit of a wallet A text in ${flow} flow is refused, except in unsigned members`, () => {
    const text = JSON.stringify(a.mint({}, { form: flow === 'card' ? 'DER' : 'BER' }))
    const meaning = signedMeaning(text)
    const accepted = flipped(text, every.a).filter((one) => openWalletA(one, { ...terms, flow: value }).ok)
    for (const one of accepted) {
      // The hash of the key is not signed; it only selects a key, so virtual flow ignores it.
      const ignored = flow === 'virtual' ? /"publicKeyHash":"[^"]*"/ : /$^/
      assert.equal(signedMeaning(one).replace(ignored, ''), meaning.replace(ignored, ''))
    }
  })
}

for (const form of ['DER', 'BER'] as const) {
  test(`flipping any bit of a wallet A signature in ${form} is refused`, () => {
    const token = a.mint({}, { form })
    const signature = Buffer.from(token.paymentData.signature, 'base64')
    for (let bit = 0; bit < signature.length * 8; bit += every.a) {
      const copy = Buffer.from(signature)
      copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const altered = { ...token, paymentData: { ...token.paymentData, signature: copy.toString('base64') } }
      assert.equal(openWalletA(JSON.stringify(altered), terms).ok, false, `bit ${bit}`)
    }
  })
}

for (const version of ['ECv1', 'ECv2'] as const) {
  test(`flipping any bit of an ${version} text is refused`, () => {
    const text = JSON.stringify(b.mint({ version }))
    for (const one of flipped(text, every.b)) assert.equal(openWalletB(one, termsB).ok, false, one)
  })
}

/** Every nth of the texts that differ in one bit; a bit beyond ASCII makes a different character. */
function flipped(text: string, step: number): readonly string[] {
  const count = Math.floor((text.length * 8) / step)
  return Array.from({ length: count }, (_, index) => {
    const bit = index * step
    const place = bit >> 3
    return text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ (1 << (bit & 7))) + text.slice(place + 1)
  })
}

/** The content of a token without its display texts, with hexadecimal texts in one case. */
function signedMeaning(text: string): string {
  const { paymentData, transactionIdentifier } = JSON.parse(text)
  const { transactionId, publicKeyHash, ephemeralPublicKey } = paymentData.header
  const { version, data, signature } = paymentData
  const ids = [transactionId, transactionIdentifier].map((id) => String(id).toLowerCase())
  return JSON.stringify({ version, data, signature, publicKeyHash, ephemeralPublicKey, ids })
}
