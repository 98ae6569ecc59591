/** The flow of a wallet payment, its MID, and what each flow stores. Chapter 40 §9, §10. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import type { AccountMid } from '../../account.ts'
import { Apm, openApmAccount } from '../../apm.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { type Answer, openShop } from '../../shop.ts'
import { disableWallet, enableWallet, newKey, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)

const noFlow: AccountMid = { cardFlow: false, acceptsDecrypted: false }
const forwardingMid: AccountMid = { cardFlow: true, acceptsDecrypted: false }
const decryptingMid: AccountMid = { cardFlow: true, acceptsDecrypted: true }
const noCardFlow = [250002, 'Payment token can not be processed in card flow.'] as const
const notSupported = [204018, 'Payment digital wallet not supported'] as const

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** S2S APM: the wallet is the brand. */
function payAsBrand(device: WalletDevice, token: string): Promise<Answer> {
  return apm.sale(
    { brand: device.wallet, identifier: 'payer@example.com', 'parameters[paymentToken]': token },
    { merchant: device.as.merchant },
  )
}

async function readStored(transId: string) {
  const { rows } = await shop.base.pool.query(
    `select card_id, pan10, card_mask, facts -> 'wallet' as wallet, routing, m.name as mid
     from payments join mids m on m.id = mid_id where payments.id = $1`,
    [transId],
  )
  const { rows: secrets } = await shop.base.pool.query('select purpose from payment_secrets where payment_id = $1', [
    transId,
  ])
  return { ...rows[0], secrets: secrets.length }
}

// biome-ignore format: a table is read in columns.
const rows = [
  // K      MIDs                flow on S2S APM  flow on S2S CARD
  [ false,  [noFlow],           'virtual',       null        ],
  [ false,  [forwardingMid],          'virtual',       null        ],
  [ false,  [decryptingMid],           'virtual',       null        ],
  [ true,   [noFlow],           'virtual',       null        ],
  [ true,   [forwardingMid],          'passed_on',     'passed_on' ],
  [ true,   [decryptingMid],           'decrypted',     'decrypted' ],
  [ true,   [noFlow, forwardingMid],  'passed_on',     'passed_on' ],
  [ true,   [forwardingMid, decryptingMid],  'decrypted',     'decrypted' ],
  [ true,   [noFlow, decryptingMid],   'decrypted',     'decrypted' ],
] as const

const midTitles = new Map<AccountMid, string>([
  [noFlow, 'no card flow'],
  [forwardingMid, 'card flow'],
  [decryptingMid, 'card flow, decrypted data'],
])

for (const wallet of ['walletapay', 'walletbpay'] as const) {
  for (const [key, mids, onApm, onCard] of rows) {
    const what = `${wallet}, ${key ? 'a key' : 'no key'}, MIDs with ${mids.map((mid) => midTitles.get(mid)).join(' | ')}`

    test(`${what}: ${onCard ?? 'refused'} on S2S CARD`, async () => {
      const device = await account(wallet, key, mids)
      const answer = await device.pay()
      if (onCard === null) return assertRefused(answer, ...noCardFlow)
      assert.equal(answer.body.result, 'SUCCESS')
      assert.equal((await readStored(answer.body.trans_id)).wallet.flow, onCard)
    })

    test(`${what}: ${onApm} on S2S APM`, async () => {
      const device = await account(wallet, key, mids)
      const token = await device.mint()
      const { body } = await payAsBrand(device, token)
      assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
      const stored = await readStored(body.trans_id)
      assert.equal(stored.wallet.flow, onApm)
      assert.deepEqual(
        [body.digital_wallet, body.pan_type, stored.card_mask],
        onApm === 'virtual' ? [wallet, undefined, null] : [wallet, 'DPAN', '400000******0018'],
      )
      assert.equal(stored.card_id !== null, onApm !== 'virtual')
      const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(body.trans_id)
      assert.equal(sale.wallet.token_sha256, onApm === 'decrypted' ? undefined : sha256(token), 'byte for byte')
      assert.equal(sale.wallet.cryptogram_sent, onApm === 'decrypted' ? true : undefined)
      assert.equal(stored.secrets, 0, 'what was kept for a second send is erased')
    })
  }
}

async function account(
  wallet: WalletDevice['wallet'],
  key: boolean,
  mids: readonly AccountMid[],
): Promise<WalletDevice> {
  const merchant = await openApmAccount(shop, { mids })
  return enableWallet(shop, { wallet, merchant, key: key ? newKey() : null })
}

test('no MID accepts the wallet: 204018 on both protocols', async () => {
  const device = await account('walletapay', true, [{ ...decryptingMid, wallets: ['walletbpay'] }])
  assertRefused(await device.pay(), ...notSupported)
  assertRefused(await payAsBrand(device, await device.mint()), ...notSupported)
})

test('a wallet that is not set up, or switched off, is 204018 on both protocols', async () => {
  const merchant = await openApmAccount(shop)
  const off = await enableWallet(shop, { wallet: 'walletapay', merchant, enabled: false })
  const token = await off.mint()
  assertRefused(await off.sale(token), ...notSupported)
  await disableWallet(shop, { wallet: 'walletapay', merchant })
  assertRefused(await off.sale(token), ...notSupported)
  assertRefused(await payAsBrand(off, token), ...notSupported)
})

test('of MIDs with decrypted data, the first by priority that supports the network is used', async () => {
  const device = await account('walletapay', true, [{ ...decryptingMid, networks: ['mastercard'] }, decryptingMid])
  const { body } = await device.pay()
  const stored = await readStored(body.trans_id)
  assert.match(stored.mid, /-2$/)
  assert.deepEqual(
    stored.routing.dropped.map(
      ({ name, midName }: { name: string; midName: string }) => `${name} ${midName.slice(-2)}`,
    ),
    ['network -1'],
  )
  const { body: other } = await device.pay({ card: 'approve-mc' })
  assert.match((await readStored(other.trans_id)).mid, /-1$/)
})

