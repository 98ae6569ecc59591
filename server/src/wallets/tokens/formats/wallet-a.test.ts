import assert from 'node:assert/strict'
import { createDecipheriv, diffieHellman, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { oids } from '../asn1/oids.ts'
import { readSignedData } from '../asn1/signed-data.ts'
import fixture from '../fixtures/wallet-a.json' with { type: 'json' }
import { KnownCertificates } from '../known-certificates.ts'
import type { OpenedToken, WalletCard } from '../opened-token.ts'
import { intermediate, leaf, mark, pem, reissue, root } from '../testing/authority.ts'
import { oid, sequence } from '../testing/der.ts'
import { labelledKey, sampleKey, scalarKey, sha256 } from '../testing/keys.ts'
import { active, cardFlowA, termsA, verdict, virtual } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-a.ts'
import { mint } from '../testing/wallet-a.ts'
import { loadWalletATrust } from '../trust.ts'
import { openWalletA, type WalletATerms } from './wallet-a.ts'
import { derivedKey } from './wallet-a-cipher.ts'

const rootFile = readFileSync(new URL('../fixtures/wallet-a-root.pem', import.meta.url), 'utf8')
const vectorText = JSON.stringify({
  paymentData: fixture.paymentData,
  paymentMethod: {},
  transactionIdentifier: fixture.paymentData.header.transactionId,
})
const vectorTerms: WalletATerms = {
  ...termsA,
  now: new Date(fixture.signedAt),
  trust: loadWalletATrust({
    instanceMode: 'live',
    source: 'wallet maker',
    pem: rootFile,
    sha256: sha256(rootFile).toString('hex'),
  }),
  flow: {
    ...cardFlowA,
    keys: [active(scalarKey(Buffer.from(fixture.processingKeyScalarHex, 'hex')))],
    merchantIdentifier: Buffer.from(fixture.merchantIdentifierBase64, 'base64').toString(),
    order: { currency: 'USD', amountMinor: 100n },
  },
}
const cardOf = (opened: OpenedToken): WalletCard => {
  assert.equal(verdict(opened), 'passed')
  assert.ok(opened.ok && opened.token.card !== null)
  return opened.token.card
}

test('a token of a real device verifies and decrypts at its own time', () => {
  const card = cardOf(openWalletA(vectorText, vectorTerms))
  assert.equal(card.number.reveal(), fixture.expected.applicationPrimaryAccountNumber)
  assert.deepEqual(card.expiry, { month: 9, year: 2024 })
  assert.equal(card.cryptogram?.reveal(), fixture.expected.paymentData.onlinePaymentCryptogram)
  assert.equal(card.eci, null)
  assert.equal(card.deviceId, fixture.expected.deviceManufacturerIdentifier)
  assert.equal(card.panType, 'DPAN')
})

test('the same token is refused today as too old', () => {
  const opened = openWalletA(vectorText, { ...vectorTerms, now: new Date('2026-01-01T00:00:00Z') })
  assert.equal(verdict(opened), 'A11 expired-or-altered')
})

test('the same token is refused under any other root', () => {
  assert.equal(verdict(openWalletA(vectorText, { ...vectorTerms, trust: termsA.trust })), 'A6 expired-or-altered')
})

test('the known answers of chapter 40 §21 hold for EC_v1', () => {
  const z = diffieHellman({
    privateKey: wallet.processingKey.privateKey,
    publicKey: wallet.ephemeralKey.publicKey,
  })
  assert.equal(z.toString('hex'), '45dccdabdf79c7f94a22a1ad05f3a575b25e3137a15337385d6af895dc686c66')
  assert.equal(
    derivedKey(z, wallet.merchantIdentifier).toString('hex'),
    '6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9',
  )
  assert.equal(
    wallet.ephemeralKey.spki.toString('base64'),
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEchSQwAxRvZpwy+/HOU08iHMGjogWqV5ZCNQYgctT1uhizS+aEyqRoVk7lEN2RzsS/izyCqFNzv471vkSQSd7oQ==',
  )
  assert.equal(wallet.plaintext.length, 303)
  const token = mint()
  assert.equal(token.paymentData.data, knownData)
  assert.equal(
    token.paymentData.header['transactionId'],
    'ccbfa0fd1416f99e696cd2a137d6751d8f0e62fd9d5c3b20d4c5680da13a3c84',
  )
  assert.equal(digestIn(token), '2220481ff3690b783a6aa9f14e43b391112309738219fe0270f5e35c27a0a9d7')
  const bound = mint({ applicationData: sha256('gatehouse session 1') })
  assert.equal(digestIn(bound), '95b2532cdca7b79f1d34f67115e083aa953af62ffcc979351adb99942e3082f7')
})

test('the known data of chapter 40 §21 decrypts to its card', () => {
  const card = cardOf(openWalletA(JSON.stringify(mint()), termsA))
  assert.equal(card.number.reveal(), '4000001000000018')
  assert.deepEqual(card.expiry, { month: 12, year: 2031 })
  assert.equal(card.eci, '7')
})

test('the name of the cardholder is returned if the token has one', () => {
  assert.equal(cardOf(openWalletA(JSON.stringify(mint()), termsA)).holderName, null)
  const plaintext = wallet.plaintext.replace('{', '{"cardholderName":"Ada Lovelace",')
  const card = cardOf(openWalletA(JSON.stringify(mint({ plaintext })), termsA))
  assert.equal(card.holderName?.reveal(), 'Ada Lovelace')
})

test('the known answers of chapter 40 §21 hold for RSA_v1, and its token decrypts', () => {
  const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
  const rsaLeaf = reissue(leaf, { key: rsa })
  const token = mint(
    { version: 'RSA_v1', recipient: rsa, namedKey: rsa },
    { certificates: [rsaLeaf, intermediate], signer: rsaLeaf },
  )
  const data = Buffer.from(token.paymentData.data, 'base64')
  assert.equal(data.subarray(-16).toString('hex'), '2604b7f81aafd2362e30ac20abd71e48')
  assert.equal(sha256(data).toString('hex'), 'b6f1424d6d38d99e81f2206e07f4710ae225e6c7d6ab655f1e98b64e72ef2db5')
  const card = cardOf(openWalletA(JSON.stringify(token), { ...termsA, flow: { ...cardFlowA, keys: [active(rsa)] } }))
  assert.equal(card.number.reveal(), '4000001000000018')
})

test('the initialisation vector has sixteen octets', () => {
  const key = Buffer.from('6b2880ccb2a51e6ef5b302421c2c3494aec9f18ac64ee70ca145709e96dcf9a9', 'hex')
  const data = Buffer.from(knownData, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(16)).setAuthTag(data.subarray(-16))
  const opened = Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()])
  assert.equal(opened.toString(), wallet.plaintext)
})

