/** The recorded reason why a page shows no wallet button. Chapter 40 §17. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AccountMid, openAccount } from '../../account.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'
import { enableWallet, newKey } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)

/** `walletapay: no card 2`, of one merchant. */
async function readRecorded(merchant: string): Promise<readonly string[]> {
  const line = /buttons_missing_total\{wallet="(.*?)",reason="(.*?)",merchant="(.*?)"\} (\d+)/g
  const all = [...(await shop.service.metrics.composeText()).matchAll(line)]
  return all
    .filter(([, , , name]) => name === merchant)
    .map(([, wallet, reason, , count]) => `${wallet}: ${reason} ${count}`)
}

interface Account {
  readonly mid?: AccountMid
  /** Null: the merchant has no settings. */
  readonly wallet?: { readonly key: boolean; readonly enabled?: boolean } | null
  readonly domain?: boolean
  /** The expiry date of the certificate of its processing key. */
  readonly ended?: string
  /** A field that is missing in the settings. */
  readonly without?: string
  readonly identity?: boolean
}

async function account(wishes: Account): Promise<string> {
  const { mid = {}, wallet = { key: true }, domain = true, ended, without = '', identity = true } = wishes
  const merchant = await openAccount(shop, { mids: [mid] })
  await shop.configure(
    `insert into protocol_mappings (merchant_id, protocol, enabled, options)
     select id, 'CHECKOUT', true, '{}' from merchants where name = $1`,
    [merchant],
  )
  if (wallet)
    await enableWallet(shop, {
      wallet: 'walletapay',
      merchant,
      key: wallet.key ? newKey() : null,
      enabled: wallet.enabled ?? true,
    })
  if (ended)
    await shop.configure(
      `update wallet_keys set certificate = 'PEM', certificate_until = $2
       where role = 'processing' and merchant_id = (select id from merchants where name = $1)`,
      [merchant, ended],
    )
  await shop.configure(
    'update wallet_settings set fields = fields - $2 where merchant_id = (select id from merchants where name = $1)',
    [merchant, without],
  )
  if (!identity)
    await shop.configure(
      `delete from wallet_keys where role = 'identity' and merchant_id = (select id from merchants where name = $1)`,
      [merchant],
    )
  if (domain)
    await shop.configure(
      `insert into wallet_domains (merchant_id, wallet, domain, purpose, controlled_by, state, added_at)
       select id, 'walletapay', 'localhost', 'test', 'operator', 'verified', now()
       from merchants where name = $1`,
      [merchant],
    )
  return merchant
}

const virtual: AccountMid = { cardFlow: false, acceptsDecrypted: false }

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [what: string, account: Account, session: Body, reason: string | null])[] = [
  // what                             account                                       session                          reason
  ['everything holds',                {},                                           {},                              null],
  ['no method is named',              { mid: { wallets: ['walletapay'] } },         { methods: [] },                 null],
  ['the wallet is not asked for',     { wallet: null },                             { methods: ['card'] },           null],
  ['the operation is another',        {},                                           { operation: 'debit' },          'not offered'],
  ['there are no settings',           { wallet: null },                             {},                              'not enabled'],
  ['the wallet is switched off',      { wallet: { key: true, enabled: false } },    {},                              'not enabled'],
  ['its certificate is over',         { ended: '2020-01-01' },                      {},                              'lapsed'],
  ['there is no Country',             { without: 'country' },                       {},                              'incomplete'],
  ['there is no identity pair',       { identity: false },                          {},                              'incomplete'],
  ['no MID accepts the wallet',       { mid: { wallets: [] } },                     {},                              'no mid'],
  ['a chain would be virtual',        { wallet: { key: false } },                   { recurring_init: true },        'needs card flow'],
  ['a hold would be virtual',         { mid: virtual },                             { auth: true },                  'needs card flow'],
  ['the domain is nobody’s',          { domain: false },                            {},                              'domain unverified'],
  // Several reasons at once: the first row of the chapter's table is recorded.
  ['switched off, and no MID',        { wallet: { key: true, enabled: false }, mid: { wallets: [] } }, {},           'not enabled'],
  ['no Country, and no MID',          { without: 'country', mid: { wallets: [] } }, {},                              'incomplete'],
  ['no MID, and no domain',           { mid: { wallets: [] }, domain: false },      {},                              'no mid'],
]

for (const [what, wishes, over, reason] of rows) {
  test(`${what}: ${reason ?? 'nothing is recorded'}`, async () => {
    const merchant = await account(wishes)
    const payer = await Payer.at(shop, { methods: ['walletapay', 'card'], ...over }, { merchant })
    const { methods } = await payer.session()
    assert.equal(
      methods.some(({ code }: { code: string }) => code === 'walletapay'),
      reason === null && !/card/.test(String(over['methods'])),
    )
    assert.deepEqual(await readRecorded(merchant), reason === null ? [] : [`walletapay: ${reason} 1`])
  })
}

test('a page over http has no button, except on localhost: no https', async () => {
  const merchant = await account({})
  const { token } = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  const headers = { token, host: 'shop.example', accept: 'application/json' }
  const reply = await shop.service.app.inject({ url: '/page/v1/session', headers })
  assert.equal(reply.statusCode, 200, reply.body)
  assert.deepEqual(await readRecorded(merchant), ['walletapay: no https 1'])
})

const reportMissing = (payer: Payer, body: Body) => payer.post('/page/v1/wallet-missing', body)

