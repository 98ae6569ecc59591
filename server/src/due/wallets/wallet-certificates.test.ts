import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { walletKeyStore } from '#server/store/wallets/wallet-keys.ts'
import { walletWatchStore } from '#server/store/wallets/wallet-watches.ts'
import { promoteKey, retireKey } from '#server/wallets/accounts/rotation.ts'
import { addKey, generateKey } from '#server/wallets/setup/wallet-keys.ts'
import { viewWallet } from '#server/wallets/setup/wallet-view.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import {
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
  silentLog,
} from '../../../test/wallets/wallet-setup.ts'
import type { DueWork } from '../due-work.ts'
import { runWalletCertificates } from './wallet-certificates.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
let worker: DueWork
before(async () => {
  scene = await openWalletSetup()
})
afterEach(() => worker.stop())
after(() => scene.drop())

function run(): DueWork {
  const { context, pool, channels, clock } = scene
  const watches = walletWatchStore(pool)
  worker = runWalletCertificates({
    watches: watches.checks,
    checkAll: (now) => watches.checkAll(now),
    listKeys: (place) => walletKeyStore(pool).list(place),
    retire: async (place, fingerprint) => {
      await retireKey(context, place, fingerprint, 'the end of its time')
    },
    announce: async () => {},
    nameOf: () => 'the shop',
    channels,
    clock,
    ids: context.ids,
    log: silentLog,
  })
  return worker
}

const until = '2027-01-01T00:00:00Z'
/** A record with both key pairs; one of the certificates expires. */
async function place(ending: 'identity' | 'processing' = 'identity'): Promise<WalletRecordKey> {
  const key = await scene.place()
  const identity = pairOf('identity', ending === 'identity' ? { until } : {})
  const processing = pairOf('processing', ending === 'processing' ? { until } : {})
  requireEntered(
    await saveWallet(scene.context, key, {
      enabled: true,
      merchantIdentifier,
      privateKey: identity.privateKey,
      certificate: identity.certificate,
      processingPrivateKey: processing.privateKey,
      processingCertificate: processing.certificate,
    }),
  )
  return key
}
const textsOf = async ({ merchantId }: WalletRecordKey): Promise<readonly string[]> => {
  const { rows } = await scene.pool.query<{ text: string }>(
    'select text from alerts where merchant_id = $1 order by raised_at, id',
    [merchantId],
  )
  return rows.map(({ text }) => text)
}
const daysBefore = (days: number): string => new Date(Date.parse(until) - days * 86_400_000).toISOString()
const stateOf = async (of: WalletRecordKey) => (await viewWallet(scene.pool, of, scene.clock.now()))?.state

test('an expiry is reported 60, 30, 14, 7, 3 and 1 days before it and when it occurs, with the date', async () => {
  scene.setTime(daysBefore(61))
  const shop = await place()
  run()
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 0)
  for (const [index, days] of [60, 30, 14, 7, 3, 1, 0].entries()) {
    scene.setTime(daysBefore(days))
    await scene.pool.query("update wallet_notices set muted_reason = 'known'")
    await worker.awaitIdle()
    assert.equal((await textsOf(shop)).length, index + 1, `${days} days before`)
  }
  const texts = await textsOf(shop)
  assert.match(
    texts[0] ?? '',
    /^The identity certificate [0-9a-f]{16} of the shop expires on 2027-01-01, in 60 days\.$/,
  )
  assert.match(texts.at(-1) ?? '', /expired on 2027-01-01\.$/)
})

test('an alert is repeated every day until it is muted with a reason, and raised again at the next stage', async () => {
  scene.setTime(daysBefore(29))
  const shop = await place()
  run()
  for (const expected of [1, 2, 3]) {
    await worker.awaitIdle()
    assert.equal((await textsOf(shop)).length, expected)
    scene.passDays(1)
  }
  const [{ subject } = { subject: '' }] = (await scene.channels.walletAlerts.open()).filter(
    ({ merchantId }) => merchantId === shop.merchantId,
  )
  assert.ok(
    await scene.channels.walletAlerts.mute(shop, 'wallet certificate expiry', subject, 'the new one is ordered'),
  )
  scene.passDays(1)
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 3)
  scene.setTime(daysBefore(14))
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 4)
})

