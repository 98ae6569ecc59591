import assert from 'node:assert/strict'
import { diffieHellman } from 'node:crypto'
import { test } from 'node:test'
import fixture from '../fixtures/wallet-b.json' with { type: 'json' }
import type { OpenedToken, WalletCard } from '../opened-token.ts'
import { labelledKey, scalarKey, sha256 } from '../testing/keys.ts'
import { active, cardFlowB, termsB, verdict, virtual, walletKey } from '../testing/terms.ts'
import * as wallet from '../testing/wallet-b.ts'
import { encryptedParts, mint, usualPlan } from '../testing/wallet-b.ts'
import { loadWalletBTrust } from '../trust.ts'
import { openWalletB, type WalletBTerms } from './wallet-b.ts'
import { derivedKeys } from './wallet-b-cipher.ts'
import { merchantRecipient, messageInput } from './wallet-b-signature.ts'

const json = (token: unknown): string => JSON.stringify(token)
const trustIn = (keys: unknown) =>
  loadWalletBTrust({
    instanceMode: 'live',
    source: 'wallet maker',
    environment: 'PRODUCTION',
    json: json(keys),
    shippedFingerprints: new Set(),
  })
const cardOf = (opened: OpenedToken): WalletCard => {
  assert.equal(verdict(opened), 'passed')
  assert.ok(opened.ok && opened.token.card !== null)
  return opened.token.card
}

const { ecv1, ecv2 } = fixture
const termsV2: WalletBTerms = {
  ...termsB,
  trust: trustIn(ecv2.rootKeys),
  recipients: { gateway: { name: ecv2.recipient, gatewayMerchantId: null }, merchant: null },
  flow: { ...cardFlowB, keys: [active(labelledKey('another')), { ...active(labelledKey('x')), ...vectorKey() }] },
}
function vectorKey() {
  const der = Buffer.from(ecv2.privateKeyPkcs8, 'base64')
  return { key: walletKey(scalarKey(der.subarray(36, 68))) }
}
const termsV1: WalletBTerms = {
  ...termsB,
  now: new Date(ecv1.validAtSeconds * 1000),
  trust: trustIn(ecv1.rootKeys),
  recipients: { gateway: null, merchant: { name: ecv1.recipient, gatewayMerchantId: null } },
  flow: { ...cardFlowB, keys: [active(scalarKey(Buffer.from(ecv1.privateKeyScalarHex, 'hex')))] },
}

test('a published ECv2 token verifies and decrypts', () => {
  const card = cardOf(openWalletB(json(ecv2.tokens.valid), termsV2))
  assert.equal(card.number.reveal(), ecv2.expected.paymentMethodDetails.pan)
  assert.deepEqual(card.expiry, { month: 12, year: 2026 })
  assert.deepEqual([card.panType, card.authMethod], ['FPAN', 'PAN_ONLY'])
})

const published = [
  ['whose message has expired', ecv2.tokens.expiredMessage, 'B10 expired-or-altered'],
  ['whose content is not JSON', ecv2.tokens.plaintextNotJson, 'B9 expired-or-altered'],
  ['with a false tag', ecv2.tokens.invalidTag, 'B8 expired-or-altered'],
  ['whose intermediate key has expired', ecv2.tokens.expiredIntermediate, 'B4 expired-or-altered'],
] as const
for (const [title, token, expected] of published) {
  test(`a published ECv2 token ${title} is refused`, () => {
    assert.equal(verdict(openWalletB(json(token), termsV2)), expected)
  })
}

test('published ECv1 tokens verify and decrypt at their own time', () => {
  const card = cardOf(openWalletB(json(ecv1.tokens.card), termsV1))
  assert.deepEqual([card.number.reveal(), card.panType, card.authMethod], ['4111111111111111', 'FPAN', null])
  const device = cardOf(openWalletB(json(ecv1.tokens.tokenizedCard), termsV1))
  assert.deepEqual([device.panType, device.eci, device.authMethod], ['DPAN', '07', 'CRYPTOGRAM_3DS'])
  assert.notEqual(device.cryptogram, null)
})

test('published ECv1 tokens are refused today and under other root keys', () => {
  for (const token of [ecv1.tokens.card, ecv1.tokens.tokenizedCard]) {
    const today = { ...termsV1, now: new Date('2026-01-01T00:00:00Z') }
    assert.equal(verdict(openWalletB(json(token), today)), 'B10 expired-or-altered')
    const other = { ...termsV1, trust: trustIn(ecv1.otherRootKeys) }
    assert.equal(verdict(openWalletB(json(token), other)), 'B5 expired-or-altered')
  }
})

// Chapter 40 §21.
const hkdf =
  'ca07b48388b0fd3de195a465b74bf98b4faaa1bde8c9cc787f14206f00d1945b4ac30df25cd4931a3b4de7226c42f17e973b81a42e9c155941f303bdafa49152'