test('reasons from browsers are recorded, at most a few times per session', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  const report = { wallet: 'walletapay', reason: 'no card' }
  for (let count = 0; count < 20; count += 1) assert.equal((await reportMissing(payer, report)).http, 200)
  assert.deepEqual(await readRecorded(merchant), ['walletapay: no card 6'])
  const other = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  await reportMissing(other, { wallet: 'walletapay', reason: 'frame' })
  assert.deepEqual(await readRecorded(merchant), ['walletapay: no card 6', 'walletapay: frame 1'])
})

test('recorded reasons are stored by day, counted, with their source', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  for (let count = 0; count < 3; count += 1) await reportMissing(payer, { wallet: 'walletapay', reason: 'no card' })
  const readReasons = async () =>
    (
      await shop.base.pool.query<{ side: string; wallet: string; reason: string; source: string; count: number }>(
        // Added up, because a run may go past midnight.
        `select side, wallet, reason, source, sum(count)::int as count from missing_buttons
         where merchant_id = (select id from merchants where name = $1) group by side, wallet, reason, source`,
        [merchant],
      )
    ).rows
  // They are written after the answers, one by one.
  for (let tries = 0; tries < 600 && ((await readReasons())[0]?.count ?? 0) < 3; tries += 1) await sleep(100)
  assert.deepEqual(await readReasons(), [
    { side: 'live', wallet: 'walletapay', reason: 'no card', source: 'browser', count: 3 },
  ])
})

test('a browser can report only an offered wallet and the reasons of its own rows', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  const notChoice = 'The value you selected is not a valid choice.'
  assertRows(await reportMissing(payer, {}), [`wallet: ${notChoice}`, `reason: ${notChoice}`])
  for (const reason of ['lapsed', 'jane@example.com', 7])
    assertRows(await reportMissing(payer, { wallet: 'walletapay', reason }), [`reason: ${notChoice}`])
  assert.deepEqual(await readRecorded(merchant), [])
  const stranger = new Payer(checkout, 'nobody')
  const refused = await reportMissing(stranger, { wallet: 'walletapay', reason: 'frame' })
  assert.deepEqual([refused.http, refused.body.error_message], [401, 'Session token is not valid.'])
})

test('a wallet that was removed since the page was loaded is refused by 204018, one that was never offered by 204004', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  await shop.configure(
    'update wallet_settings set enabled = false where merchant_id = (select id from merchants where name = $1)',
    [merchant],
  )
  const pay = (method: string) => payer.pay({ method, card: undefined, wallet_token: '{}', customer: {} })
  assertSingleError(await pay('walletapay'), 204018, 'Payment digital wallet not supported')
  assertSingleError(await pay('walletbpay'), 204004, 'Payment method not supported.')
})

const fill = (merchant: string, wallet: string, fields: Body): Promise<void> =>
  shop.configure(
    `update wallet_settings set fields = fields || $3::jsonb
     where wallet = $2 and merchant_id = (select id from merchants where name = $1)`,
    [merchant, wallet, JSON.stringify(fields)],
  )

const shownTo = async (merchant: string, wallet: string) => {
  const payer = await Payer.at(shop, { methods: [wallet] }, { merchant })
  const { script, application_data, ...button } = (await payer.session()).methods[0].wallet
  return { script, application_data, told: button }
}

// Chapter 40 §17, "Request" and "Wallet B button"; §3.
test('wallet A’s button has the settings, and the networks that a MID supports as well', async () => {
  const merchant = await account({ mid: { networks: ['visa', 'amex'] } })
  const settings = { country: 'DE', shopName: 'Shoes', merchantCapabilities: ['supports3DS', 'supportsDebit'] }
  await fill(merchant, 'walletapay', { ...settings, supportedNetworks: ['masterCard', 'visa'] })
  const { told: button, application_data } = await shownTo(merchant, 'walletapay')
  assert.deepEqual(button, {
    country_code: 'DE',
    shop_name: 'Shoes',
    supported_networks: ['visa'],
    sandbox: true,
    merchant_public_id: shop.service.configuration.byKey(shop.merchant(merchant).key)?.merchant.id,
    merchant_identifier: 'merchant.example.flows',
    merchant_capabilities: ['supports3DS', 'supportsDebit'],
  })
  assert.notEqual(
    application_data,
    (await shownTo(merchant, 'walletapay')).application_data,
    'each session has its own',
  )
})

test('wallet B’s button has gateway and public id, or the values of the settings instead', async () => {
  const merchant = await account({ wallet: null })
  await enableWallet(shop, { wallet: 'walletbpay', merchant })
  const settings = { country: 'DE', shopName: 'Shoes', authMethods: ['PAN_ONLY'], supportedNetworks: ['VISA'] }
  await fill(merchant, 'walletbpay', { ...settings, merchantIdentifier: 'BCR2' })
  const id = shop.service.configuration.byKey(shop.merchant(merchant).key)?.merchant.id
  const usual = {
    country_code: 'DE',
    shop_name: 'Shoes',
    supported_networks: ['VISA'],
    sandbox: true,
    merchant_public_id: id,
    environment: 'PRODUCTION',
    merchant_identifier: 'BCR2',
    gateway: 'gatehouse',
    gateway_merchant_id: id,
    auth_methods: ['PAN_ONLY'],
    billing_address: false,
    phone: false,
  }
  assert.deepEqual((await shownTo(merchant, 'walletbpay')).told, usual)
  await fill(merchant, 'walletbpay', { gateway: 'other', gatewayMerchantId: 'me', billingAddress: true, phone: true })
  const other = { gateway: 'other', gateway_merchant_id: 'me', billing_address: true, phone: true }
  assert.deepEqual((await shownTo(merchant, 'walletbpay')).told, { ...usual, ...other })
})
