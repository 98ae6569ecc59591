import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCertificate } from './asn1/certificate.ts'
import { oids } from './asn1/oids.ts'
import { type PairTerms, pairFault, readCertificateText } from './certificate-pair.ts'
import { extension, leaf, pem, reissue, root } from './testing/authority.ts'
import { utf8 } from './testing/der.ts'
import { labelledKey, oneLineKey, sha256 } from './testing/keys.ts'
import { walletKey } from './testing/terms.ts'
import { merchantIdentifier } from './testing/wallet-a.ts'

const hash = sha256(merchantIdentifier).toString('hex')
const forMerchant = (text: string) =>
  readCertificate(reissue(leaf, { extensions: [extension(oids.merchantIdentifier, utf8(text))] }).der)
const terms: PairTerms = {
  certificate: forMerchant(hash),
  key: walletKey(leaf.key),
  role: 'processing',
  merchantIdentifier,
  now: new Date('2030-01-01T00:00:00Z'),
}
const fault = (changes: Partial<PairTerms>): string | undefined => pairFault({ ...terms, ...changes })?.text

test('the hash of the Merchant Identifier is the known one', () => {
  assert.equal(hash, 'dbb4744ca6931255bf69443ea44de05e455704b41924888507ff8ba08b4b6517')
})

test('a certificate of the key and the merchant has no fault, in upper- or lower-case digits', () => {
  assert.equal(pairFault(terms), null)
  assert.equal(fault({ certificate: forMerchant(hash.toUpperCase()) }), undefined)
})

// biome-ignore format: a table is read in columns.
const faults: readonly (readonly [string, Partial<PairTerms>, string])[] = [
  ['of another key',             { key: walletKey(labelledKey('other')) },             'The certificate does not belong to the key.'],
  ['that has expired',           { now: new Date('2035-01-01T00:00:01Z') },            'The certificate expired on 2035-01-01.'],
  ['that is not yet valid',      { now: new Date('2024-12-31T23:59:59Z') },            'The certificate is valid from 2025-01-01.'],
  ['of another merchant',        { certificate: forMerchant('0'.repeat(64)) },         'The certificate was issued for another merchant identifier.'],
  ['of no merchant, to process', { certificate: readCertificate(leaf.der) },           'The certificate was issued for no merchant identifier.'],
]
for (const [what, changes, text] of faults) {
  test(`a certificate ${what} is refused`, () => assert.equal(fault(changes), text))
}

test('the subject’s user id must match if there is one, and a mismatch is reported', () => {
  const named = (userId: string) => readCertificate(reissue(leaf, { userId }).der)
  assert.equal(fault({ role: 'identity', certificate: named(merchantIdentifier) }), undefined)
  const other = 'The certificate was issued for merchant.example.other.'
  assert.equal(fault({ role: 'identity', certificate: named('merchant.example.other') }), other)
})

test('an identity certificate may omit its merchant', () => {
  assert.equal(fault({ role: 'identity', certificate: readCertificate(leaf.der) }), undefined)
})

test('a certificate is valid from its first to its last second', () => {
  assert.equal(fault({ now: new Date('2025-01-01T00:00:00Z') }), undefined)
  assert.equal(fault({ now: new Date('2035-01-01T00:00:00Z') }), undefined)
})

// biome-ignore format: a table is read in columns.
const entries = [
  ['K1',        'nothing',                 ''],
  ['K2',        'words',                   'a certificate'],
  ['K3',        'a damaged certificate',   leaf.der.subarray(0, -3).toString('base64')],
  ['K3',        'damaged base64',          pem(leaf.der).replace('MII', 'M!I')],
  ['K5reverse', 'a private key',           pem(Buffer.from(oneLineKey(leaf.key), 'base64'), 'PRIVATE KEY')],
  ['K5reverse', 'a private key in a line', oneLineKey(leaf.key)],
  ['K6',        'two certificates',        pem(leaf.der) + pem(root.der)],
  ['accepted',  'PEM',                     pem(leaf.der)],
  ['accepted',  'one line',                leaf.der.toString('base64')],
] as const
for (const [id, what, text] of entries) {
  test(`${what} in a certificate field is ${id}`, () => {
    const reading = readCertificateText(text)
    assert.equal(reading.ok ? 'accepted' : reading.fault.id, id)
  })
}