test('if no MID with card flow supports the network, S2S APM uses virtual flow and S2S CARD refuses', async () => {
  const device = await account('walletapay', true, [{ ...decryptingMid, networks: ['mastercard'] }, noFlow])
  const token = await device.mint()
  assertRefused(await device.sale(token), ...noCardFlow)
  const { body } = await payAsBrand(device, token)
  assert.deepEqual([body.result, body.pan_type], ['SUCCESS', undefined], 'and the refused request did not use it up')
  const stored = await readStored(body.trans_id)
  assert.deepEqual(
    [stored.wallet.flow, stored.wallet.checks.panType, stored.card_id, stored.pan10],
    ['virtual', null, null, null],
  )
})

test('if no MID supports the network at all, it is 204006, and the token is not used up', async () => {
  const device = await account('walletapay', true, [{ ...decryptingMid, networks: ['mastercard'] }])
  const token = await device.mint()
  assertRefused(await payAsBrand(device, token), 204006, 'Payment system/brand not supported.')
  assertRefused(await device.sale(token), 204006, 'Payment system/brand not supported.')
  await shop.configure("update mids set networks = '{}' where name = $1", [`${device.as.merchant}-1`])
  assert.equal((await device.sale(token)).body.result, 'SUCCESS')
})

test('MIDs of another flow are named in the explanation', async () => {
  const device = await account('walletapay', true, [forwardingMid, decryptingMid])
  const { body } = await device.pay()
  const { routing } = await readStored(body.trans_id)
  assert.deepEqual(
    routing.dropped.map(({ reason }: { reason: string }) => reason),
    ['The wallet is processed in another flow: decrypted.'],
  )
})

// biome-ignore format: a table is read in columns.
const storedCases = [
  // flow        key    MID      ECI    device  number type
  ['virtual',    false, decryptingMid,  null,  null,   null],
  ['passed_on',  true,  forwardingMid, null,  true,   'DPAN'],
  ['decrypted',  true,  decryptingMid,  '7',   true,   'DPAN'],
] as const

for (const [flow, key, mid, eci, hasDeviceId, panType] of storedCases) {
  test(`${flow}: what is stored of the token, and how follow-ups work`, async () => {
    const device = await account('walletapay', key, [mid])
    const as = { merchant: device.as.merchant }
    const { body } = await payAsBrand(device, await device.mint())
    const { wallet } = await readStored(body.trans_id)
    assert.deepEqual(
      [wallet.flow, wallet.eci, wallet.deviceId && true, wallet.panType],
      [flow, eci, hasDeviceId, panType],
    )
    // The wallet's display data beside the token is neither secret nor signed.
    assert.deepEqual([wallet.displayName, wallet.networkLabel], ['Visa 0018', 'Visa'])
    assert.equal((await apm.followUp('CREDITVOID', body.trans_id, { amount: '10.00' }, as)).body.result, 'ACCEPTED')
    await shop.service.awaitIdle()
    assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000', 'refund 1000'])
    const { body: other } = await payAsBrand(device, await device.mint())
    assert.equal((await apm.followUp('VOID', other.trans_id, {}, as)).body.status, 'VOID')
  })
}

test('on S2S CARD a hold on a DMS MID can be captured, also if the token was passed on', async () => {
  for (const mid of [forwardingMid, decryptingMid]) {
    const device = await account('walletapay', true, [{ ...mid, paymentMode: 'DMS' }])
    const { body } = await device.pay()
    assert.equal(body.status, 'PENDING', JSON.stringify(body))
    const as = { merchant: device.as.merchant, signedBy: { pan10: '4000000018' } }
    assert.equal((await shop.followUp('CAPTURE', body.trans_id, { amount: '10.00' }, as)).body.status, 'SETTLED')
    assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000', 'capture 1000'])
  }
})

test('a MID in DMS mode supports no virtual flow on S2S CARD', async () => {
  const device = await account('walletapay', true, [{ ...noFlow, paymentMode: 'DMS' }])
  assertRefused(await device.pay(), ...noCardFlow)
})

test('two-stage payments on S2S APM work in every flow', async () => {
  for (const mids of [[noFlow], [forwardingMid], [decryptingMid]]) {
    const device = await account('walletapay', true, mids)
    const token = await device.mint()
    const as = { merchant: device.as.merchant }
    const fields = {
      brand: 'walletapay',
      identifier: 'payer@example.com',
      'parameters[paymentToken]': token,
      auth: 'Y',
    }
    const { body } = await apm.sale(fields, as)
    assert.equal(body.status, 'PENDING', JSON.stringify(body))
    await apm.followUp('CAPTURE', body.trans_id, {}, as)
    assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000', 'capture 1000'])
  }
})

test('a stored payment contains neither number nor cryptogram, holder or token', async () => {
  const device = await account('walletapay', true, [decryptingMid])
  const token = await device.mint({ holder_name: 'Canary Holderson', pan_type: 'MPAN' })
  const { body } = await device.sale(token)
  assert.equal(body.result, 'SUCCESS')
  const { rows: tables } = await shop.base.pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const { data } = JSON.parse(token).paymentData
  for (const { name } of tables) {
    const { rows } = await shop.base.pool.query<{ text: string }>(`select t::text as text from ${name} t`)
    const everything = rows.map(({ text }) => text).join('\n')
    for (const canary of ['4000001000000018', 'Canary Holderson', data])
      assert.ok(!everything.includes(canary), `${name} ${canary}`)
  }
})
