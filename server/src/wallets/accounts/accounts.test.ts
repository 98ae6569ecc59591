import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { walletKeyStore } from '#server/store/wallets/wallet-keys.ts'
import { addKey, retire } from '#server/wallets/setup/wallet-keys.ts'
import { savePlatform } from '#server/wallets/setup/wallet-platform.ts'
import { saveWallet, type WalletEntry } from '#server/wallets/setup/wallets.ts'
import { pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import { loadWalletATrust, loadWalletBTrust } from '#server/wallets/tokens/trust.ts'
import {
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
  silentLog,
} from '../../../test/wallets/wallet-setup.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { walletAccounts } from './accounts.ts'
import type { WalletAnchors } from './anchors.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const rootPem = pem(root.der)
const source = 'wallet maker'
const trustA = loadWalletATrust({ instanceMode: 'live', source, pem: rootPem, sha256: sha256(rootPem).toString('hex') })
const rootKey = { keyValue: labelledKey('B root').spki.toString('base64'), protocolVersion: 'ECv1' }
const json = JSON.stringify({ keys: [rootKey] })
const known: WalletAnchors = {
  readWalletA: async () => trustA,
  readWalletB: async (_, environment) =>
    loadWalletBTrust({ instanceMode: 'live', source, environment, json, shippedFingerprints: new Set() }),
  readSandboxSession: async () => null,
  refresh: async () => [],
  askAgain: async () => {},
  reread: async () => {},
}

/** Accounts as a process has them; `changed` simulates a notification of the database. */
async function open(anchors: WalletAnchors = known) {
  const { context, pool, clock } = scene
  const merchants = new Map((await merchantStore(pool).list()).map((merchant) => [merchant.id, merchant]))
  const configuration = { version: 1, merchant: (id: string) => merchants.get(id) ?? null }
  const terms = { deniedSerials: new Set<string>(), lifetimeSeconds: 300, gateway: 'gatehouse' }
  const { vault, ids } = context
  const accounts = walletAccounts({
    pool,
    vault,
    clock,
    ids,
    log: silentLog,
    alerts: scene.channels.alerts,
    mail: scene.channels.mail,
    configuration,
    anchors,
    terms,
  })
  return {
    accounts,
    of: ({ merchantId, mode, wallet }: WalletRecordKey) => accounts.find(merchantId, mode, wallet),
    changed: () => {
      configuration.version += 1
    },
  }
}

async function place(entry: WalletEntry = {}, over: Partial<WalletRecordKey> = {}): Promise<WalletRecordKey> {
  const record = await scene.place(over)
  requireEntered(await saveWallet(scene.context, record, { enabled: true, ...entry }))
  return record
}

test('there is no account without settings or without a trust anchor', async () => {
  const { of } = await open()
  assert.equal(await of(await scene.place()), null)
  const distrustful = await open({ ...known, readWalletA: async () => null })
  assert.equal(await distrustful.of(await place({ merchantIdentifier })), null)
})

test('an account has trust anchors, identifier and the keys that may decrypt', async () => {
  const { privateKey, certificate, fingerprint } = pairOf('processing')
  const shop = await place({ merchantIdentifier, processingPrivateKey: privateKey, processingCertificate: certificate })
  const account = await (await open()).of(shop)
  assert.ok(account?.wallet === 'walletapay')
  assert.deepEqual(
    account.keys.map(({ key, state }) => [key.fingerprint, state]),
    [[fingerprint, 'current']],
  )
  assert.equal(account.merchantIdentifier, merchantIdentifier)
  assert.equal(account.trust, trustA)
  assert.deepEqual([account.usable, account.sandbox, account.lifetimeSeconds], [true, false, 300])
})

test('only live and degraded accounts are usable', async () => {
  const { of } = await open()
  assert.equal((await of(await place({ merchantIdentifier })))?.usable, true)
  assert.equal((await of(await place({ merchantIdentifier, enabled: false })))?.usable, false)
  assert.equal((await of(await place()))?.usable, false)
})

test('a wallet stops at the second of expiry without any change in the database', async () => {
  const { privateKey, certificate } = pairOf('short', { until: '2026-03-02T00:00:00Z' })
  const shop = await place({ merchantIdentifier, processingPrivateKey: privateKey, processingCertificate: certificate })
  const { of } = await open()
  scene.setTime('2026-03-02T00:00:00Z')
  assert.equal((await of(shop))?.usable, true)
  scene.setTime('2026-03-02T00:00:01Z')
  assert.equal((await of(shop))?.usable, false)
})

test('a record is read once, and again after a change', async () => {
  const shop = await place({ merchantIdentifier })
  const { of, changed } = await open()
  assert.equal((await of(shop))?.usable, true)
  requireEntered(await saveWallet(scene.context, shop, { enabled: false }))
  assert.equal((await of(shop))?.usable, true)
  changed()
  assert.equal((await of(shop))?.usable, false)
})

test('the first token for a next key promotes it, and no payment fails during the rotation', async () => {
  const shop = await place({ merchantIdentifier, processingPrivateKey: pairOf('old').privateKey })
  const next = requireEntered(await addKey(scene.context, shop, 'processing', { privateKey: pairOf('new').privateKey }))
  const { accounts, of, changed } = await open()
  const account = (await of(shop)) ?? assert.fail()
  assert.deepEqual(
    account.keys.map(({ state }) => state),
    ['current', 'next'],
  )
  await accounts.recordOpened(account, pairOf('old').fingerprint)
  await accounts.recordOpened(account, next.fingerprint)
  await accounts.recordOpened(account, next.fingerprint)
  changed()
  assert.deepEqual(
    (await of(shop))?.keys.map(({ key, state }) => [key.fingerprint, state]),
    [
      [next.fingerprint, 'current'],
      [pairOf('old').fingerprint, 'retiring'],
    ],
  )
  scene.passDays(8)
  assert.deepEqual(
    (await of(shop))?.keys.map(({ key }) => key.fingerprint),
    [next.fingerprint],
  )
})

test('a retired key decrypts nothing', async () => {
  const shop = await place({ merchantIdentifier, processingPrivateKey: pairOf('gone').privateKey })
  requireEntered(await retire(scene.context, shop, pairOf('gone').fingerprint))
  assert.deepEqual((await (await open()).of(shop))?.keys, [])
})

test('the third token in an hour that names no active key raises the alert', async () => {
  const shop = await place({ merchantIdentifier })
  const { accounts, of } = await open()
  const account = (await of(shop)) ?? assert.fail()
  const countAlerts = async () => (await scene.alerts()).filter((kind) => kind === 'processing key mismatch').length
  await accounts.recordUnmatched(account)
  scene.passDays(0.05)
  await accounts.recordUnmatched(account)
  await accounts.recordUnmatched(account)
  assert.equal(await countAlerts(), 0)
  await accounts.recordUnmatched(account)
  assert.equal(await countAlerts(), 1)
})

test('a platform merchant has the operator’s keys and identifier', async () => {
  const shop = await place({ setup: 'platform', merchantIdentifier: 'merchant.assigned' })
  const { privateKey, fingerprint } = pairOf('platform')
  requireEntered(
    await savePlatform(scene.context, { merchantIdentifier: 'merchant.platform', processingPrivateKey: privateKey }),
  )
  const account = await (await open()).of(shop)
  assert.ok(account?.wallet === 'walletapay')
  assert.equal(account.merchantIdentifier, 'merchant.platform')
  assert.deepEqual(
    account.keys.map(({ key }) => key.fingerprint),
    [fingerprint],
  )
})

test('wallet B tokens are addressed to this service and the merchant’s public id or, as before, its key, unless the settings differ', async () => {
  const live = await place({}, { wallet: 'walletbpay' })
  const test_ = await place(
    { gateway: 'other', gatewayMerchantId: 'me', merchantIdentifier: 'BCR2' },
    { wallet: 'walletbpay', mode: 'test' },
  )
  const { of } = await open()
  const key = (await merchantStore(scene.pool).list()).find(({ id }) => id === live.merchantId)?.key
  const [one, two] = [await of(live), await of(test_)]
  assert.ok(one?.wallet === 'walletbpay' && two?.wallet === 'walletbpay')
  assert.deepEqual(one.recipients, {
    gateway: { name: 'gateway:gatehouse', gatewayMerchantId: live.merchantId, formerMerchantId: key },
    merchant: null,
  })
  assert.equal(one.trust.environment, 'PRODUCTION')
  assert.deepEqual(two.recipients, {
    gateway: { name: 'gateway:other', gatewayMerchantId: 'me' },
    merchant: { name: 'merchant:BCR2', gatewayMerchantId: null },
  })
  assert.equal(two.trust.environment, 'TEST')
  assert.deepEqual(one.authMethods, ['PAN_ONLY', 'CRYPTOGRAM_3DS'])
})

test('wallet B in test mode uses the ids of that mode and the trust anchors of its record’s environment', async () => {
  const shop = await place({ environment: 'PRODUCTION' }, { wallet: 'walletbpay', mode: 'test' })
  const account = await (await open()).of(shop)
  assert.ok(account?.wallet === 'walletbpay')
  const merchant = (await merchantStore(scene.pool).list()).find(({ id }) => id === shop.merchantId)
  const { gatewayMerchantId, formerMerchantId } = account.recipients.gateway ?? {}
  assert.deepEqual([gatewayMerchantId, formerMerchantId], [`test-${shop.merchantId}`, merchant?.testKey])
  assert.equal(account.trust.environment, 'PRODUCTION')
})

test('private keys are sealed in the database', async () => {
  const { privateKey } = pairOf('sealed')
  const shop = await place({ merchantIdentifier, processingPrivateKey: privateKey })
  const [key] = await walletKeyStore(scene.pool).list(shop)
  const der = Buffer.from(privateKey, 'base64')
  assert.ok(key?.privateSealed)
  assert.equal(key.privateSealed.indexOf(der), -1)
  assert.equal(key.privateSealed.indexOf(privateKey), -1)
})

test('a sandbox token on a live instance raises an open alert, which is reported once a day', async () => {
  const { accounts, of } = await open()
  const shop = await place({ merchantIdentifier })
  const account = (await of(shop)) ?? assert.fail()
  const before = (await scene.alerts()).length
  await accounts.recordSandboxToken(account, 'ORDER-1')
  await accounts.recordSandboxToken(account, 'ORDER-2')
  assert.deepEqual((await scene.alerts()).slice(before), ['sandbox token on live'])
  const alerts = (await scene.channels.walletAlerts.open()).filter(({ merchantId }) => merchantId === shop.merchantId)
  assert.deepEqual(
    alerts.map(({ text }) => text),
    ['A walletapay token of a sandbox was sent for order ORDER-1.'],
  )
})

test('an unknown root makes the process fetch the anchors again; the account returns only with another list', async () => {
  const lists = ['B root', 'B root of today'].map((label) => {
    const keys = [{ keyValue: labelledKey(label).spki.toString('base64'), protocolVersion: 'ECv1' }]
    const environment = 'PRODUCTION' as const
    return loadWalletBTrust({
      instanceMode: 'live',
      source,
      environment,
      json: JSON.stringify({ keys }),
      shippedFingerprints: new Set(),
    })
  })
  let listed = 0
  let fetches = 0
  const { accounts, of } = await open({
    ...known,
    readWalletB: async () => lists[listed] ?? null,
    askAgain: async () => {
      fetches += 1
    },
  })
  const account = (await of(await place({}, { wallet: 'walletbpay' }))) ?? assert.fail()
  assert.equal(await accounts.recordUnknownRoot(account), null)
  listed = 1
  assert.equal((await accounts.recordUnknownRoot(account))?.trust, lists[1])
  assert.equal(fetches, 2)
  const walletA = (await of(await place({ merchantIdentifier }))) ?? assert.fail()
  assert.equal(await accounts.recordUnknownRoot(walletA), null)
  assert.equal(fetches, 2)
})
