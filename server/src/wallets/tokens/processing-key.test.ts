import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { type KeyField, keyFields, readPrivateKey, usableKeys } from './processing-key.ts'
import { leaf, pem } from './testing/authority.ts'
import { context, encode, integer, octets, oid, sequence } from './testing/der.ts'
import { labelledKey } from './testing/keys.ts'
import { active, walletKey } from './testing/terms.ts'

// Chapter 40 §21.
const sec1 =
  'MHcCAQEEICTVeJn8+OGAfrC5wuKE45lLeqses+aj43w4KnjWa8bvoAoGCCqGSM49AwEHoUQDQgAEq4BpziQxtME0e9bxiBRV34KP5NS6eRDik1VIXvU/jFonVFEdx07eyuxBblLoltbfvzH7KekDr7pA38eG6CR3rA=='
const pkcs8 =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgJNV4mfz44YB+sLnC4oTjmUt6qx6z5qPjfDgqeNZrxu+hRANCAASrgGnOJDG0wTR71vGIFFXfgo/k1Lp5EOKTVUhe9T+MWidUUR3HTt7K7EFuUuiW1t+/Mfsp6QOvukDfx4boJHes'
const knownHash = 'GHUGiTuRYQcQq/W4evVN7jRUCmr67irq0VlGSphFIQ4='

const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const smallRsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const edwards = generateKeyPairSync('ed25519')
const text = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8'): string =>
  String(key.export({ format: 'pem', type }))
const hashOf = (entered: string, field: KeyField = keyFields.walletAProcessing): string => {
  const reading = readPrivateKey(entered, field)
  return reading.ok ? reading.key.publicKeyHash : reading.fault.text
}

// biome-ignore format: a table is read in columns.
const forms = [
  ['SEC1 in one line',                       sec1],
  ['PKCS#8 in one line',                     pkcs8],
  ['SEC1 without curve and point',           sequence(integer(1n), octets(bytes(sec1).subarray(7, 39))).toString('base64')],
  ['PEM of SEC1',                            pem(bytes(sec1), 'EC PRIVATE KEY')],
  ['PEM of PKCS#8',                          pem(bytes(pkcs8), 'PRIVATE KEY')],
  ['PEM after the parameters of the curve',  pem(oid('1.2.840.10045.3.1.7'), 'EC PARAMETERS') + pem(bytes(sec1), 'EC PRIVATE KEY')],
  ['PEM with carriage returns',              pem(bytes(pkcs8), 'PRIVATE KEY').replaceAll('\n', '\r\n')],
  ['a byte-order mark and space around',     `\uFEFF  ${sec1}\n`],
  ['white space inside',                     sec1.replace(/(.{40})/g, '$1\n ')],
] as const
for (const [what, entered] of forms) {
  test(`a key is read from ${what}`, () => assert.equal(hashOf(entered), knownHash))
}

test('white space inside the one-line form is reported as a remark', () => {
  const reading = readPrivateKey(`${sec1.slice(0, 20)} ${sec1.slice(20)}`, keyFields.walletB)
  assert.deepEqual(reading.ok && reading.notes, ['White space was removed.'])
})

test('an RSA key is read from either encoding, only if the field accepts RSA', () => {
  const [one, two] = [hashOf(text(rsa.privateKey)), hashOf(text(rsa.privateKey, 'pkcs1'))]
  assert.match(one, /^[A-Za-z0-9+/]{43}=$/)
  assert.equal(one, two)
  assert.equal(hashOf(text(rsa.privateKey), keyFields.walletB), 'The key must be EC P-256.')
})

