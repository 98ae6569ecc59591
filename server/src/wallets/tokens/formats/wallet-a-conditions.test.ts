/**
 * Every single condition of the checks A2 to A17: a token that violates only this one, or just meets it. Chapter 40 §11.1, §11.2, §11.5.
 */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { keyUsages } from '../asn1/certificate.ts'
import { oids } from '../asn1/oids.ts'
import { KnownCertificates } from '../known-certificates.ts'
import {
  extension,
  intermediate,
  keyIdentifier,
  leaf,
  mark,
  reissue,
  root,
  type SampleCertificate,
} from '../testing/authority.ts'
import { bits, derNull, encode, generalizedTime, octets, oid, sequence, setOf, truth, utcTime } from '../testing/der.ts'
import { labelledKey, sampleKey, sha256 } from '../testing/keys.ts'
import { active, cardFlowA, providerTrust, termsA, verdict } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-a.ts'
import { attribute, mint, type SignaturePlan, type TokenObject } from '../testing/wallet-a.ts'
import { openWalletA, type WalletATerms } from './wallet-a.ts'

const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const shortRsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)
const otherCurve = sampleKey(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey)
const rsaFlow = { flow: { ...cardFlowA, keys: [active(rsa)] } }

const signed = (signature: Partial<SignaturePlan>) => () => mint({}, signature)
const rsaSigned =
  (signature: Partial<SignaturePlan>, key = rsa) =>
  () => {
    const signer = reissue(leaf, { key })
    const plan = { certificates: [signer, intermediate], signer, ...signature }
    return mint({ version: 'RSA_v1', recipient: rsa, namedKey: rsa }, plan)
  }
const chain = (signer: SampleCertificate, issuer = intermediate) => signed({ certificates: [signer, issuer], signer })
const header =
  (member: string, value: string, of: () => TokenObject = mint) =>
  () => {
    const { paymentData, ...token } = of()
    return { ...token, paymentData: { ...paymentData, header: { ...paymentData.header, [member]: value } } }
  }
const payment =
  (changes: Partial<TokenObject['paymentData']>, of: () => TokenObject = mint) =>
  () => {
    const { paymentData, ...token } = of()
    return { ...token, paymentData: { ...paymentData, ...changes } }
  }
const plain = (was: string | RegExp, is: string) => () => mint({ plaintext: wallet.plaintext.replace(was, is) })

/** An id of another length, in both places. */
const idOf = (bytes: number) => () => mint({ transactionId: Buffer.alloc(bytes, 7) })
const boundTo = (bytes: number) => () => mint({ applicationData: Buffer.alloc(bytes, 7) })
const data = (bytes: number) => payment({ data: ofLength(bytes) })
const ofLength = (bytes: number): string => Buffer.alloc(bytes, 7).toString('base64')
const wrapped = (bytes: number) => header('wrappedKey', ofLength(bytes), rsaSigned({}))

const usage = (...numbers: readonly number[]): Buffer =>
  extension(oids.keyUsage, bits(Buffer.from([numbers.reduce((all, one) => all | (0x80 >> one), 0)])), true)
const constraints = (authority: boolean): Buffer =>
  extension(oids.basicConstraints, authority ? sequence(truth(true)) : sequence(), true)
const { digitalSignature, keyCertSign } = keyUsages
const leafMarked = mark(oids.walletLeaf)
const intermediateMarked = mark(oids.walletIntermediate)
const leafOf = (...extensions: readonly Buffer[]) => chain(reissue(leaf, { extensions: [...extensions, leafMarked] }))
const plainLeaf = reissue(leaf, { extensions: [usage(digitalSignature), leafMarked] })
const longIdentifier = Buffer.concat([Buffer.from([0x04, 0x81, 20]), keyIdentifier(leaf.key)])
const longLeaf = reissue(plainLeaf, {
  extensions: [...plainLeaf.plan.extensions, extension(oids.subjectKeyIdentifier, longIdentifier)],
})
const under = (...extensions: readonly Buffer[]) =>
  chain(leaf, reissue(intermediate, { extensions: [...extensions, intermediateMarked] }))
const unknownCritical = extension('1.2.3.4', derNull, true)

