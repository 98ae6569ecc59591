import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { walletSettingsStore } from '#server/store/wallets/wallet-settings.ts'
import { viewWallet } from '#server/wallets/setup/wallet-view.ts'
import { openShop, type Shop } from '../../test/shop.ts'
import { openWalletSetup, silentLog } from '../../test/wallets/wallet-setup.ts'
import { ensureDemoData } from './demo-data.ts'
import { demoMerchants } from './demo-tables.ts'

let shop: Shop
before(async () => {
  shop = await openShop({}, ['wallet'])
})
after(() => shop[Symbol.asyncDispose]())

test('every demo merchant but one has both wallets live in both modes at once', async () => {
  const { pool, clock } = shop.base
  const names = new Map((await merchantStore(pool).list()).map(({ id, name }) => [id, name]))
  const settings = await walletSettingsStore(pool).list()
  const owners = new Set(settings.map(({ merchantId }) => names.get(merchantId)))
  const expected = demoMerchants.filter(({ wallets }) => wallets !== 'none').map(({ name }) => name)
  assert.deepEqual(owners, new Set(expected))
  for (const place of settings) {
    const view = await viewWallet(pool, place, clock.now())
    assert.equal(view?.state, 'live', `${names.get(place.merchantId)} ${place.wallet}: ${view?.reasons.join(' ')}`)
    const decrypts = view.keys.some(({ role, state }) => role === 'processing' && state === 'current')
    assert.equal(decrypts, names.get(place.merchantId) !== 'demo-wallet-virtual')
  }
})

test('the next expiring certificate is a metric, by wallet and role', async () => {
  const { body } = await shop.service.app.inject('/metrics')
  const days = /gatehouse_wallet_certificate_days_left\{wallet="walletapay",role="identity"\} ([0-9.]+)/.exec(body)?.[1]
  assert.ok(Number(days) > 30, `${days} days`)
})

test('a probe of the session service succeeds and is repeated a day later', async () => {
  const due = async () => {
    const { rows } = await shop.base.pool.query<{ next: Date }>('select min(probe_at) as next from wallet_watches')
    return rows[0]?.next ?? assert.fail()
  }
  const before = await due()
  await shop.advance(25 * 3_600_000)
  assert.ok((await due()) > before)
  const { rows } = await shop.base.pool.query("select text from alerts where kind = 'wallet session failing'")
  assert.deepEqual(rows, [])
})

test('if the sandbox does not answer, the demo data is still created and the failure is logged', async () => {
  const scene = await openWalletSetup()
  const said: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void said.push(message) }
  await ensureDemoData({ ...scene.context, log }, 'http://127.0.0.1:1')
  assert.equal((await merchantStore(scene.pool).list()).length, demoMerchants.length)
  assert.match(String(said), /not set up because the sandbox did not answer/)
  await scene.drop()
})
