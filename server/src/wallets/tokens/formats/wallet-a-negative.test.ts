import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { oids } from '../asn1/oids.ts'
import { KnownCertificates } from '../known-certificates.ts'
import {
  authorityExtensions,
  extension,
  intermediate,
  issue,
  leaf,
  mark,
  reissue,
  root,
  type SampleCertificate,
  signerExtensions,
} from '../testing/authority.ts'
import { encode, oid, sequence, utcTime } from '../testing/der.ts'
import { labelledKey, sampleKey, sha256 } from '../testing/keys.ts'
import { active, cardFlowA, providerTrust, termsA, verdict, virtual } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-a.ts'
import { attribute, mint, type TokenObject } from '../testing/wallet-a.ts'
import * as walletB from '../testing/wallet-b.ts'
import { openWalletA, type WalletATerms } from './wallet-a.ts'

const rsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const otherRsa = sampleKey(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)
const rsaLeaf = reissue(leaf, { key: rsa })
const other = labelledKey('somebody else')
const another = mint({ transactionId: sha256('another transaction') })

const changed = (change: (token: TokenObject) => void, token = mint()): TokenObject => {
  const copy = structuredClone(token)
  change(copy)
  return copy
}
const flip = (base64: string, index: number): string => {
  const bytes = Buffer.from(base64, 'base64')
  bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index)
  return bytes.toString('base64')
}
const certificates = (...list: readonly SampleCertificate[]) =>
  mint({}, { certificates: list, signer: list[0] ?? leaf })
const without = (type: string, { plan }: SampleCertificate) => plan.extensions.filter((one) => !one.includes(oid(type)))
const foreignRoot = issue({ ...root.plan, key: other, issuerKey: other })
const foreignIntermediate = reissue(intermediate, { issuerKey: other })
const day = (text: string): Date => new Date(`${text}T00:00:00Z`)
const rsaToken = (changes: Parameters<typeof mint>[0] = {}) =>
  mint(
    { version: 'RSA_v1', recipient: rsa, namedKey: rsa, ...changes },
    { certificates: [rsaLeaf, intermediate], signer: rsaLeaf },
  )
const rsaFlow = { flow: { ...cardFlowA, keys: [active(rsa)] } }
const at = (seconds: number): Partial<WalletATerms> => ({ now: new Date(wallet.signedAt.getTime() + seconds * 1000) })
const json = (token: unknown): string => JSON.stringify(token)
const plain = (change: (text: string) => string) => mint({ plaintext: change(wallet.plaintext) })
const order = (currency: string, amountMinor: bigint): Partial<WalletATerms> => ({
  flow: { ...cardFlowA, order: { currency, amountMinor } },
})
const session = sha256('gatehouse session 1')

type Row = readonly [
  fault: string,
  token: () => TokenObject | string,
  card: string,
  virtual: string,
  terms?: Partial<WalletATerms>,
]
const malformed = 'malformed'
const altered = 'expired-or-altered'