const sha1 = sequence(oid('1.3.14.3.2.26'), derNull)
const withParameters = sequence(oid(oids.sha256), octets(Buffer.alloc(1)))
/** Without the attribute that repeats the algorithms, so that the other check has to detect the change. */
const unprotected = (usual: readonly Buffer[]) => usual.slice(0, 3)
const instead = (type: string, ...others: readonly Buffer[]): Partial<SignaturePlan> => ({
  attributes: (usual) => [...usual.filter((one) => !one.includes(oid(type))), ...others],
})
const twice = (type: string): Partial<SignaturePlan> => ({
  attributes: (usual) => [...usual, ...usual.filter((one) => one.includes(oid(type)))],
})
const protection = (digest: string, algorithm: string): Buffer =>
  attribute(oids.algorithmProtection, sequence(sequence(oid(digest)), encode(0xa1, oid(algorithm))))
const protections = (...values: readonly (readonly Buffer[])[]) =>
  signed(
    instead(
      oids.algorithmProtection,
      sequence(
        oid(oids.algorithmProtection),
        setOf(...values.map((parts) => sequence(sequence(oid(oids.sha256)), ...parts))),
      ),
    ),
  )
const usualAlgorithm = encode(0xa1, oid(oids.ecdsaWithSha256))

type Row = readonly [condition: string, token: () => TokenObject, expected: string, terms?: Partial<WalletATerms>]
const passes = 'passed'

// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  // condition                                      token                                                      check
  ['a version of tokens that are wrapped',          payment({ version: 'RSA_v2' }, rsaSigned({})),             'A2', rsaFlow],
  ['publicKeyHash of 31 bytes',                     header('publicKeyHash', ofLength(31)),                     'A2'],
  ['publicKeyHash in the URL-safe alphabet',        header('publicKeyHash', `-_${ofLength(32).slice(2)}`),     'A2'],
  ['white space in signature',                      payment({ signature: ` ${mint().paymentData.signature}` }), 'A2'],
  ['transactionId of 31 bytes',                     idOf(31),                                                  'A2'],
  ['transactionId of 33 bytes',                     idOf(33),                                                  'A2'],
  ['transactionId with a letter beyond f',          header('transactionId', `g${'0'.repeat(63)}`),             'A2'],
  ['transactionId of half a byte more',             header('transactionId', '0'.repeat(65)),              'A2'],
  ['applicationData of 31 bytes',                   boundTo(31),                                               'A2'],
  ['applicationData of 32 bytes',                   boundTo(32),                                               passes],
  ['applicationData that is not hexadecimal',       header('applicationData', 'x'.repeat(64)),                 'A2'],
  ['data of 16 bytes',                              data(16),                                                  'A2'],
  ['data of 17 bytes',                              data(17),                                                  'A9'],
  ['ephemeralPublicKey of another curve',           header('ephemeralPublicKey', otherCurve.spki.toString('base64')), 'A2'],
  ['wrappedKey of 255 bytes',                       wrapped(255),                                              'A2', rsaFlow],
  ['wrappedKey of 256 bytes',                       wrapped(256),                                              'A9', rsaFlow],
  ['wrappedKey of 512 bytes',                       wrapped(512),                                              'A9', rsaFlow],
  ['wrappedKey of 513 bytes',                       wrapped(513),                                              'A2', rsaFlow],

  ['an envelope of another type',                   signed({ envelopeType: oids.data }),                       'A4'],
  ['content of another type',                       signed({ contentType: oids.signedData }),                  'A4'],
  ['SHA-1 in the list of digests alone',            signed({ listedDigest: sha1 }),                            'A4'],
  ['SHA-1 as the signer’s digest alone',            signed({ digest: sha1, listedDigest: sequence(oid(oids.sha256)), attributes: unprotected }), 'A4'],
  ['digest parameters other than NULL',             signed({ digest: withParameters, attributes: unprotected }), 'A4'],

  ['a leaf alone',                                  signed({ certificates: [leaf] }),                          'A5'],
  ['two intermediates',                             signed({ certificates: [leaf, intermediate, reissue(intermediate, { serial: 9n })] }), 'A5'],
  ['two leaves and no intermediate',                signed({ certificates: [leaf, reissue(leaf, { serial: 9n })] }), 'A5'],
  ['the root twice',                                signed({ certificates: [leaf, root, root] }),              'A5'],

  ['a leaf whose issuer has another name',          chain(reissue(leaf, { issuer: 'Other' })),                 'A6'],
  ['an intermediate whose issuer has another name', chain(leaf, reissue(intermediate, { issuer: 'Other' })),   'A6'],
  ['a leaf of another intermediate’s key',          chain(reissue(leaf, { issuerKey: labelledKey('other') })), 'A6'],
  ['an intermediate that is no authority',          under(constraints(false), usage(keyCertSign)),             'A6'],
  ['an intermediate without constraints',           under(usage(keyCertSign)),                                 'A6'],
  ['an intermediate without keyCertSign',           under(constraints(true), usage(digitalSignature)),         'A6'],
  ['an intermediate without key usage',             under(constraints(true)),                                  'A6'],
  ['a leaf that is an authority',                   leafOf(constraints(true), usage(digitalSignature)),        'A6'],
  ['a leaf without digitalSignature',               leafOf(constraints(false), usage(keyCertSign)),            'A6'],
  ['a leaf without key usage',                      leafOf(constraints(false)),                                'A6'],
  ['a leaf without constraints',                    leafOf(usage(digitalSignature)),                           passes],
  ['a critical extension of the leaf',              leafOf(usage(digitalSignature), unknownCritical),          'A6'],
  ['a critical extension of the intermediate',      under(constraints(true), usage(keyCertSign), unknownCritical), 'A6'],
  ['the same extension, not critical',              leafOf(usage(digitalSignature), extension('1.2.3.4', derNull)), passes],
  ['the intermediate’s serial in the deny list',    () => mint(),                                              'A6', { deniedSerials: new Set(['02']) }],
  ['a leaf that ends with the signing second',      chain(reissue(leaf, { until: wallet.signedAt })),          passes],
  ['a leaf that begins with the signing second',    chain(reissue(leaf, { from: wallet.signedAt })),           passes],
  ['a root that has ended',                         () => mint(),                                              'A6', { trust: providerTrust(reissue(root, { until: new Date('2029-01-01T00:00:00Z') }).der) }],

  ['a signer named by another serial',              signed({ named: { issuer: 'Sample Intermediate', serial: 4n } }), 'A7'],
  ['a signer named by another issuer',              signed({ named: { issuer: 'Sample Root', serial: 3n } }),  'A7'],
  ['a signer named by the key of another',          signed({ signer: intermediate, bySerial: false }),         'A7'],
  ['a signer named by a key that the leaf does not name', () => mint({}, { certificates: [plainLeaf, intermediate], signer: plainLeaf, bySerial: false }), 'A7'],
  ['a signer named by a key whose length is written in two bytes', () => mint({}, { certificates: [longLeaf, intermediate], signer: longLeaf, bySerial: false }), 'A7'],
  ['EC_v1 by a key of another curve',               chain(reissue(leaf, { key: otherCurve })),                 'A7'],
  ['EC_v1 by ECDSA with SHA-384',                   signed({ algorithm: oids.ecdsaWithSha384 }),               'A7'],
  ['RSA_v1 by an elliptic key',                     () => mint({ version: 'RSA_v1', recipient: rsa, namedKey: rsa }, { algorithm: oids.rsaWithSha256 }), 'A7', rsaFlow],
  ['RSA_v1 by an RSA key of 1024 bits',             rsaSigned({}, shortRsa),                                   'A7', rsaFlow],
  ['RSA_v1 by RSA with SHA-512',                    rsaSigned({ algorithm: oids.rsaWithSha512 }),              'A7', rsaFlow],
  ['RSA_v1 by RSA with SHA-256',                    rsaSigned({}),                                             passes, rsaFlow],
  ['RSA_v1 by RSA, its digest named apart',         rsaSigned({ algorithm: oids.rsaEncryption }),              passes, rsaFlow],

  ['no content type',                               signed(instead(oids.contentType)),                         'A8'],
  ['another content type',                          signed(instead(oids.contentType, attribute(oids.contentType, oid(oids.signedData)))), 'A8'],
  ['two content types',                             signed(twice(oids.contentType)),                           'A8'],
  ['no message digest',                             signed(instead(oids.messageDigest)),                       'A8'],
  ['two message digests',                           signed(twice(oids.messageDigest)),                         'A8'],
  ['a signing time of two values',                  signed(instead(oids.signingTime, sequence(oid(oids.signingTime), setOf(utcTime(wallet.signedAt), generalizedTime(wallet.signedAt))))), 'A8'],
  ['a signing time as GeneralizedTime',             signed(instead(oids.signingTime, attribute(oids.signingTime, generalizedTime(wallet.signedAt)))), passes],
  ['a signing time of no form',                     signed(instead(oids.signingTime, attribute(oids.signingTime, octets(Buffer.alloc(3))))), 'A8'],
  ['protection of another signature',               signed(instead(oids.algorithmProtection, protection(oids.sha256, oids.rsaWithSha256))), 'A8'],
  ['protection of another digest',                  signed(instead(oids.algorithmProtection, protection('1.3.14.3.2.26', oids.ecdsaWithSha256))), 'A8'],
  ['protection twice in one attribute',             protections([usualAlgorithm], [usualAlgorithm]),     'A8'],
  ['protection with something more',                protections([usualAlgorithm, derNull]),              'A8'],
  ['protection of an algorithm of another kind',    protections([encode(0xa2, oid(oids.ecdsaWithSha256))]), 'A8'],
  ['protection, written as is usual',               protections([usualAlgorithm]),                       passes],
  ['no protection',                                 signed({ attributes: unprotected }),                       passes],

  ['currencyCode of two digits',                    plain('"840"', '"84"'),                                    'A15'],
  ['currencyCode of letters',                       plain('"840"', '"USD"'),                                   'A15'],
  ['another paymentDataType',                       plain('3DSecure', 'Other'),                                'A15'],
  ['an amount that only rounding makes whole',      plain(':199,', ':198.99999999999999999,'),                 'A15'],
  ['an amount with an exponent',                    plain(':199,', ':1.99e2,'),                                'A15'],
  ['an amount with a zero fraction',                plain(':199,', ':199.00,'),                                passes],
  ['an amount in a text',                           plain(':199,', ':"199",'),                                 'A15'],
  ['a device id that is not hexadecimal',           plain('040010030273', 'device'),                           'A15'],
  ['a cryptogram that is not base64',               plain('AAECAwQFBgcICQoLDA0ODxAREhM=', 'no base64'),        'A15'],
  ['month 13',                                      plain('311231', '311331'),                                 'A15'],
  ['no binding where the session has one',          () => mint(),                                              passes, { bindingValue: 'gatehouse session 1' }],
]

