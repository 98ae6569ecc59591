import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { walletHistoryStore } from '#server/store/wallets/wallet-history.ts'
import { leaf, pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey, oneLineKey } from '#server/wallets/tokens/testing/keys.ts'
import {
  faultsOf,
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
} from '../../../test/wallets/wallet-setup.ts'
import { savePlatform } from './wallet-platform.ts'
import { viewWallet } from './wallet-view.ts'
import { saveWallet, type WalletEntry } from './wallets.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const complete: WalletEntry = {
  enabled: true,
  merchantIdentifier,
  country: 'DE',
  shopName: 'Shop',
  merchantCapabilities: ['supports3DS', 'supportsCredit'],
  supportedNetworks: ['visa', 'masterCard'],
}
const identity = pairOf('identity')
const processing = pairOf('processing')

test('a complete own-account record is saved with its pairs, and shows fingerprints but no secret', async () => {
  const place = await scene.place()
  const entry = {
    ...complete,
    privateKey: identity.privateKey,
    certificate: identity.certificate,
    processingPrivateKey: processing.privateKey,
    processingCertificate: processing.certificate,
  }
  requireEntered(await saveWallet(scene.context, place, entry))
  const view = await viewWallet(scene.pool, place, scene.clock.now())
  assert.deepEqual(view?.settings.fields.supportedNetworks, ['visa', 'masterCard'])
  assert.deepEqual(
    view?.keys.map(({ role, state, fingerprint }) => [role, state, fingerprint]),
    [
      ['identity', 'current', identity.fingerprint],
      ['processing', 'current', processing.fingerprint],
    ],
  )
  const shown = JSON.stringify(view)
  assert.ok(!shown.includes('privateSealed'))
  assert.ok(!shown.includes(processing.privateKey))
})

// Chapter 40 §3, wallet A, own account: accepted and refused values.
const longIdentifier = `merchant.${'a'.repeat(246)}`
// biome-ignore format: a table is read in columns.
const walletARows: readonly (readonly [entry: WalletEntry, refusal: string | null])[] = [
  [{ merchantIdentifier: 'merchant.a' },                      null],
  [{ merchantIdentifier: longIdentifier },                    null],
  [{ merchantIdentifier: `${longIdentifier}a` },              'merchant_identifier: This value is not valid.'],
  [{ merchantIdentifier: 'merchant.' },                       'merchant_identifier: This value is not valid.'],
  [{ merchantIdentifier: 'com.example.shop' },                'merchant_identifier: This value is not valid.'],
  [{ merchantIdentifier: 'merchant.a b.shop' },               'merchant_identifier: This value is not valid.'],
  [{ country: 'US' },                                         null],
  [{ country: 'us' },                                         'country: This value is not valid.'],
  [{ country: 'XX' },                                         'country: This value is not valid.'],
  [{ country: 'KP' },                                         'country: This value is not valid.'],
  [{ shopName: 'é'.repeat(64) },                              null],
  [{ shopName: 'é'.repeat(65) },                              'shop_name: This value is not valid.'],
  [{ shopName: '' },                                          'shop_name: This value is not valid.'],
  [{ merchantCapabilities: ['supports3DS'] },                 null],
  [{ merchantCapabilities: ['supports3DS', 'supportsCredit', 'supportsDebit', 'supportsEMV'] }, null],
  [{ merchantCapabilities: ['supportsCredit'] },              'merchant_capabilities: The value you selected is not a valid choice.'],
  [{ merchantCapabilities: ['supports3DS', 'supportsGold'] }, 'merchant_capabilities: The value you selected is not a valid choice.'],
  [{ supportedNetworks: ['visa'] },                           null],
  [{ supportedNetworks: [] },                                 'supported_networks: The value you selected is not a valid choice.'],
  [{ supportedNetworks: ['visa', 'gold'] },                   'supported_networks: The value you selected is not a valid choice.'],
]

