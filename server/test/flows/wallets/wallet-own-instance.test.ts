/** The rows of Chapter 40 §19.2 that need an instance with its own settings: a denied serial, only expired root keys, a live instance. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { refusedTokenStore } from '#server/store/wallets/refused-tokens.ts'
import { intermediate, leaf, reissue } from '#server/wallets/tokens/testing/authority.ts'
import { keyList } from '#server/wallets/tokens/testing/wallet-b.ts'
import { Apm } from '../../apm.ts'
import { assertRefused } from '../../payments.ts'
import { type Answer, openShop, type Shop } from '../../shop.ts'
import { enableWallet, type MintOptions, type WalletDevice } from '../../wallets/wallet-device.ts'
import { deviceTokenA, deviceTokenB, openProvider } from '../../wallets/wallet-provider.ts'

const deniedSerial = '1f'
/** November 2023, in the wallet provider's format. */
const longAgo = '1700000000000'
const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 7).toString('base64') } }

const oldProvider = await openProvider(keyList(undefined, longAgo))
const strict = await openShop({ ...oldProvider.settings, WALLET_DENIED_SERIALS: deniedSerial })
const provider = await openProvider()
const live = await openShop({ ...provider.settings, GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: JSON.stringify(keys) })
after(async () => {
  for (const open of [strict, oldProvider, live, provider]) await open[Symbol.asyncDispose]()
})

/** Card flow on both protocols, and virtual flow, each with its own token; returns the checks that refused them. */
async function refusals(
  wallet: WalletDevice['wallet'],
  shop: Shop,
  token: (device: WalletDevice) => Promise<string> | string,
) {
  const plan = { wallet, trustSource: 'wallet maker' } as const
  const payments = await paymentsOf(shop)
  const device = await enableWallet(shop, plan)
  assertExpired(await device.sale(await token(device), { order_id: 'CARD' }))
  assertExpired(await payAsBrand(device, await token(device), 'BRAND'))
  const closed = await enableWallet(shop, { ...plan, key: null })
  assertExpired(await payAsBrand(closed, await token(closed), 'VIRTUAL'))
  assert.equal(await paymentsOf(shop), payments, 'no payment')
  return Promise.all(['CARD', 'BRAND', 'VIRTUAL'].map((orderId) => findFailedCheck(shop, orderId)))
}

const assertExpired = (answer: Answer) => assertRefused(answer, 250003, 'The payment token signature has expired')

function payAsBrand(device: WalletDevice, token: string, order_id: string): Promise<Answer> {
  const wallet = { brand: device.wallet, identifier: 'payer@example.com', 'parameters[paymentToken]': token }
  return new Apm(device.shop).sale({ ...wallet, order_id })
}

async function findFailedCheck({ base }: Shop, orderId: string): Promise<string | undefined> {
  const [latest] = await refusedTokenStore(base.pool, base.ids).find({ orderId })
  return latest?.record.checks.find(({ result }) => result === 'failed')?.id
}

async function paymentsOf({ base }: Shop): Promise<number> {
  const { rows } = await base.pool.query<{ count: number }>('select count(*)::int as count from payments')
  return rows[0]?.count ?? 0
}

test('30, denied-serial: a leaf in the deny list is refused by A6 in both flows, another of the same provider pays', async () => {
  const denied = reissue(leaf, { serial: BigInt(`0x${deniedSerial}`) })
  const by = { certificates: [denied, intermediate], signer: denied }
  assert.deepEqual(await refusals('walletapay', strict, (device) => deviceTokenA(device, by)), ['A6', 'A6', 'A6'])
  const device = await enableWallet(strict, { wallet: 'walletapay', trustSource: 'wallet maker' })
  assert.equal((await device.sale(deviceTokenA(device))).body.result, 'SUCCESS')
})

for (const version of ['ECv1', 'ECv2'] as const) {
  test(`66, b-root-expired: with only expired root keys ${version} is refused by B2 in both flows`, async () => {
    const found = await refusals('walletbpay', strict, (device) => deviceTokenB(device, version))
    assert.deepEqual(found, ['B2', 'B2', 'B2'])
  })
}

// biome-ignore format: a table is read in columns.
const sandboxTokens = [
  // wallet       version   check
  ['walletapay', 'EC_v1',   'A6'],
  ['walletbpay', 'ECv2',    'B3'],
  ['walletbpay', 'ECv1',    'B5'],
] as const

for (const [wallet, version, check] of sandboxTokens) {
  test(`81, sandbox-on-live: a valid ${version} of the sandbox is refused by ${check} on a live instance`, async () => {
    const wishes: MintOptions = { version }
    assert.deepEqual(await refusals(wallet, live, (device) => device.mint(wishes)), [check, check, check])
  })
}

test('81, sandbox-on-live: the alert is raised for both wallets, and real devices pay there', async () => {
  const { rows } = await live.base.pool.query(
    "select text from alerts where kind = 'sandbox token on live' order by text",
  )
  assert.deepEqual(
    rows.map(({ text }) => text.slice(0, 'A walletapay'.length)),
    ['A walletapay', 'A walletbpay'],
  )
  const a = await enableWallet(live, { wallet: 'walletapay', trustSource: 'wallet maker' })
  assert.equal((await a.sale(deviceTokenA(a))).body.result, 'SUCCESS')
  for (const version of ['ECv1', 'ECv2'] as const) {
    const b = await enableWallet(live, { wallet: 'walletbpay', trustSource: 'wallet maker' })
    assert.equal((await b.sale(deviceTokenB(b, version))).body.result, 'SUCCESS')
  }
})
