/** Chapter 40 §2, through the platform, steps 1, 2 and 4: a task list with a state per step, done by hand or by a registrar. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { WalletRecordKey } from '#server/contracts/wallet-records.ts'
import { walletDomainStore } from '#server/store/wallets/wallet-domains.ts'
import { manualRegistrar, type Registrar, type Registration } from '#server/wallets/accounts/registrar.ts'
import {
  faultsOf,
  merchantIdentifier,
  openWalletSetup,
  pairOf,
  requireEntered,
} from '../../../test/wallets/wallet-setup.ts'
import { addDomains } from './wallet-domains.ts'
import { savePlatform, savePlatformFile } from './wallet-platform.ts'
import { completeTask, registerAtProvider } from './wallet-registration.ts'
import { listPlatformTasks } from './wallet-tasks.ts'
import { viewWallet } from './wallet-view.ts'
import { saveWallet } from './wallets.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

const states = async (place: WalletRecordKey): Promise<string> =>
  ((await listPlatformTasks(scene.pool, place, scene.clock.now())) ?? [])
    .map(({ name, state }) => `${name} ${state}`)
    .join()
const missing = async (place: WalletRecordKey, task: string) =>
  (await listPlatformTasks(scene.pool, place, scene.clock.now()))?.find(({ name }) => name === task)?.missing

async function newMerchant(): Promise<WalletRecordKey> {
  const place = await scene.place()
  requireEntered(await saveWallet(scene.context, place, { setup: 'platform' }))
  return place
}
async function sendDetails(place: WalletRecordKey, domain: string): Promise<void> {
  requireEntered(await saveWallet(scene.context, place, { shopName: 'Shop', country: 'DE' }))
  await addDomains(scene.context, { merchantId: place.merchantId, wallet: 'walletapay' }, domain, {
    purpose: 'production',
    controlledBy: 'merchant',
  })
}
async function verify({ merchantId }: WalletRecordKey, host: string): Promise<void> {
  const store = walletDomainStore(scene.pool)
  const domain = await store.find(merchantId, 'walletapay', host)
  if (domain) await store.put({ ...domain, state: 'verified' })
}
async function setUpPlatform(): Promise<void> {
  const [identity, processing] = [pairOf('platform identity'), pairOf('platform processing')]
  requireEntered(
    await savePlatform(scene.context, {
      merchantIdentifier,
      privateKey: identity.privateKey,
      certificate: identity.certificate,
      processingPrivateKey: processing.privateKey,
      processingCertificate: processing.certificate,
    }),
  )
  requireEntered(await savePlatformFile(scene.context, Buffer.from('file')))
}

test('a merchant completes the list by hand, one task after another, and is live at its end', async () => {
  const place = await newMerchant()
  assert.equal(
    await states(place),
    'details open,platform open,merchant waiting,domains waiting,files waiting,confirm waiting',
  )
  assert.deepEqual(await missing(place, 'details'), ['a domain', 'Shop name', 'Country'])
  assert.deepEqual(faultsOf(await completeTask(scene.context, place, { task: 'confirm' })), [
    'task: Complete the earlier task first.',
  ])
  await sendDetails(place, 'by-hand.example')
  await setUpPlatform()
  assert.equal(
    await states(place),
    'details done,platform done,merchant open,domains waiting,files open,confirm waiting',
  )

  assert.match(
    String(faultsOf(await registerAtProvider(scene.context, manualRegistrar, place))),
    /then mark "merchant"/,
  )
  assert.deepEqual(faultsOf(await completeTask(scene.context, place, { task: 'merchant' })), [
    'merchant_identifier: This value should not be blank.',
  ])
  requireEntered(
    await completeTask(scene.context, place, { task: 'merchant', merchantIdentifier: 'merchant.assigned.one' }),
  )
  assert.deepEqual(await missing(place, 'domains'), ['by-hand.example'])
  requireEntered(await completeTask(scene.context, place, { task: 'domains' }))
  assert.match(String(faultsOf(await completeTask(scene.context, place, { task: 'files' }))), /completed automatically/)
  await verify(place, 'by-hand.example')
  requireEntered(await completeTask(scene.context, place, { task: 'confirm' }))
  assert.doesNotMatch(await states(place), /open|waiting/)
  assert.equal((await viewWallet(scene.pool, place, scene.clock.now()))?.state, 'live')
})

test('a new domain reopens its tasks', async () => {
  const place = await newMerchant()
  await sendDetails(place, 'first.example')
  requireEntered(
    await completeTask(scene.context, place, { task: 'merchant', merchantIdentifier: 'merchant.assigned.two' }),
  )
  requireEntered(await completeTask(scene.context, place, { task: 'domains' }))
  await verify(place, 'first.example')
  await sendDetails(place, 'second.example')
  assert.deepEqual(await missing(place, 'domains'), ['second.example'])
  assert.deepEqual(await missing(place, 'files'), ['second.example'])
})

test('a registrar registers the merchant and all platform domains, and keeps the identifier', async () => {
  const place = await newMerchant()
  const seen: Registration[] = []
  const registrar: Registrar = {
    name: 'sandbox',
    register: async (registration) => {
      seen.push(registration)
      return 'registered'
    },
  }
  assert.deepEqual(faultsOf(await registerAtProvider(scene.context, registrar, place)), [
    'details: Still missing: a domain, Shop name, Country.',
  ])
  await sendDetails(place, 'third.example')
  requireEntered(await registerAtProvider(scene.context, registrar, place))
  requireEntered(await registerAtProvider(scene.context, registrar, place))
  const identifier = `${merchantIdentifier}.${place.merchantId}.live`
  assert.deepEqual(
    seen.map((one) => [one.merchantIdentifier, one.domains]),
    [
      [identifier, ['third.example']],
      [identifier, ['third.example']],
    ],
  )
  assert.deepEqual(seen[0]?.platform.merchantIdentifier, merchantIdentifier)
  assert.ok(seen[0]?.platform.domains.includes('by-hand.example'))
  assert.match(await states(place), /merchant done,domains done/)
})

test('a refusal by the wallet provider leaves the tasks open, and an own-account merchant has no list', async () => {
  const place = await newMerchant()
  await sendDetails(place, 'fourth.example')
  const refusing: Registrar = { name: 'sandbox', register: async () => ({ fault: 'It answered 500.' }) }
  assert.deepEqual(faultsOf(await registerAtProvider(scene.context, refusing, place)), [
    'registration: The wallet provider refused the registration: It answered 500.',
  ])
  assert.match(await states(place), /merchant open/)
  const own = await scene.place()
  requireEntered(await saveWallet(scene.context, own, { merchantIdentifier }))
  assert.equal(await listPlatformTasks(scene.pool, own, scene.clock.now()), null)
  assert.deepEqual(faultsOf(await completeTask(scene.context, own, { task: 'confirm' })), [
    'setup: The merchant does not use the platform setup.',
  ])
})