// Wallet B.
// biome-ignore format: a table is read in columns.
const walletBRows: readonly (readonly [mode: 'live' | 'test', entry: WalletEntry, refusal: string | null])[] = [
  ['live', { environment: 'PRODUCTION' },                            null],
  ['live', { environment: 'TEST' },                                  'environment: The value you selected is not a valid choice.'],
  ['test', { environment: 'PRODUCTION' },                            null],
  ['test', { environment: 'TEST' },                                  null],
  ['live', { merchantIdentifier: 'B'.repeat(64) },                   null],
  ['live', { merchantIdentifier: 'B'.repeat(65) },                   'merchant_identifier: This value is not valid.'],
  ['live', { gateway: 'another', gatewayMerchantId: 'me' },          null],
  ['live', { gateway: '' },                                          'gateway: This value is not valid.'],
  ['live', { gatewayMerchantId: 'm'.repeat(65) },                    'gateway_merchant_id: This value is not valid.'],
  ['live', { billingAddress: true, phone: true, country: 'DE', shopName: 'Shop' }, null],
  ['live', { shopName: 'x'.repeat(65) },                             'shop_name: This value is not valid.'],
  ['live', { merchantCapabilities: ['supports3DS'] },                'merchant_capabilities: Not used here.'],
  ['live', { authMethods: ['PAN_ONLY', 'PAN_ONLY'] },                'allowed_auth_method: The value you selected is not a valid choice.'],
  ['live', { authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },          null],
  ['live', { authMethods: [] },                                      'allowed_auth_method: The value you selected is not a valid choice.'],
  ['live', { supportedNetworks: ['MASTERCARD', 'VISA', 'AMEX', 'DISCOVER', 'JCB'] }, null],
  ['live', { supportedNetworks: ['visa'] },                          'supported_networks: The value you selected is not a valid choice.'],
  ['live', { setup: 'platform' },                                    'setup: The value you selected is not a valid choice.'],
  ['live', { privateKey: oneLineKey(labelledKey('B')) },             null],
]

test('each field accepts its valid values and refuses others in the words of the chapter', async () => {
  for (const [entry, refusal] of walletARows) {
    const faults = faultsOf(await saveWallet(scene.context, await scene.place(), entry))
    assert.deepEqual(faults, refusal === null ? [] : [refusal], JSON.stringify(entry))
  }
  for (const [mode, entry, refusal] of walletBRows) {
    const place = await scene.place({ mode, wallet: 'walletbpay' })
    const faults = faultsOf(await saveWallet(scene.context, place, entry))
    assert.deepEqual(faults, refusal === null ? [] : [refusal], JSON.stringify(entry))
  }
})

const pemKey = (label: string, bytes = Buffer.from(oneLineKey(labelledKey('other')), 'base64')) => pem(bytes, label)
// Chapter 40 §4.2, through the two fields of the processing pair and the two of the identity pair.
// biome-ignore format: a table is read in columns.
const keyRows: readonly (readonly [id: string, entry: WalletEntry, refusal: string])[] = [
  ['K1',  { processingPrivateKey: '' },                                             'processing_private_key: This value should not be blank.'],
  ['K1',  { privateKey: identity.privateKey },                                      'certificate: This value should not be blank.'],
  ['K1',  { certificate: identity.certificate },                                    'private_key: This value should not be blank.'],
  ['K2',  { processingPrivateKey: 'my key' },                                       'processing_private_key: Not a key: paste the text between the BEGIN and END markers.'],
  ['K3',  { processingPrivateKey: processing.privateKey.slice(0, -4) },             'processing_private_key: The key is damaged or incomplete.'],
  ['K4',  { processingPrivateKey: pemKey('ENCRYPTED PRIVATE KEY') },                'processing_private_key: The key is protected by a passphrase; remove it first.'],
  ['K5',  { processingPrivateKey: pem(leaf.der) },                                  'processing_private_key: This is a certificate, not a private key.'],
  ['K5',  { privateKey: identity.privateKey, certificate: pemKey('PRIVATE KEY') },  'certificate: This is a private key, not a certificate.'],
  ['K6',  { processingPrivateKey: pemKey('PRIVATE KEY') + pemKey('PRIVATE KEY') },  'processing_private_key: More than one key.'],
  ['K6',  { privateKey: identity.privateKey, certificate: pem(leaf.der) + pem(root.der) }, 'certificate: More than one key.'],
  ['K9',  { processingPrivateKey: processing.privateKey, processingCertificate: identity.certificate }, 'processing_certificate: The certificate does not belong to the key.'],
  ['K10', { privateKey: identity.privateKey, certificate: pairOf('identity', { until: '2026-02-01T00:00:00Z' }).certificate }, 'certificate: The certificate expired on 2026-02-01.'],
  ['K10', { privateKey: identity.privateKey, certificate: pairOf('identity', { from: '2026-04-01T00:00:00Z' }).certificate },  'certificate: The certificate is valid from 2026-04-01.'],
  ['K11', { processingPrivateKey: processing.privateKey, processingCertificate: pairOf('processing', { identifier: 'merchant.other' }).certificate }, 'processing_certificate: The certificate was issued for another merchant identifier.'],
  ['K12', { privateKey: identity.privateKey, certificate: identity.certificate, processingPrivateKey: identity.privateKey }, 'processing_private_key: The key is already in use here.'],
]
for (const [id, entry, refusal] of keyRows) {
  test(`${id} is found when saving, and nothing is saved: ${refusal}`, async () => {
    const place = await scene.place()
    assert.deepEqual(faultsOf(await saveWallet(scene.context, place, { ...complete, ...entry })), [refusal])
    assert.equal(await viewWallet(scene.pool, place, scene.clock.now()), null)
  })
}

