/** Chapter 40 §2, through the platform, step 2: the merchant is informed when its wallet becomes `announceLive`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { walletDomainStore } from '#server/store/wallets/wallet-domains.ts'
import { addDomains } from '#server/wallets/setup/wallet-domains.ts'
import { saveWallet } from '#server/wallets/setup/wallets.ts'
import { merchantIdentifier, openWalletSetup, pairOf, requireEntered } from '../../../test/wallets/wallet-setup.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import { announce } from './announcement.ts'

let scene: Awaited<ReturnType<typeof openWalletSetup>>
before(async () => {
  scene = await openWalletSetup()
})
after(() => scene.drop())

test('the merchant is informed once, and again only after the wallet had stopped', async () => {
  const mails: string[] = []
  const mail = {
    alert: async () => {},
    announceLive: async ({ merchantId }: WalletRecordKey) => void mails.push(merchantId),
  }
  const look = async (place: WalletRecordKey): Promise<number> => {
    await announce(scene.pool, mail, place, scene.clock.now())
    return mails.length
  }
  const place = await scene.place()
  assert.equal(await look(place), 0)
  const [identity, processing] = [pairOf('identity'), pairOf('processing')]
  const settings = {
    enabled: true,
    merchantIdentifier,
    country: 'US',
    shopName: 'Shop',
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa'],
    privateKey: identity.privateKey,
    certificate: identity.certificate,
    processingPrivateKey: processing.privateKey,
    processingCertificate: processing.certificate,
  }
  requireEntered(await saveWallet(scene.context, place, settings))
  assert.equal(await look(place), 0)

  const wishes = { purpose: 'production', controlledBy: 'merchant' } as const
  await addDomains(scene.context, { merchantId: place.merchantId, wallet: 'walletapay' }, 'shop.example', wishes)
  const domains = walletDomainStore(scene.pool)
  const become = async (state: 'verified' | 'failing'): Promise<void> => {
    const domain = await domains.find(place.merchantId, 'walletapay', 'shop.example')
    if (domain) await domains.put({ ...domain, state })
  }
  await become('verified')
  assert.equal(await look(place), 1)
  assert.equal(await look(place), 1)
  await become('failing')
  assert.equal(await look(place), 1)
  await become('verified')
  assert.equal(await look(place), 1)

  requireEntered(await saveWallet(scene.context, place, { enabled: false }))
  assert.equal(await look(place), 1)
  requireEntered(await saveWallet(scene.context, place, { enabled: true }))
  assert.equal(await look(place), 2)
})
