import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KnownCertificates } from '../known-certificates.ts'
import { authorityExtensions, intermediate, leaf, pem, reissue, root } from '../testing/authority.ts'
import { labelledKey } from '../testing/keys.ts'
import { mint } from '../testing/wallet-a.ts'
import { Asn1Error } from './asn1-error.ts'
import { keyUsages, readCertificate } from './certificate.ts'
import { oids } from './oids.ts'
import { readSignedData } from './signed-data.ts'

const rootFile = readFileSync(new URL('../fixtures/wallet-a-root.pem', import.meta.url), 'utf8')
const rootDer = new X509Certificate(rootFile).raw

test('a certificate is read as Node reads it', () => {
  for (const der of [rootDer, root.der, intermediate.der, leaf.der]) {
    const ours = readCertificate(der)
    const theirs = new X509Certificate(der)
    assert.equal(ours.validFrom.getTime(), theirs.validFromDate.getTime())
    assert.equal(ours.validUntil.getTime(), theirs.validToDate.getTime())
    assert.equal(BigInt(`0x${ours.serial}`), BigInt(`0x${theirs.serialNumber}`))
    assert.equal(ours.isAuthority, theirs.ca)
    assert.deepEqual(ours.spki, theirs.publicKey.export({ format: 'der', type: 'spki' }))
  }
})

test('key usages and markers are found', () => {
  assert.deepEqual(readCertificate(leaf.der).keyUsage, new Set([keyUsages.digitalSignature]))
  assert.ok(readCertificate(intermediate.der).keyUsage?.has(keyUsages.keyCertSign))
  assert.ok(readCertificate(leaf.der).extensions.has(oids.walletLeaf))
  assert.ok(!readCertificate(leaf.der).extensions.has(oids.walletIntermediate))
})

test('a duplicate extension is refused', () => {
  const twice = reissue(root, { extensions: [...authorityExtensions, ...authorityExtensions.slice(0, 1)] })
  assert.throws(() => readCertificate(twice.der), Asn1Error)
})

test('a serial longer than twenty octets is refused', () => {
  assert.doesNotThrow(() => readCertificate(reissue(leaf, { serial: 2n ** 160n - 1n }).der))
  assert.throws(() => readCertificate(reissue(leaf, { serial: 2n ** 168n }).der), Asn1Error)
})

test('a signature is accepted only from the key that made it, cached or not', () => {
  const known = new KnownCertificates()
  const read = (sample: typeof root) => readCertificate(sample.der)
  const impostor = read(reissue(intermediate, { key: labelledKey('impostor') }))
  for (const _ of ['first', 'remembered']) {
    assert.ok(known.isSignedBy(read(leaf), read(intermediate)))
    assert.ok(!known.isSignedBy(read(leaf), impostor))
    assert.ok(!known.isSignedBy(read(leaf), read(root)))
  }
  assert.ok(known.isSignedBy(readCertificate(rootDer), readCertificate(rootDer)))
})

test('a cached certificate is returned only for exactly the same bytes', () => {
  const known = new KnownCertificates()
  known.isSignedBy(readCertificate(leaf.der), readCertificate(intermediate.der))
  const other = reissue(leaf, { serial: 77n })
  assert.equal(known.read(other.der).serial, '4d')
})

test('signed data in BER and in DER reads the same', () => {
  const read = (form: 'BER' | 'DER') => {
    const { certificates, signer } = readSignedData(Buffer.from(mint({}, { form }).paymentData.signature, 'base64'))
    return { certificates, signer }
  }
  assert.deepEqual(read('BER'), read('DER'))
})

const openssl = spawnSync('openssl', ['version']).status === 0
test('the openssl command agrees on chain and signed data', {
  skip: !openssl && 'the openssl command is not installed',
}, () => {
  const text = spawnSync('openssl', ['x509', '-noout', '-serial', '-purpose'], { input: pem(intermediate.der) })
  assert.match(text.stdout.toString(), /serial=02[\s\S]*Any Purpose CA : Yes/)
  for (const form of ['DER', 'BER'] as const) {
    const input = Buffer.from(mint({}, { form }).paymentData.signature, 'base64')
    const printed = spawnSync('openssl', ['cms', '-cmsout', '-print', '-noout', '-inform', 'DER'], { input })
    assert.equal(printed.status, 0, printed.stderr.toString())
    assert.match(printed.stdout.toString(), /signingTime[\s\S]*May {2}6 07:08:09 2030/)
  }
})