test("the wallet lapses in the second after its certificate's last, and a new certificate restores it", async () => {
  for (const role of ['identity', 'processing'] as const) {
    scene.setTime(daysBefore(1))
    const shop = await place(role)
    run()
    scene.setTime(until)
    assert.equal(await stateOf(shop), 'degraded')
    scene.setTime('2027-01-01T00:00:00.001Z')
    assert.equal(await stateOf(shop), 'lapsed')
    const next = requireEntered(await addKey(scene.context, shop, role, pairOf(`new ${role}`)))
    // A processing key is used as soon as it is added, an identity pair after its promotion.
    assert.equal(await stateOf(shop), role === 'identity' ? 'lapsed' : 'degraded')
    await promoteKey(scene.context, shop, next.fingerprint, { byUser: 'ann' })
    assert.equal(await stateOf(shop), 'degraded')
    await worker.stop()
  }
})

test('a replaced certificate is no longer reported', async () => {
  scene.setTime(daysBefore(20))
  const shop = await place()
  run()
  await worker.awaitIdle()
  const openAlerts = async () =>
    (await scene.channels.walletAlerts.open()).filter(({ merchantId }) => merchantId === shop.merchantId).length
  assert.equal(await openAlerts(), 1)
  const next = requireEntered(await addKey(scene.context, shop, 'identity', pairOf('renewed')))
  await promoteKey(scene.context, shop, next.fingerprint, { byUser: 'ann' })
  scene.passDays(1)
  await worker.awaitIdle()
  assert.equal(await openAlerts(), 0)
})

test('a retiring key loses its private part exactly when its time is over', async () => {
  scene.setTime('2026-03-01T00:00:00Z')
  const shop = await place()
  const next = requireEntered(await addKey(scene.context, shop, 'processing', pairOf('second')))
  await promoteKey(scene.context, shop, next.fingerprint, { byUser: 'ann' })
  run()
  const old = async () =>
    (await walletKeyStore(scene.pool).list(shop)).find((key) => key.role === 'processing' && key.id !== next.id)
  scene.passDays(7)
  await worker.awaitIdle()
  assert.equal((await old())?.state, 'retiring')
  scene.passDays(1)
  await worker.awaitIdle()
  assert.deepEqual([(await old())?.state, (await old())?.privateSealed], ['retired', null])
})

test('changes made while no worker was running are found at the start', async () => {
  scene.setTime('2026-03-01T00:00:00Z')
  const shop = await place()
  run()
  await worker.awaitIdle()
  await worker.stop()
  await scene.pool.query("update wallet_keys set certificate_until = $1 where merchant_id = $2 and role = 'identity'", [
    new Date('2026-03-03T00:00:00Z'),
    shop.merchantId,
  ])
  run()
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 1)
})

test('a processing key without a certificate is reported daily, with the remedy, until it has one', async () => {
  scene.setTime('2026-03-01T00:00:00Z')
  const { privateKey, certificate } = pairOf('uncertified')
  const shop = await scene.place()
  requireEntered(
    await saveWallet(scene.context, shop, { enabled: true, merchantIdentifier, processingPrivateKey: privateKey }),
  )
  assert.equal(await stateOf(shop), 'degraded')
  run()
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 1)
  scene.passDays(1)
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 2)
  const [text = ''] = await textsOf(shop)
  assert.match(
    text,
    /^The expiry of the processing key [0-9a-f]{16} of the shop is unknown: add the processing certificate\.$/,
  )
  requireEntered(await saveWallet(scene.context, shop, { processingCertificate: certificate }))
  scene.passDays(1)
  await worker.awaitIdle()
  assert.equal((await textsOf(shop)).length, 2)
  const openAlerts = await scene.channels.walletAlerts.open()
  assert.ok(openAlerts.every(({ merchantId }) => merchantId !== shop.merchantId))
})

test('keys of wallet B and identity pairs that wait for a certificate raise no expiry alert', async () => {
  scene.setTime('2026-03-01T00:00:00Z')
  const ofB = await scene.place({ wallet: 'walletbpay' })
  requireEntered(await saveWallet(scene.context, ofB, { enabled: true, privateKey: pairOf('wallet B').privateKey }))
  const ofA = await scene.place()
  requireEntered(await saveWallet(scene.context, ofA, { enabled: true, merchantIdentifier }))
  requireEntered(await generateKey(scene.context, ofA, 'identity', 'EC'))
  run()
  await worker.awaitIdle()
  assert.deepEqual([await textsOf(ofB), await textsOf(ofA)], [[], []])
})