const next = labelledKey('gatehouse processing key 2')
const withKeys = (...keys: readonly ReturnType<typeof active>[]): Partial<WalletATerms> => ({
  flow: { ...cardFlowA, keys },
})
const json = (token: unknown): string => JSON.stringify(token)

// Chapter 40 §19.2, "Accepted cases that must stay accepted".
const accepted: readonly (readonly [string, () => string, Partial<WalletATerms>?])[] = [
  ['an untouched token', () => json(mint())],
  ['a token serialised anew', () => JSON.stringify(mint(), null, 2)],
  ['an additional outer member', () => json({ ...mint(), billingContact: { city: 'Riga' } })],
  [
    'an upper-case outer id',
    () => json({ ...mint(), transactionIdentifier: mint().transactionIdentifier.toUpperCase() }),
  ],
  ['a signature in BER', () => json(mint({}, { form: 'BER' }))],
  ['a signer named by key', () => json(mint({}, { bySerial: false }))],
  ['digest parameters left out', () => json(mint({}, { digest: sequence(oid(oids.sha256)) }))],
  ['the root among the certificates', () => json(mint({}, { certificates: [leaf, intermediate, root] }))],
  ['a next key', () => json(mint()), withKeys(active(next), active(wallet.processingKey, 'next'))],
  [
    'a retiring key',
    () => json(mint()),
    withKeys(active(next), active(wallet.processingKey, 'retiring', wallet.signedAt)),
  ],
  ['no ECI', () => json(mint({ plaintext: wallet.plaintext.replace(',"eciIndicator":"7"', '') }))],
  ['300 seconds of age', () => json(mint()), { now: new Date(wallet.signedAt.getTime() + 300_000) }],
  ['300 seconds of future', () => json(mint()), { now: new Date(wallet.signedAt.getTime() - 300_000) }],
  ['a binding of the session', () => json(mint({ applicationData: sha256('session') })), { bindingValue: 'session' }],
]
for (const [title, text, terms] of accepted) {
  test(`wallet A accepts ${title}`, () => {
    assert.equal(verdict(openWalletA(text(), { ...termsA, ...terms })), 'passed')
  })
}