for (const [condition, token, expected, terms = {}] of rows) {
  test(`${condition}: ${expected}`, () => {
    const found = verdict(openWalletA(JSON.stringify(token()), { ...termsA, known: new KnownCertificates(), ...terms }))
    assert.equal(found.split(' ')[0], expected)
  })
}

const opened = (token: TokenObject, terms: Partial<WalletATerms> = {}) => {
  const result = openWalletA(JSON.stringify(token), { ...termsA, ...terms })
  assert.ok(result.ok && result.token.card !== null, verdict(result))
  return result.token.card
}

test('PIN data belongs to RSA_v1 and is dropped elsewhere', () => {
  const plaintext = wallet.plaintext.replace('"eciIndicator"', '"encryptedPINData":"0A0B","eciIndicator"')
  assert.equal(opened(mint({ plaintext })).pinData, null)
  const signer = reissue(leaf, { key: rsa })
  const plan = { certificates: [signer, intermediate], signer }
  const token = mint({ version: 'RSA_v1', recipient: rsa, namedKey: rsa, plaintext }, plan)
  assert.equal(opened(token, rsaFlow).pinData?.reveal(), '0A0B')
})

test('a merchant token is returned with its metadata', () => {
  const more = '{"merchantTokenIdentifier":"MT1","merchantTokenMetadata":{"cardArt":"x"},'
  const { merchantToken } = opened(mint({ plaintext: wallet.plaintext.replace('{', more) }))
  assert.equal(merchantToken?.identifier.reveal(), 'MT1')
  assert.deepEqual({ ...merchantToken?.metadata }, { cardArt: 'x' })
})

test('the signed bytes are the key, the data, the id and the application data, in this order', () => {
  const { paymentData } = mint({ applicationData: sha256('session') })
  const { header: members, data: content } = paymentData
  const parts = [members['ephemeralPublicKey'], content].map((text) => Buffer.from(text ?? '', 'base64'))
  const ids = [members['transactionId'], members['applicationData']].map((text) => Buffer.from(text ?? '', 'hex'))
  assert.ok(Buffer.from(paymentData.signature, 'base64').includes(sha256(Buffer.concat([...parts, ...ids]))))
})