test('K7: a key on another curve is refused', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
  const text = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  const faults = faultsOf(
    await saveWallet(scene.context, await scene.place(), { ...complete, processingPrivateKey: text }),
  )
  assert.deepEqual(faults, ['processing_private_key: The key must be EC P-256 or RSA 2048.'])
})

test('K12: a processing key cannot be active twice in a record', async () => {
  const place = await scene.place()
  const entry = { ...complete, processingPrivateKey: processing.privateKey }
  requireEntered(await saveWallet(scene.context, place, entry))
  assert.deepEqual(faultsOf(await saveWallet(scene.context, place, entry)), [
    'processing_private_key: The key is already in use here.',
  ])
})

test('all faults of an entry are reported at once', async () => {
  const entry: WalletEntry = { country: 'XX', shopName: '', processingPrivateKey: 'x' }
  assert.equal(faultsOf(await saveWallet(scene.context, await scene.place(), entry)).length, 3)
})

test('white space inside a pasted key is removed with a remark', async () => {
  const spaced = processing.privateKey.replace(/(.{40})/g, '$1\n')
  const saved = await saveWallet(scene.context, await scene.place(), { ...complete, processingPrivateKey: spaced })
  assert.ok(saved.ok)
  assert.equal(saved.notes.length, 1)
})

test('a new Merchant Identifier is refused while a certificate names the old one', async () => {
  const place = await scene.place()
  const pair = { processingPrivateKey: processing.privateKey, processingCertificate: processing.certificate }
  requireEntered(await saveWallet(scene.context, place, { ...complete, ...pair }))
  assert.deepEqual(faultsOf(await saveWallet(scene.context, place, { merchantIdentifier: 'merchant.other' })), [
    'processing_certificate: The certificate was issued for another merchant identifier.',
  ])
})

test('the platform setup has no certificate and key fields', async () => {
  const fields = ['certificate', 'privateKey', 'processingPrivateKey', 'processingCertificate'] as const
  const wire = ['certificate', 'private_key', 'processing_private_key', 'processing_certificate']
  for (const [index, field] of fields.entries()) {
    const entry = { setup: 'platform' as const, [field]: identity.certificate }
    assert.deepEqual(faultsOf(await saveWallet(scene.context, await scene.place(), entry)), [
      `${wire[index]}: Not used in the platform setup.`,
    ])
  }
})