test('a sandbox instance trusts only chains whose every certificate is marked', () => {
  const marked = <T extends typeof leaf>(one: T, changes = {}) =>
    reissue(one, { ...changes, extensions: [...one.plan.extensions, mark(oids.sandboxAuthority)] })
  const trust = loadWalletATrust({
    instanceMode: 'sandbox',
    source: 'sandbox authority',
    pem: pem(marked(root).der),
    sha256: null,
  })
  const chain = [marked(leaf), marked(intermediate)] as const
  const terms = { ...termsA, trust, known: new KnownCertificates() }
  const genuine = mint({}, { certificates: chain, signer: chain[0] })
  assert.equal(verdict(openWalletA(json(genuine), terms)), 'passed')
  assert.equal(verdict(openWalletA(json(mint()), terms)), 'A6 expired-or-altered')
})

test('virtual flow runs every check that needs no key and marks the others as not applicable', () => {
  const opened = openWalletA(json(mint()), { ...termsA, flow: virtual })
  assert.ok(opened.ok)
  assert.equal(opened.token.card, null)
  const results = opened.record.checks.map(({ id, result }) => `${id} ${result}`)
  assert.deepEqual(
    results.slice(0, 11),
    Array.from({ length: 11 }, (_, index) => `A${index + 1} passed`),
  )
  assert.deepEqual(results.slice(11), [
    'A12 not reached',
    ...['A13', 'A14', 'A15', 'A16', 'A17', 'A18'].map((id) => `${id} not applicable`),
  ])
})

test('the token id for the replay guard is SHA-256 of the transaction id', () => {
  const opened = openWalletA(json(mint()), termsA)
  assert.ok(opened.ok)
  const hash = sha256(sha256('gatehouse transaction 1')).toString('hex')
  assert.deepEqual(opened.token.replayHashes, [{ check: 'A12', hash }])
})

// Chapter 40 §13.
const kinds = [
  ['a cryptogram', wallet.plaintext, 'DPAN', 'device number'],
  ['a merchant token', wallet.plaintext.replace('{', '{"merchantTokenIdentifier":"MT1",'), 'DPAN', 'merchant token'],
  ['neither', wallet.plaintext.replace(/"paymentData":\{.*\}\}/, '"paymentData":{}}'), 'FPAN', 'funding number'],
  [
    'EMV data',
    wallet.plaintext.replace('3DSecure', 'EMV').replace(/"paymentData":\{.*\}\}/, '"paymentData":{"emvData":"AAAA"}}'),
    'DPAN',
    'device number',
  ],
] as const
for (const [title, plaintext, panType, numberKind] of kinds) {
  test(`a number with ${title} is a ${numberKind}`, () => {
    const opened = openWalletA(json(mint({ plaintext })), termsA)
    const card = cardOf(opened)
    assert.deepEqual([card.panType, card.numberKind], [panType, numberKind])
    assert.deepEqual([opened.record.panType, opened.record.numberKind], [panType, numberKind])
  })
}

test('neither the record nor a printed result contains card data', () => {
  const plaintext = wallet.plaintext.replace('{', '{"cardholderName":"Ada Lovelace",')
  const text = JSON.stringify(openWalletA(json(mint({ plaintext })), termsA))
  for (const hidden of ['4000001000000018', '00000100', 'AAECAwQF', 'Lovelace'])
    assert.ok(!text.includes(hidden), hidden)
})

function digestIn(token: wallet.TokenObject): string {
  const { attributes } = readSignedData(Buffer.from(token.paymentData.signature, 'base64'))
  const digest = attributes?.find((attribute) => attribute.oid === oids.messageDigest)
  return digest?.values[0]?.content.toString('hex') ?? ''
}

const knownData =
  '9Iql1OqBKBWNkr2DA0DUrRDWC0JmZ+lncEDWTs+RN+BeibVSoRscTQLwbxDjGIyKwKriIko7mLd4psdZBsF5jv+TlfsFdUzbytLTysGlW65/VPDwYbuhtozfNMCkZmvYcDkdhJYFghadNV0+g/xpYwM1JT3q0a3fKx6IXOr4/nvxNw+ZoGcJYjQH0JKIruMxkGNQ+e588qE9zS7CMjEBvNYhrzQrdgvRGbFWPeek6/V+77sbNacMQqEgjnn4Gut36EEa5kipAXsqRrf3ot5N/kdtLH1x6masNZ6Zat4tcWBqaW6uqylEgBQU+e5uu32RkZ9CY+ICyP9EP+wOJm7j3PsZyKHA1tMavHcoE5/zZeyBDDa6E26tcSJUcfIc+wnsWxSwB9Ai1FiMCpLaHyidJRgdK2g9BNGDZenEPncecg=='