const flippedPoint = Buffer.from(bytes(sec1))
flippedPoint.writeUInt8(flippedPoint.readUInt8(flippedPoint.length - 1) ^ 1, flippedPoint.length - 1)
const scalar = (d: Buffer): string => sequence(integer(1n), octets(d)).toString('base64')
const encrypted = String(
  rsa.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' }),
)
const oldEncrypted = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----`
const oneLine = (pemText: string): string => pemText.replace(/-----[^-]+-----|\s/g, '')
/** Consistent RSA numbers; the factors need not be prime, because only sizes and rules matter here. */
function rsaNumbers(p: bigint, q: bigint, e: bigint, ...more: readonly bigint[]): string {
  const d = inverse(e, (p - 1n) * (q - 1n))
  const numbers = [p * q, e, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p), ...more]
  return sequence(integer(0n), ...numbers.map(integer)).toString('base64')
}
function inverse(value: bigint, modulus: bigint): bigint {
  let [before, after, x, y] = [value % modulus, modulus, 1n, 0n]
  while (after > 0n) [before, after, x, y] = [after, before % after, y, x - (before / after) * y]
  return ((x % modulus) + modulus) % modulus
}
const [factor, cofactor] = (() => {
  const { p = '', q = '' } = rsa.privateKey.export({ format: 'jwk' })
  const number = (text: string): bigint => BigInt(`0x${bytes(text).toString('hex')}`)
  return [number(p), number(q)]
})()
const otherModulus = (() => {
  const der = rsa.privateKey.export({ format: 'der', type: 'pkcs1' })
  der.writeUInt8(der.readUInt8(100) ^ 1, 100)
  return der.toString('base64')
})()

// Chapter 40 §4.2.
// biome-ignore format: a table is read in columns.
const faults = [
  ['K1', 'nothing',                                 ' \n'],
  ['K2', 'words',                                   'my secret key'],
  ['K2', 'the URL-safe alphabet',                   sec1.replaceAll('+', '-')],
  ['K2', 'another kind of PEM',                     pem(bytes(sec1), 'DH PARAMETERS')],
  ['K3', 'a line cut short',                        sec1.slice(0, -5)],
  ['K3', 'a line cut at four characters',           sec1.slice(0, -8)],
  ['K3', 'bytes after the key',                     Buffer.concat([bytes(sec1), Buffer.alloc(1)]).toString('base64')],
  ['K3', 'a PEM block that does not end',           pem(bytes(sec1), 'EC PRIVATE KEY').replace('-----END', '---- END')],
  ['K3', 'a sequence of something else',            sequence(octets(Buffer.alloc(3))).toString('base64')],
  ['K4', 'an encrypted key',                        encrypted],
  ['K4', 'an encrypted key in one line',            oneLine(encrypted)],
  ['K4', 'an encrypted key of the old form',        oldEncrypted],
  ['K5', 'a certificate',                           pem(leaf.der)],
  ['K5', 'a certificate in one line',               leaf.der.toString('base64')],
  ['K5', 'a public key',                            String(rsa.publicKey.export({ format: 'pem', type: 'spki' }))],
  ['K5', 'a public key in one line',                rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
  ['K6', 'two keys',                                pem(bytes(sec1), 'EC PRIVATE KEY').repeat(2)],
  ['K7', 'another curve',                           text(curve.privateKey)],
  ['K7', 'another curve in SEC1',                   text(curve.privateKey, 'sec1')],
  ['K7', 'another kind of key',                     text(edwards.privateKey)],
  ['K7', 'a short RSA key',                         text(smallRsa.privateKey)],
  ['K7', 'an RSA key above 4096 bits',              rsaNumbers((1n << 2050n) + 1n, (1n << 2051n) + 3n, 65_537n)],
  ['K7', 'a curve written out',                     sequence(integer(1n), octets(Buffer.alloc(32, 1)), context(0, sequence())).toString('base64')],
  ['K8', 'a public point of another key',           flippedPoint.toString('base64')],
  ['K8', 'a scalar of zero',                        scalar(Buffer.alloc(32))],
  ['K8', 'a scalar beyond the order',               scalar(Buffer.alloc(32, 0xff))],
  ['K8', 'RSA numbers that do not fit',             otherModulus],
  ['K8', 'an RSA exponent of one',                  rsaNumbers(factor, cofactor, 1n)],
  ['K3', 'RSA numbers and one more',                rsaNumbers(factor, cofactor, 65_537n, 1n)],
  ['K8', 'RSA numbers of zero',                     sequence(...Array.from({ length: 9 }, () => integer(0n))).toString('base64')],
] as const
for (const [id, what, entered] of faults) {
  test(`${what} is refused as ${id}`, () => {
    const reading = readPrivateKey(entered, keyFields.walletAProcessing)
    assert.equal(reading.ok ? 'accepted' : reading.fault.id, id)
  })
}

test('the identity key is RSA from 2048 bits or P-256', () => {
  const idOf = (entered: string): string => {
    const reading = readPrivateKey(entered, keyFields.walletAIdentity)
    return reading.ok ? reading.key.type : reading.fault.id
  }
  assert.deepEqual([text(smallRsa.privateKey), text(rsa.privateKey), sec1, text(curve.privateKey)].map(idOf), [
    'K7',
    'RSA',
    'EC',
    'K7',
  ])
})

test('consistent RSA numbers are accepted', () => {
  assert.equal(hashOf(rsaNumbers(factor, cofactor, 65_537n)), hashOf(text(rsa.privateKey)))
})

test('a retiring key decrypts until its end, and the current key comes first', () => {
  const end = new Date('2030-01-01T00:00:00Z')
  const keys = [active(labelledKey('old'), 'retiring', end), active(labelledKey('new'))]
  const states = (now: Date): readonly string[] => usableKeys(keys, now).map(({ state }) => state)
  assert.deepEqual(states(end), ['current', 'retiring'])
  assert.deepEqual(states(new Date(end.getTime() + 1)), ['current'])
})

test('a key is never printed', () => {
  assert.ok(
    !JSON.stringify(walletKey(labelledKey('one'))).includes(
      walletKey(labelledKey('one')).pkcs8.reveal().toString('base64'),
    ),
  )
})

test('any input ends in a key or a fault', () => {
  const damaged = fc
    .array(fc.tuple(fc.nat(bytes(pkcs8).length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
    .map((edits) =>
      edits.reduce((copy, [at, value]) => Buffer.from(copy.with(at, value)), bytes(pkcs8)).toString('base64'),
    )
  const rsaDer = rsa.privateKey.export({ format: 'der', type: 'pkcs1' })
  const rsaDamaged = fc
    .tuple(fc.nat(rsaDer.length - 1), fc.nat(255))
    .map(([at, value]) => Buffer.from(rsaDer.with(at, value)).toString('base64'))
  const pemLike = fc.string().map((body) => `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`)
  const tagged = fc
    .uint8Array({ maxLength: 60 })
    .map((content) => encode(0x30, Buffer.from(content)).toString('base64'))
  fc.assert(
    fc.property(fc.oneof(damaged, rsaDamaged, pemLike, tagged, fc.string()), (entered) => {
      assert.equal(typeof readPrivateKey(entered, keyFields.walletAProcessing).ok, 'boolean')
    }),
    { numRuns: 1500 },
  )
})

test('wallet B’s private key in chapter 40 §21 is the one of its label', () => {
  const known =
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg8pSfBOHoKAWQENBnAv92hrcz2W7K6jOyYJw+3i4JsV6hRANCAARnaYTOpzd14HU4CkQwuL5AzwDnOSZPoSZwTMp1sHcX1gi/yIGDcKITBUh+T3pZLYtKO4H95nO5/GyJTGnRpcB5'
  const labelled = walletKey(labelledKey('gatehouse wallet B key 1'), keyFields.walletB)
  assert.equal(hashOf(known, keyFields.walletB), labelled.publicKeyHash)
})
