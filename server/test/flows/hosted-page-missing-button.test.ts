/** The recorded reason why a page shows no button of a wallet. Chapter 40 §17. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AccountMid, openAccount } from '../account.ts'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../checkout.ts'
import { Payer } from '../hosted-page.ts'
import { openShop } from '../shop.ts'
import { enableWallet, newKey } from '../wallet-hand.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)

/** `walletapay: no card 2`, of one merchant. */
async function recorded(merchant: string): Promise<readonly string[]> {
  const line = /buttons_missing_total\{wallet="(.*?)",reason="(.*?)",merchant="(.*?)"\} (\d+)/g
  const all = [...(await shop.service.metrics.text()).matchAll(line)]
  return all
    .filter(([, , , name]) => name === merchant)
    .map(([, wallet, reason, , count]) => `${wallet}: ${reason} ${count}`)
}

interface Account {
  readonly mid?: AccountMid
  /** Null: the merchant has no settings. */
  readonly wallet?: { readonly key: boolean; readonly enabled?: boolean } | null
  readonly domain?: boolean
}

async function account({ mid = {}, wallet = { key: true }, domain = true }: Account): Promise<string> {
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
  ['the wallet is not asked for',     { wallet: null },                             { methods: ['card'] },           null],
  ['the operation is another',        {},                                           { operation: 'debit' },          'not offered'],
  ['there are no settings',           { wallet: null },                             {},                              'not enabled'],
  ['the wallet is switched off',      { wallet: { key: true, enabled: false } },    {},                              'not enabled'],
  ['no MID accepts the wallet',       { mid: { wallets: [] } },                     {},                              'no mid'],
  ['a hold would be virtual',         { mid: virtual },                             { auth: true },                  'needs card flow'],
  ['the domain is nobody’s',          { domain: false },                            {},                              'domain unverified'],
  // Several at once: the first row of the chapter's table.
  ['switched off, and no MID',        { wallet: { key: true, enabled: false }, mid: { wallets: [] } }, {},           'not enabled'],
  ['no MID, and no domain',           { mid: { wallets: [] }, domain: false },      {},                              'no mid'],
]

for (const [what, wishes, over, reason] of rows) {
  test(`${what}: ${reason ?? 'nothing is recorded'}`, async () => {
    const merchant = await account(wishes)
    const payer = await Payer.at(shop, { methods: ['walletapay', 'card'], ...over }, { merchant })
    const { methods } = await payer.session()
    assert.equal(
      methods.some(({ code }: { code: string }) => code === 'walletapay'),
      reason === null && over['methods'] === undefined,
    )
    assert.deepEqual(await recorded(merchant), reason === null ? [] : [`walletapay: ${reason} 1`])
  })
}

const missing = (payer: Payer, body: Body) => payer.post('/page/v1/wallet-missing', body)

test('what a browser tells is recorded, a few times for each session and no more', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  const told = { wallet: 'walletapay', reason: 'no card' }
  for (let count = 0; count < 20; count += 1) assert.equal((await missing(payer, told)).http, 200)
  assert.deepEqual(await recorded(merchant), ['walletapay: no card 6'])
  const other = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  await missing(other, { wallet: 'walletapay', reason: 'frame' })
  assert.deepEqual(await recorded(merchant), ['walletapay: no card 6', 'walletapay: frame 1'])
})

test('a browser tells nothing but a wallet and a reason of its own rows', async () => {
  const merchant = await account({})
  const payer = await Payer.at(shop, { methods: ['walletapay', 'card'] }, { merchant })
  const notChoice = 'The value you selected is not a valid choice.'
  assertRows(await missing(payer, {}), [`wallet: ${notChoice}`, `reason: ${notChoice}`])
  for (const reason of ['lapsed', 'jane@example.com', 7])
    assertRows(await missing(payer, { wallet: 'walletapay', reason }), [`reason: ${notChoice}`])
  assert.deepEqual(await recorded(merchant), [])
  const stranger = new Payer(checkout, 'nobody')
  const refused = await missing(stranger, { wallet: 'walletapay', reason: 'frame' })
  assert.deepEqual([refused.http, refused.body.error_message], [401, 'Session token is not valid.'])
})

test('a wallet that went since the page was drawn is refused by 204018, one that was never there by 204004', async () => {
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
