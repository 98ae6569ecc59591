/** The flow of a wallet payment on Checkout, and what the page offers for it. Chapter 40 §9, §10. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { type AccountMid, openAccount } from '../../account.ts'
import { assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'
import { disableWallet, enableWallet, newKey, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const checkout = new CheckoutClient(shop)

const noFlow: AccountMid = { cardFlow: false, acceptsDecrypted: false }
const forwardingMid: AccountMid = { cardFlow: true, acceptsDecrypted: false }
const decryptingMid: AccountMid = { cardFlow: true, acceptsDecrypted: true }

async function account(
  wallet: WalletDevice['wallet'],
  key: boolean,
  mids: readonly AccountMid[],
): Promise<WalletDevice> {
  const merchant = await openAccount(shop, { mids })
  await shop.configure(
    `insert into protocol_mappings (merchant_id, protocol, enabled, options)
     select id, 'CHECKOUT', true, '{"addToCallback": ["checkout_payment_method"]}' from merchants where name = $1`,
    [merchant],
  )
  return enableWallet(shop, { wallet, merchant, key: key ? newKey() : null })
}

const openSession = ({ wallet, as: { merchant } }: WalletDevice, over: Body = {}) =>
  checkout.session({ methods: [wallet], ...over }, { merchant })

async function payByWallet({ wallet, as: { merchant } }: WalletDevice, wallet_token: string): Promise<string> {
  const payer = await Payer.at(shop, { methods: [wallet] }, { merchant })
  const { result, payment_id } = await payer.payAndExpectSuccess({
    method: wallet,
    card: undefined,
    wallet_token,
    customer: {},
  })
  assert.equal(result, 'success')
  return payment_id
}

async function readStored(paymentId: string) {
  const { rows } = await shop.base.pool.query(
    `select facts -> 'wallet' ->> 'flow' as flow, card_mask, card_id is not null as kept from payments where id = $1`,
    [paymentId],
  )
  return rows[0]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const notSupported = [204018, 'Payment digital wallet not supported'] as const

// biome-ignore format: a table is read in columns.
const rows = [
  // K      MIDs                what they can do                         flow
  [ false,  [noFlow],           'no card flow',                          'virtual'   ],
  [ false,  [decryptingMid],           'card flow, decrypted data',             'virtual'   ],
  [ true,   [noFlow],           'no card flow',                          'virtual'   ],
  [ true,   [forwardingMid],          'card flow',                             'passed_on' ],
  [ true,   [decryptingMid],           'card flow, decrypted data',             'decrypted' ],
  [ true,   [noFlow, forwardingMid],  'no card flow | card flow',              'passed_on' ],
  [ true,   [forwardingMid, decryptingMid],  'card flow | card flow, decrypted data', 'decrypted' ],
] as const

for (const wallet of ['walletapay', 'walletbpay'] as const) {
  for (const [key, mids, can, flow] of rows) {
    test(`${wallet}, ${key ? 'a key' : 'no key'}, MIDs with ${can}: ${flow}, reported by its name`, async () => {
      const device = await account(wallet, key, mids)
      const token = await device.mint()
      const paymentId = await payByWallet(device, token)
      const opened = flow !== 'virtual'
      assert.deepEqual(await readStored(paymentId), {
        flow,
        card_mask: opened ? '400000******0018' : null,
        kept: opened,
      })
      const { digital_wallet, pan_type, checkout_payment_method } = (await checkout.lastCallback(paymentId)).fields
      assert.deepEqual(
        [digital_wallet, pan_type, checkout_payment_method],
        [wallet, opened ? 'DPAN' : undefined, wallet],
      )
      const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(paymentId)
      assert.equal(sale.wallet.token_sha256, flow === 'decrypted' ? undefined : sha256(token), 'byte for byte')
    })
  }

  test(`${wallet}: if no MID accepts it, or it is not set up, the session does not offer it`, async () => {
    const device = await account(wallet, true, [{ wallets: [] }])
    assertSingleError(await openSession(device), ...notSupported)
    const other = await account(wallet, true, [decryptingMid])
    await disableWallet(shop, { wallet, merchant: other.as.merchant })
    assertSingleError(await openSession(other), ...notSupported)
  })

  // Rule 7: both need the card number afterwards.
  for (const over of [{ auth: true }, { recurring_init: true }]) {
    test(`${wallet} with ${Object.keys(over)[0]} is offered in card flow only`, async () => {
      const mode = 'auth' in over ? ({ paymentMode: 'DMS' } as const) : {}
      for (const mid of [forwardingMid, decryptingMid]) {
        assert.equal((await openSession(await account(wallet, true, [{ ...mid, ...mode }]), over)).http, 200)
      }
      for (const [key, mid] of [
        [true, noFlow],
        [false, decryptingMid],
      ] as const) {
        const refused = await openSession(await account(wallet, key, [{ ...mid, ...mode }]), over)
        assert.equal(refused.http, 400, refused.text)
      }
    })
  }
}

// Chapter 40 §3: additional parameters of wallet B.
test('the address that the sheet of wallet B collected completes what the merchant sent', async () => {
  const device = await account('walletbpay', true, [decryptingMid])
  const billingAddress = {
    name: 'Jane Roe',
    address1: '1600 Amphitheatre Parkway',
    locality: 'Mountain View',
    administrativeArea: 'CA',
    postalCode: '94043',
    countryCode: 'US',
    phoneNumber: '+1 650-555-0100',
  }
  const data = (token: string): string => {
    const { paymentMethodData: method, ...rest } = JSON.parse(token)
    return JSON.stringify({ ...rest, paymentMethodData: { ...method, info: { ...method.info, billingAddress } } })
  }
  const payerWith = async (over: Body) => {
    const payer = await Payer.at(shop, { methods: ['walletbpay'], ...over }, { merchant: device.as.merchant })
    const wallet_token = data(await device.mint())
    const { payment_id } = await payer.payAndExpectSuccess({
      method: 'walletbpay',
      card: undefined,
      wallet_token,
      customer: {},
    })
    const { rows } = await shop.base.pool.query('select payer from payments where id = $1', [payment_id])
    return rows[0].payer
  }
  assert.partialDeepStrictEqual(await payerWith({ customer: {}, billing_address: {} }), {
    first_name: 'Jane',
    last_name: 'Roe',
    country: 'US',
    state: 'CA',
    city: 'Mountain View',
    address: '1600 Amphitheatre Parkway',
    zip: '94043',
    phone: '+1 650-555-0100',
  })
  const sent = { customer: { name: 'John Doe' }, billing_address: { city: 'Palo Alto', country: 'US' } }
  assert.partialDeepStrictEqual(await payerWith(sent), { first_name: 'John', city: 'Palo Alto', zip: '94043' })
})
