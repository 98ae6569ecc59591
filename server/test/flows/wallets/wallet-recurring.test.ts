/** Recurring payments from a wallet: which flows support them, and what is charged without the payer. Chapter 40 §10, §22. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { chargeChain, createSchedule, pairOf } from '../../chains.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { openShop } from '../../shop.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const a = await enableWallet(shop, { wallet: 'walletapay' })
const dpan = { pan10: '4000000018' }

for (const [name, wishes, panType, merchantToken] of [
  ['a device number', {}, 'DPAN', undefined],
  ['a merchant token', { pan_type: 'MPAN' }, 'DPAN', true],
] as const) {
  test(`a chain that began with ${name} is charged with the stored number, without cryptogram`, async () => {
    const { body } = await a.pay(wishes, { recurring_init: 'Y' })
    assert.deepEqual([body.result, body.pan_type], ['SUCCESS', panType])
    assert.match(body.recurring_token, /^[0-9a-f-]{36}$/)
    const { body: charged } = await chargeChain(shop, pairOf(body), {}, { signedBy: dpan })
    assert.deepEqual([charged.result, charged.status, charged.amount], ['SUCCESS', 'SETTLED', '8.00'])
    const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(charged.trans_id)
    assert.deepEqual([sale.type, sale.wallet.pan_type, sale.wallet.cryptogram_sent], ['sale', 'DPAN', false])
    assert.equal(sale.wallet.merchant_token_sent, merchantToken)
    const [first = assert.fail('Nothing was executed.')] = await shop.readExecuted(body.trans_id)
    assert.equal(first.wallet.merchant_token_sent, merchantToken)
  })
}

test('a chain that began with a token passed on unchanged is charged with the stored number', async () => {
  const merchant = await openAccount(shop, { mids: [{ cardFlow: true, acceptsDecrypted: false }] })
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
  const { body } = await device.pay({ pan_type: 'MPAN' }, { recurring_init: 'Y' })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  const { body: charged } = await chargeChain(shop, pairOf(body), {}, { merchant, signedBy: dpan })
  assert.equal(charged.result, 'SUCCESS', JSON.stringify(charged))
  const [sale = assert.fail('Nothing was executed.')] = await shop.readExecuted(charged.trans_id)
  assert.equal(sale.wallet.merchant_token_sent, true, 'the merchant token is kept as well')
})

test('a plan on a schedule charges a wallet’s chain automatically', async () => {
  const { body: schedule } = await createSchedule(shop)
  const { body } = await a.pay({}, { recurring_init: 'Y', schedule_id: schedule.schedule_id })
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  await shop.advance(32 * 86_400_000)
  const { rows } = await shop.base.pool.query<{ id: string; status: string }>(
    "select id, status from payments where chain_id = $1 and action = 'RECURRING_SALE'",
    [body.recurring_token],
  )
  assert.deepEqual(
    rows.map(({ status }) => status),
    ['SETTLED'],
  )
  assert.deepEqual(await readEffects(shop, rows[0]?.id ?? ''), ['sale 1000'])
})

test('on a MID without recurring payments recurring_init is refused', async () => {
  const merchant = await openAccount(shop, { mids: [{ actions: ['sale', 'auth'] }] })
  const device = await enableWallet(shop, { wallet: 'walletapay', merchant })
  assertRefused(await device.pay({}, { recurring_init: 'Y' }), 204005, 'Payment action not supported.')
})