test('a platform merchant is a draft until platform and merchant are set up, then uses the platform’s keys', async () => {
  const place = await scene.place()
  const state = async () => (await viewWallet(scene.pool, place, scene.clock.now()))?.state
  requireEntered(
    await saveWallet(scene.context, place, { setup: 'platform', enabled: true, country: 'DE', shopName: 'Shop' }),
  )
  assert.equal(await state(), 'draft')
  const pair = { processingPrivateKey: processing.privateKey, processingCertificate: processing.certificate }
  requireEntered(await savePlatform(scene.context, { merchantIdentifier, ...pair }))
  assert.equal(await state(), 'draft')
  requireEntered(await saveWallet(scene.context, place, { merchantIdentifier: 'merchant.assigned' }))
  assert.equal(await state(), 'degraded')
})

// The operator's own record, and fields of the other wallet or the other setup.
// biome-ignore format: a table is read in columns.
const platformRows: readonly (readonly [entry: WalletEntry, refusal: string | null])[] = [
  [{ merchantIdentifier },                              null],
  [{ sessionUrl: 'https://maker.example/session' },     null],
  [{ sessionUrl: 'http://maker.example/session' },      'session_url: This value is not valid.'],
  [{ sessionUrl: 'maker' },                             'session_url: This value is not valid.'],
  [{ country: 'DE' },                                   'country: Not used here.'],
  [{ shopName: 'Shop' },                                'shop_name: Not used here.'],
  [{ environment: 'TEST' },                             'environment: Not used here.'],
  [{ gateway: 'another' },                              'gateway: Not used here.'],
  [{ authMethods: ['PAN_ONLY'] },                       'allowed_auth_method: Not used here.'],
]

test('the operator’s record has an identifier and a session address, and no fields of merchants or of wallet B', async () => {
  for (const [entry, refusal] of platformRows) {
    const faults = faultsOf(await savePlatform(scene.context, entry))
    assert.deepEqual(faults, refusal === null ? [] : [refusal], JSON.stringify(entry))
  }
  const ofMerchant = await saveWallet(scene.context, await scene.place(), { sessionUrl: 'https://maker.example/' })
  assert.deepEqual(faultsOf(ofMerchant), ['session_url: Not used here.'])
})

test('a live instance accepts no sandbox authority as trust source', async () => {
  const live = { ...scene.context, instanceMode: 'live' as const }
  const faults = faultsOf(await saveWallet(live, await scene.place(), { trustSource: 'sandbox authority' }))
  assert.deepEqual(faults, ['trust_source: The value you selected is not a valid choice.'])
})

test('of two simultaneous edits the second is refused as outdated', async () => {
  const place = await scene.place()
  const { version } = requireEntered(await saveWallet(scene.context, place, complete))
  requireEntered(await saveWallet(scene.context, place, { shopName: 'One', version }))
  assert.match(String(faultsOf(await saveWallet(scene.context, place, { shopName: 'Two', version }))), /^version: /)
})

test('every change is in the history with user, time and fields', async () => {
  const place = await scene.place()
  requireEntered(await saveWallet(scene.context, place, complete))
  scene.passDays(1)
  requireEntered(await saveWallet(scene.context, place, { shopName: 'New' }))
  const [newest, first] = await walletHistoryStore(scene.pool).list(place.merchantId, 'walletapay')
  assert.deepEqual(newest?.details['fields'], ['shopName'])
  assert.equal(newest?.byUser, 'ann')
  assert.deepEqual(newest?.at, scene.clock.now())
  assert.equal(first?.what, 'Settings were created.')
})

test('a key whose public point belongs to another key is refused at entry (K8), in both wallets', async () => {
  const own = Buffer.from(oneLineKey(labelledKey('one')), 'base64')
  const point = labelledKey('two').spki.subarray(-65)
  const mixed = Buffer.concat([own.subarray(0, -65), point]).toString('base64')
  const placeA = await scene.place()
  const entered = await saveWallet(scene.context, placeA, { merchantIdentifier, processingPrivateKey: mixed })
  assert.deepEqual(faultsOf(entered), ['processing_private_key: The key is inconsistent.'])
  const placeB = await scene.place({ wallet: 'walletbpay' })
  assert.deepEqual(faultsOf(await saveWallet(scene.context, placeB, { privateKey: mixed })), [
    'private_key: The key is inconsistent.',
  ])
  assert.equal(await viewWallet(scene.pool, placeA, scene.clock.now()), null)
})