const known = [
  [
    'ECv1',
    'L2CZUgGZSi9jl4HeLBSdR4Puosc6NXHaE/uQRsi9uFg=',
    '68fc9b010875a8be9bb607efee17b37015d585b48798689f8a3ed2c319c2ed45',
    '8692d6650af00cb5649b33e7a4d8664f6ec0e3f86faf11460429b78fcd338a1b',
  ],
  [
    'ECv2',
    'Gm5ymnASl4SGMJOJinDIKetUnI/mffPY5Y1NidZKeYg=',
    'b3441a1d203f6591f795ec80510bcd886ba2a15044f25046db17b6ec0492ecd2',
    'f4da44ff99c42f1fedb25f283089528264366408363bc9ef6e78023c58357396',
  ],
] as const
for (const [version, tag, messageHash, inputHash] of known) {
  test(`the known answers of chapter 40 §21 hold for ${version}`, () => {
    const { privateKey } = wallet.privateKey
    const z = diffieHellman({ privateKey, publicKey: wallet.ephemeralKey.publicKey })
    assert.equal(z.toString('hex'), '35ce4ffad3873513803158dee0137834aa475c258232818eb6f3a543dc0d95a4')
    const keys = derivedKeys(wallet.ephemeralKey.spki.subarray(-65), walletKey(wallet.privateKey), version)
    assert.ok(hkdf.startsWith(Buffer.concat([keys.cipherKey.export(), keys.macKey.export()]).toString('hex')))
    const parts = encryptedParts({ ...usualPlan, version })
    assert.equal(parts.tag, tag)
    assert.equal(sha256(Buffer.from(parts.encryptedMessage, 'base64')).toString('hex'), messageHash)
    const input = messageInput('gateway:gatehouse', { version, signedMessage: json(parts) })
    assert.equal(sha256(input).toString('hex'), inputHash)
    if (version === 'ECv1') return
    assert.equal(
      input.subarray(0, 43).toString('hex'),
      '06000000476f6f676c6511000000676174657761793a67617465686f757365040000004543763284020000',
    )
  })
}

const wrapped = (token: unknown, type?: string) => ({ tokenizationData: { ...(type ? { type } : {}), token } })
const accepted: readonly (readonly [string, () => unknown, Partial<WalletBTerms>?])[] = [
  ['an untouched ECv2 token', () => mint()],
  ['an untouched ECv1 token', () => mint({ version: 'ECv1' })],
  ['whole payment data', () => ({ apiVersion: 2, paymentMethodData: wrapped(json(mint()), 'PAYMENT_GATEWAY') })],
  ['tokenization data with the token as text', () => wrapped(json(mint())).tokenizationData],
  ['tokenization data with the token as object', () => wrapped(mint(), 'PAYMENT_GATEWAY').tokenizationData],
  ['several signatures of which one is good', () => withSignatures((good) => [goodShape, ...good])],
  ['the next key', () => mint(), { flow: keysB(active(labelledKey('o')), active(wallet.privateKey, 'next')) }],
  [
    'the retiring key',
    () => mint(),
    { flow: keysB(active(labelledKey('o')), active(wallet.privateKey, 'retiring', wallet.now)) },
  ],
  [
    'a token for the merchant itself',
    () => wrapped(mint({ recipient: 'merchant:M1' }), 'DIRECT').tokenizationData,
    { recipients: { gateway: null, merchant: merchantRecipient('M1') } },
  ],
]
const goodShape = mint({ rootKey: labelledKey('somebody') }).intermediateSigningKey?.signatures[0] ?? ''
function withSignatures(change: (good: readonly string[]) => readonly string[]) {
  const token = mint()
  const { signedKey = '', signatures = [] } = token.intermediateSigningKey ?? {}
  return { ...token, intermediateSigningKey: { signedKey, signatures: change(signatures) } }
}
function keysB(...keys: readonly ReturnType<typeof active>[]) {
  return { ...cardFlowB, keys }
}
for (const [title, token, terms] of accepted) {
  test(`wallet B accepts ${title}`, () => {
    assert.equal(verdict(openWalletB(json(token()), { ...termsB, ...terms })), 'passed')
  })
}

const altered = 'expired-or-altered'
const other = labelledKey('somebody else')
const text = wallet.plaintext
const roots = (key = wallet.rootKey, until?: string) => ({ trust: trustIn(JSON.parse(wallet.keyList(key, until))) })

