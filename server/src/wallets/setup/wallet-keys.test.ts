import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import type { KeyRole, WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { walletHistoryStore } from '#server/store/wallets/wallet-history.ts'
import { walletKeyStore } from '#server/store/wallets/wallet-keys.ts'
import { platformRecordKey } from '#server/store/wallets/wallet-settings.ts'
import { openPrivateKey } from '#server/wallets/accounts/opened-keys.ts'
import {
  faultsOf,
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
} from '../../../test/wallets/wallet-setup.ts'
import { addCertificate, addKey, generateKey, promote, retire } from './wallet-keys.ts'
import { savePlatform } from './wallet-platform.ts'
import { saveWallet } from './wallets.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

async function placeWithSettings(over: Partial<WalletRecordKey> = {}): Promise<WalletRecordKey> {
  const place = await scene.place(over)
  requireEntered(await saveWallet(scene.context, place, { enabled: true, merchantIdentifier }))
  return place
}

const states = async (place: WalletRecordKey, role: KeyRole = 'processing') =>
  (await walletKeyStore(scene.pool).list(place)).filter((key) => key.role === role).map(({ state }) => state)
const add = (place: WalletRecordKey, label: string, role: KeyRole = 'processing') => {
  const { privateKey, certificate } = pairOf(label)
  return addKey(scene.context, place, role, { privateKey, certificate })
}

test('the first key is current, the second next, and a third is refused while two are active', async () => {
  const place = await placeWithSettings()
  requireEntered(await add(place, 'one'))
  requireEntered(await add(place, 'two'))
  assert.deepEqual(await states(place), ['current', 'next'])
  assert.deepEqual(faultsOf(await add(place, 'three')), [
    'processing_private_key: Two keys are already active. Retire one first.',
  ])
})

test('after a promotion the old processing key decrypts for seven more days, or as long as requested', async () => {
  for (const [wished, days] of [
    [undefined, 7],
    [60 * 86_400_000, 60],
  ] as const) {
    const place = await placeWithSettings()
    requireEntered(await add(place, 'one'))
    const next = requireEntered(await add(place, 'two'))
    requireEntered(await promote(scene.context, place, next.fingerprint, wished))
    const [old, current] = await walletKeyStore(scene.pool).list(place)
    assert.deepEqual([old?.state, current?.state], ['retiring', 'current'])
    assert.equal((old?.until?.getTime() ?? 0) - scene.clock.now().getTime(), days * 86_400_000)
    assert.deepEqual(faultsOf(await add(place, 'three')).length, 1)
  }
})

test('the retirement of a key takes at least an hour and at most 60 days', async () => {
  const place = await placeWithSettings()
  requireEntered(await add(place, 'one'))
  const { fingerprint } = requireEntered(await add(place, 'two'))
  for (const wished of [3_599_999, 60 * 86_400_000 + 1]) {
    assert.deepEqual(faultsOf(await promote(scene.context, place, fingerprint, wished)), [
      'retire_after: Enter a time from 1 hour to 60 days.',
    ])
  }
  requireEntered(await promote(scene.context, place, fingerprint, 3_600_000))
})

test('the identity pair has only next and current: the old one is retired at once', async () => {
  const place = await placeWithSettings()
  requireEntered(await add(place, 'one', 'identity'))
  const next = requireEntered(await add(place, 'two', 'identity'))
  requireEntered(await promote(scene.context, place, next.fingerprint))
  assert.deepEqual(await states(place, 'identity'), ['retired', 'current'])
})

test('only a next key can be promoted', async () => {
  const place = await placeWithSettings()
  const current = requireEntered(await add(place, 'one'))
  assert.deepEqual(faultsOf(await promote(scene.context, place, current.fingerprint)), [
    'key: Only a next key can be promoted.',
  ])
})

test('retiring destroys the private part and keeps the fingerprint; the key may be entered again', async () => {
  const place = await placeWithSettings()
  const { fingerprint } = requireEntered(await add(place, 'one'))
  requireEntered(await retire(scene.context, place, fingerprint))
  const [key] = await walletKeyStore(scene.pool).list(place)
  assert.equal(key?.state, 'retired')
  assert.equal(key?.privateSealed, null)
  assert.equal(key?.fingerprint, fingerprint)
  assert.equal(await openPrivateKey(scene.context.vault, key ?? assert.fail()), null)
  requireEntered(await add(place, 'one'))
})

test('a current key cannot be retired while a next one waits, because no key would be current', async () => {
  const place = await placeWithSettings()
  const current = requireEntered(await add(place, 'one'))
  requireEntered(await add(place, 'two'))
  assert.equal(faultsOf(await retire(scene.context, place, current.fingerprint)).length, 1)
})

test('of two simultaneous additions one is refused, so that there is never a third key', async () => {
  const place = await placeWithSettings()
  requireEntered(await add(place, 'one'))
  const answers = await Promise.all([add(place, 'two'), add(place, 'three')])
  assert.equal(answers.filter(({ ok }) => ok).length, 1)
})

test('a generated pair has a certificate request that OpenSSL accepts, and its certificate is entered later', async () => {
  const place = await placeWithSettings()
  for (const type of ['EC', 'RSA'] as const) {
    const { request } = requireEntered(await generateKey(scene.context, place, 'processing', type))
    const text = execFileSync('openssl', ['req', '-verify', '-noout', '-subject'], {
      input: request ?? '',
      stdio: 'pipe',
    })
    assert.match(String(text), new RegExp(merchantIdentifier))
  }
  assert.deepEqual(await states(place), ['current', 'next'])
})

test('wallet A generates no pair without an identifier for the certificate request; wallet B needs none', async () => {
  const place = await scene.place()
  requireEntered(await saveWallet(scene.context, place, { enabled: true }))
  assert.deepEqual(faultsOf(await generateKey(scene.context, place, 'processing', 'EC')), [
    'merchant_identifier: This value should not be blank.',
  ])
  const other = await scene.place({ wallet: 'walletbpay' })
  requireEntered(await saveWallet(scene.context, other, { enabled: true }))
  assert.equal(requireEntered(await generateKey(scene.context, other, 'processing', 'EC')).request, null)
})

test('an identity pair without its certificate is not promoted', async () => {
  const place = await placeWithSettings()
  requireEntered(await add(place, 'one', 'identity'))
  const { fingerprint } = requireEntered(await generateKey(scene.context, place, 'identity', 'EC'))
  assert.deepEqual(faultsOf(await promote(scene.context, place, fingerprint)), [
    'certificate: This value should not be blank.',
  ])
})

test('a certificate is added to the active key that it belongs to, and to no other', async () => {
  const place = await placeWithSettings()
  const { privateKey, certificate } = pairOf('one')
  requireEntered(await addKey(scene.context, place, 'processing', { privateKey }))
  assert.deepEqual(faultsOf(await addCertificate(scene.context, place, 'processing', pairOf('two').certificate)), [
    'processing_certificate: The certificate does not belong to the key.',
  ])
  const key = requireEntered(await addCertificate(scene.context, place, 'processing', certificate))
  assert.equal(key.certificateUntil?.toISOString(), '2035-01-01T00:00:00.000Z')
})

test('wallet B and the platform rotate in the same way', async () => {
  const walletB = await scene.place({ wallet: 'walletbpay' })
  requireEntered(await saveWallet(scene.context, walletB, { enabled: true }))
  requireEntered(await savePlatform(scene.context, { merchantIdentifier }))
  for (const place of [walletB, platformRecordKey('walletapay')]) {
    requireEntered(await addKey(scene.context, place, 'processing', { privateKey: pairOf('one').privateKey }))
    const next = requireEntered(
      await addKey(scene.context, place, 'processing', { privateKey: pairOf('two').privateKey }),
    )
    requireEntered(await promote(scene.context, place, next.fingerprint))
    assert.deepEqual(await states(place), ['retiring', 'current'])
  }
})

test('a rotation is in the history with the fingerprints of both keys', async () => {
  const place = await placeWithSettings()
  const old = requireEntered(await add(place, 'one'))
  const next = requireEntered(await add(place, 'two'))
  scene.passDays(1)
  requireEntered(await promote(scene.context, place, next.fingerprint))
  const [change] = await walletHistoryStore(scene.pool).list(place.merchantId, 'walletapay')
  assert.deepEqual(change?.details, { current: next.fingerprint, previous: old.fingerprint })
})
