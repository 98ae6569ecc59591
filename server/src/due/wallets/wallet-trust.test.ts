import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { platformRecordKey } from '#server/store/wallets/wallet-settings.ts'
import { pem, root } from '#server/wallets/tokens/testing/authority.ts'
import { labelledKey, sha256 } from '#server/wallets/tokens/testing/keys.ts'
import { loadWalletATrust, loadWalletBTrust } from '#server/wallets/tokens/trust.ts'
import { openWalletSetup, silentLog } from '../../../test/wallets/wallet-setup.ts'
import { runWalletTrust } from './wallet-trust.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const rootPem = pem(root.der)
const rootTrust = loadWalletATrust({
  instanceMode: 'live',
  source: 'wallet maker',
  pem: rootPem,
  sha256: sha256(rootPem).toString('hex'),
})
const keyList = (expires: string) =>
  loadWalletBTrust({
    instanceMode: 'live',
    source: 'wallet maker',
    environment: 'PRODUCTION',
    json: JSON.stringify({
      keys: [
        {
          keyValue: labelledKey('wallet B root').spki.toString('base64'),
          protocolVersion: 'ECv2',
          keyExpiration: String(Date.parse(expires)),
        },
      ],
    }),
    shippedFingerprints: new Set(),
  })

test('key lists are fetched every day; the expiry of a root, and of all keys within 7 days, is reported', async () => {
  let refreshed = 0
  const purged: Date[] = []
  const list = keyList('2026-03-20T00:00:00Z')
  const worker = runWalletTrust({
    anchors: {
      readWalletA: async () => rootTrust,
      readWalletB: async (_source, environment) => (environment === 'PRODUCTION' ? list : null),
      refresh: async () => {
        refreshed += 1
        return []
      },
    },
    recordKeyOf: platformRecordKey,
    purge: async (before) => purged.push(before),
    channels: scene.channels,
    clock: scene.clock,
    ids: scene.context.ids,
    log: silentLog,
  })
  await worker.awaitIdle()
  assert.equal(refreshed, 0)
  assert.deepEqual(purged[0]?.toISOString(), '2025-12-01T00:00:00.000Z')
  scene.passDays(1)
  await worker.awaitIdle()
  assert.equal(refreshed, 1)
  assert.deepEqual(await scene.alerts(), [])
  scene.setTime('2026-03-13T00:00:00Z')
  await worker.awaitIdle()
  assert.deepEqual(await scene.alerts(), ['wallet keys ending'])
  // The samples' root expires at the end of 2034.
  scene.setTime('2034-11-15T00:00:00Z')
  await worker.awaitIdle()
  assert.ok((await scene.alerts()).includes('wallet root expiry'))
  await worker.stop()
})

test('a root key without an expiry is valid for as long as it is listed', async () => {
  const keyValue = labelledKey('wallet B root').spki.toString('base64')
  const json = JSON.stringify({ keys: [{ keyValue, protocolVersion: 'ECv1' }] })
  const terms = {
    instanceMode: 'live',
    source: 'wallet maker',
    environment: 'TEST',
    shippedFingerprints: new Set<string>(),
  } as const
  const list = loadWalletBTrust({ ...terms, json })
  const before = (await scene.alerts()).length
  const worker = runWalletTrust({
    anchors: { readWalletA: async () => null, readWalletB: async () => list, refresh: async () => [] },
    recordKeyOf: platformRecordKey,
    purge: async () => 0,
    channels: scene.channels,
    clock: scene.clock,
    ids: scene.context.ids,
    log: silentLog,
  })
  await worker.awaitIdle()
  assert.equal((await scene.alerts()).length, before)
  await worker.stop()
})