// Chapter 40 §19.2, row by row; `=` is the same result in virtual flow, `passes` if only the key can reveal the fault.
// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  ['not-json',                 () => json(mint()).slice(0, 500),                                       `A1 ${malformed}`, '='],
  ['not-object',               () => json([mint()]),                                                   `A1 ${malformed}`, '='],
  ['no-payment-data',          () => json({ ...mint(), paymentData: undefined }),                      `A1 ${malformed}`, '='],
  ['no-transaction-id',        () => changed((t) => delete t.paymentData.header['transactionId']),     `A1 ${malformed}`, '='],
  ['type',                     () => json(mint()).replace('"EC_v1"', '1'),                             `A1 ${malformed}`, '='],
  ['version',                  () => changed((t) => { t.paymentData.version = 'EC_v9' }),              `A2 ${altered}`, '='],
  ['relabel',                  () => changed((t) => { t.paymentData.version = 'RSA_v1' }),             `A2 ${altered}`, '='],
  ['duplicate-name',           () => json(mint()).replace('"data":', '"data":"AAAA","data":'),         `A1 ${malformed}`, '='],
  ['duplicate-name, escaped',  () => json(mint()).replace('"data":', '"d\\u0061ta":"AAAA","data":'),   `A1 ${malformed}`, '='],
  ['too-big',                  () => json({ ...mint(), more: 'x'.repeat(33 * 1024) }),                 `A1 ${malformed}`, '='],
  ['too deep',                 () => json({ ...mint(), more: [[[[[[[[1]]]]]]]] }),                     `A1 ${malformed}`, '='],
  ['other-wallet',             () => json(walletB.mint()),                                             `A1 ${malformed}`, '='],
  ['no key member',            () => changed((t) => delete t.paymentData.header['ephemeralPublicKey']), `A1 ${malformed}`, '='],
  ['base64',                   () => changed((t) => { t.paymentData.data = t.paymentData.data.replace(/[+/]/g, '-') }), `A2 ${altered}`, '='],
  ['base64, stray bits',       () => changed((t) => { t.paymentData.data = t.paymentData.data.replace(/g==$/, 'h==') }, mint({ plaintext: wallet.plaintext.padEnd(303) })), `A2 ${altered}`, '='],
  ['off-curve',                () => changed((t) => { const h = t.paymentData.header; h['ephemeralPublicKey'] = flip(h['ephemeralPublicKey'] ?? '', 50) }), `A2 ${altered}`, '='],
  ['short-data',               () => changed((t) => { t.paymentData.data = Buffer.alloc(16).toString('base64') }), `A2 ${altered}`, '='],
  ['outer-id',                 () => changed((t) => { t.transactionIdentifier = another.transactionIdentifier }), `A3 ${altered}`, '='],
  ['cms-truncated',            () => changed((t) => { t.paymentData.signature = Buffer.from(t.paymentData.signature, 'base64').subarray(0, -1).toString('base64') }), `A4 ${altered}`, '='],
  ['cms-trailing',             () => changed((t) => { t.paymentData.signature = Buffer.concat([Buffer.from(t.paymentData.signature, 'base64'), Buffer.alloc(1)]).toString('base64') }), `A4 ${altered}`, '='],
  ['cms-attached',             () => mint({}, { content: Buffer.from('content') }),                    `A4 ${altered}`, '='],
  ['two-signers',              () => mint({}, { signers: 2 }),                                         `A4 ${altered}`, '='],
  ['no signer',                () => mint({}, { signers: 0 }),                                         `A4 ${altered}`, '='],
  ['sha1',                     () => mint({}, { digest: sequence(oid('1.3.14.3.2.26')) }),             `A4 ${altered}`, '='],
  ['leaf-oid',                 () => certificates(reissue(leaf, { extensions: without(oids.walletLeaf, leaf) }), intermediate), `A5 ${altered}`, '='],
  ['intermediate-oid',         () => certificates(leaf, reissue(intermediate, { extensions: without(oids.walletIntermediate, intermediate) })), `A5 ${altered}`, '='],
  ['two-leaves',               () => certificates(leaf, reissue(leaf, { serial: 9n }), intermediate),  `A5 ${altered}`, '='],
  ['both marks in one',        () => certificates(reissue(leaf, { extensions: [...leaf.plan.extensions, mark(oids.walletIntermediate)] }), root), `A5 ${altered}`, '='],
  ['extra-certificate',        () => certificates(leaf, intermediate, reissue(root, { subject: 'Unrelated' })), `A5 ${altered}`, '='],
  ['other-root-inside',        () => certificates(leaf, intermediate, foreignRoot),                    `A5 ${altered}`, '='],
  ['foreign-root',             () => certificates(leaf, foreignIntermediate),                          `A6 ${altered}`, '='],
  ['foreign root by name',     () => mint(),                                                           `A6 ${altered}`, '=', { trust: providerTrust(reissue(root, { subject: 'Other', issuer: 'Other' }).der) }],
  ['swapped-intermediate',     () => certificates(leaf, reissue(intermediate, { key: other })),        `A6 ${altered}`, '='],
  ['intermediate-not-ca',      () => certificates(leaf, reissue(intermediate, { extensions: [...signerExtensions, mark(oids.walletIntermediate)] })), `A6 ${altered}`, '='],
  ['leaf is an authority',     () => certificates(reissue(leaf, { extensions: [...authorityExtensions, mark(oids.walletLeaf)] }), intermediate), `A6 ${altered}`, '='],
  ['unknown critical',         () => certificates(reissue(leaf, { extensions: [...leaf.plan.extensions, extension('1.2.3.4', encode(0x05), true)] }), intermediate), `A6 ${altered}`, '='],
  ['leaf-expired',             () => certificates(reissue(leaf, { until: day('2029-01-01') }), intermediate), `A6 ${altered}`, '='],
  ['leaf-future',              () => certificates(reissue(leaf, { from: day('2031-01-01') }), intermediate), `A6 ${altered}`, '='],
  ['intermediate expired',     () => certificates(leaf, reissue(intermediate, { until: day('2029-01-01') })), `A6 ${altered}`, '='],
  ['denied-serial',            () => mint(),                                                           `A6 ${altered}`, '=', { deniedSerials: new Set(['03']) }],
  ['sandbox-on-live',          () => certificates(reissue(leaf, { extensions: [...leaf.plan.extensions, mark(oids.sandboxAuthority)] }), intermediate), `A6 ${altered}`, '='],
  ['signer-intermediate',      () => mint({}, { signer: intermediate }),                               `A7 ${altered}`, '='],
  ['rsa-in-ec',                () => mint({}, { certificates: [rsaLeaf, intermediate], signer: rsaLeaf }), `A7 ${altered}`, '='],
  ['no-attributes',            () => mint({}, { attributes: () => null }),                             `A8 ${altered}`, '='],
  ['no-signing-time',          () => mint({}, { attributes: (usual) => usual.filter((one) => !one.includes(oid(oids.signingTime))) }), `A8 ${altered}`, '='],
  ['two-signing-times',        () => mint({}, { attributes: (usual) => [...usual, attribute(oids.signingTime, utcTime(wallet.signedAt))] }), `A8 ${altered}`, '='],
  ['other algorithms named',   () => mint({}, { attributes: (usual) => [...usual.slice(0, 3), attribute(oids.algorithmProtection, sequence(sequence(oid('1.3.14.3.2.26')), encode(0xa1, oid(oids.ecdsaWithSha256))))] }), `A8 ${altered}`, '='],
  ['data-flip',                () => changed((t) => { t.paymentData.data = flip(t.paymentData.data, 0) }), `A9 ${altered}`, '='],
  ['tag-flip',                 () => changed((t) => { t.paymentData.data = flip(t.paymentData.data, 318) }), `A9 ${altered}`, '='],
  ['ephemeral-swap',           () => changed((t) => { t.paymentData.header['ephemeralPublicKey'] = other.spki.toString('base64') }), `A9 ${altered}`, '='],
  ['transaction-id-flip',      () => json(mint()).replaceAll('ccbfa0fd', 'ccbfa0fc'),                  `A9 ${altered}`, '='],
  ['application-data-added',   () => changed((t) => { t.paymentData.header['applicationData'] = session.toString('hex') }), `A9 ${altered}`, '='],
  ['application-data-removed', () => changed((t) => delete t.paymentData.header['applicationData'], mint({ applicationData: session })), `A9 ${altered}`, '='],
  ['signature-other',          () => changed((t) => { t.paymentData.signature = another.paymentData.signature }), `A9 ${altered}`, '='],
  ['signature-flip',           () => changed((t) => { t.paymentData.signature = flip(t.paymentData.signature, Buffer.from(t.paymentData.signature, 'base64').length - 1) }), `A10 ${altered}`, '='],
  ['stale',                    () => mint(),                                                           `A11 ${altered}`, '=', at(301)],
  ['future',                   () => mint(),                                                           `A11 ${altered}`, '=', at(-301)],
  ['key-hash-flip',            () => changed((t) => { const h = t.paymentData.header; h['publicKeyHash'] = flip(h['publicKeyHash'] ?? '', 0) }), `A13 ${altered}`, 'passes'],
  ['wrong-key',                () => mint({ recipient: other, namedKey: other }),                      `A13 ${altered}`, 'passes'],
  ['retired-key',              () => mint(),                                                           `A13 ${altered}`, 'passes', { flow: { ...cardFlowA, keys: [active(wallet.processingKey, 'retiring', new Date(wallet.signedAt.getTime() - 1))] } }],
  ['key of the other version', () => rsaToken({ namedKey: wallet.processingKey }),                     `A13 ${altered}`, 'passes'],
  ['wrong-merchant',           () => mint({ merchantIdentifier: 'merchant.example.other' }),           `A14 ${altered}`, 'passes'],
  ['iv-12',                    () => mint({ iv: Buffer.alloc(12) }),                                   `A14 ${altered}`, 'passes'],
  ['wrapped-key-other',        () => rsaToken({ recipient: otherRsa }),                                `A14 ${altered}`, 'passes', rsaFlow],
  ['wrapped-key-32',           () => rsaToken({ contentKey: Buffer.alloc(32) }),                       `A14 ${altered}`, 'passes', rsaFlow],
  ['plain-not-json',           () => plain((text) => text.slice(1)),                                   `A15 ${altered}`, 'passes'],
  ['plain-no-number',          () => plain((text) => text.replace('applicationPrimary', 'applicationOther')), `A15 ${altered}`, 'passes'],
  ['plain-check-digit',        () => plain((text) => text.replace('4000001000000018', '4000001000000019')), `A15 ${altered}`, 'passes'],
  ['no such day',              () => plain((text) => text.replace('311231', '310631')),                `A15 ${altered}`, 'passes'],
  ['amount is not whole',      () => plain((text) => text.replace('199', '199.5')),                    `A15 ${altered}`, 'passes'],
  ['binding',                  () => mint({ applicationData: sha256('gatehouse session 2') }),         `A16 ${altered}`, '=', { bindingValue: 'gatehouse session 1' }],
  ['wrong-currency',           () => mint(),                                                           'A17 mismatch', 'passes', order('EUR', 199n)],
  ['wrong-amount',             () => mint(),                                                           'A18 mismatch', 'passes', order('USD', 200n)],
  ['amount-major',             () => plain((text) => text.replace(':199,', ':2,')), 'A18 mismatch', 'passes', order('USD', 200n)],
]

for (const [fault, token, card, inVirtual, terms = {}] of rows) {
  test(`wallet A ${fault} is refused by check ${card}`, () => {
    const minted = token()
    const text = typeof minted === 'string' ? minted : json(minted)
    const base = { ...termsA, known: new KnownCertificates(), ...terms }
    assert.equal(verdict(openWalletA(text, base)), card)
    const expected = inVirtual === '=' ? card : 'passed'
    assert.equal(verdict(openWalletA(text, { ...base, flow: virtual })), expected)
  })
}

test('a sandbox chain on a live instance is reported as one', () => {
  const [, token] = rows.find(([fault]) => fault === 'sandbox-on-live') ?? []
  const opened = openWalletA(json(token?.()), termsA)
  assert.equal(!opened.ok && opened.fromSandbox, true)
  const foreign = openWalletA(json(certificates(leaf, foreignIntermediate)), termsA)
  assert.equal(!foreign.ok && foreign.fromSandbox, false)
})