type Row = readonly [fault: string, token: () => unknown, card: string, virtual: string, terms?: Partial<WalletBTerms>]
// Chapter 40 §19.2, rows 63 to 81.
// biome-ignore format: a table is read in columns.
const rows: readonly Row[] = [
  ['b-extra-member',         () => ({ ...mint({ version: 'ECv1' }), more: 1 }),                              'B1 malformed', '='],
  ['b-no-intermediate',      () => ({ ...mint(), intermediateSigningKey: undefined }),                       'B1 malformed', '='],
  ['b-signing-only',         () => ({ ...mint(), protocolVersion: 'ECv2SigningOnly' }),                      'B1 malformed', '='],
  ['other-wallet',           () => ({ paymentData: {}, paymentMethod: {}, transactionIdentifier: '' }),      'B1 malformed', '='],
  ['unknown type',           () => wrapped(mint(), 'OTHER').tokenizationData,                                'B1 malformed', '='],
  ['nine signatures',        () => withSignatures((good) => [...good, ...Array(8).fill(goodShape)]),         'B1 malformed', '='],
  ['b-root-expired',         () => mint(),                                                                   `B2 ${altered}`, '=', roots(wallet.rootKey, '1700000000000')],
  ['b-environment',          () => mint(),                                                                   `B3 ${altered}`, '=', roots(other)],
  ['b-environment, ECv1',    () => mint({ version: 'ECv1' }),                                                `B5 ${altered}`, '=', roots(other)],
  ['b-signed-key-changed',   () => json(mint()).replace('1893456000000', '1893456000001'),                   `B3 ${altered}`, '='],
  ['b-no-signatures',        () => withSignatures(() => []),                                                 `B3 ${altered}`, '='],
  ['b-intermediate-expired', () => mint({ keyExpiration: String(wallet.now.getTime()) }),                    `B4 ${altered}`, '='],
  ['b-message-changed',      () => ({ ...mint(), signedMessage: ` ${mint().signedMessage}` }),               `B5 ${altered}`, '='],
  ['b-recipient',            () => mint({ recipient: 'gateway:other' }),                                     `B5 ${altered}`, '='],
  ['b-sender',               () => mint({ version: 'ECv1', sender: 'Other' }),                               `B5 ${altered}`, '='],
  ['b-sender, ECv2',         () => mint({ sender: 'Other' }),                                                `B3 ${altered}`, '='],
  ['other recipient kind',   () => wrapped(mint(), 'DIRECT').tokenizationData,                               `B5 ${altered}`, '='],
  ['message without tag',    () => mint({ signedMessage: (usual) => usual.replace('"tag"', '"tog"') }),      `B6 ${altered}`, '='],
  ['point off the curve',    () => mint({ signedMessage: (usual) => usual.replace('"BJYW', '"BJYX') }),      `B6 ${altered}`, '='],
  ['b-wrong-key',            () => mint({ recipientKey: other }),                                            `B8 ${altered}`, 'passes'],
  ['b-tag-flip',             () => mint({ signedMessage: (usual) => usual.replace('"tag":"G', '"tag":"H') }), `B8 ${altered}`, 'passes'],
  ['b-plain-not-json',       () => mint({ plaintext: text.slice(1) }),                                       `B9 ${altered}`, 'passes'],
  ['check digit',            () => mint({ plaintext: text.replace('0018', '0019') }),                        `B9 ${altered}`, 'passes'],
  ['no message id',          () => mint({ plaintext: text.replace('messageId', 'otherId') }),                `B9 ${altered}`, 'passes'],
  ['unknown auth method',    () => mint({ plaintext: text.replace('CRYPTOGRAM_3DS', '3DS') }),               `B9 ${altered}`, 'passes'],
  ['month 13',               () => mint({ plaintext: text.replace('Month":12', 'Month":13') }),              `B9 ${altered}`, 'passes'],
  ['b-expired',              () => mint({ plaintext: text.replace('1893456000000', String(wallet.now.getTime())) }), `B10 ${altered}`, 'passes'],
  ['b-merchant',             () => mint({ plaintext: text.replace('7b6f6a52', '8b6f6a52') }),                `B11 ${altered}`, 'passes'],
  ['no merchant',            () => mint({ plaintext: text.replace('gatewayMerchantId', 'otherMerchantId') }), `B11 ${altered}`, 'passes'],
  ['b-auth-method',          () => mint({ plaintext: text.replace('CRYPTOGRAM_3DS', 'PAN_ONLY') }),          `B13 ${altered}`, 'passes', { allowedAuthMethods: ['CRYPTOGRAM_3DS'] }],
]
for (const [fault, token, card, inVirtual, terms = {}] of rows) {
  test(`wallet B ${fault} is refused by check ${card}`, () => {
    const minted = token()
    const tokenText = typeof minted === 'string' ? minted : json(minted)
    const base = { ...termsB, ...terms }
    assert.equal(verdict(openWalletB(tokenText, base)), card)
    const expected = inVirtual === '=' ? card : 'passed'
    assert.equal(verdict(openWalletB(tokenText, { ...base, flow: virtual })), expected)
  })
}

test('the ids for the replay guard are the hash of the signed text and, once decrypted, the message id', () => {
  const token = mint()
  const opened = openWalletB(json(token), termsB)
  assert.ok(opened.ok)
  assert.deepEqual(opened.token.replayHashes, [
    { check: 'B7', hash: sha256(sha256(token.signedMessage)).toString('hex') },
    { check: 'B12', hash: sha256('gatehouse-message-1').toString('hex') },
  ])
})
