/**
 * What a brand allows with a payment afterwards, and that a later version of the brand does not affect it. Chapter 20 §5.1, §5.5, §7 to §9.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { writtenBrand } from '#domain/brand/brand-record.ts'
import { builtInBrands } from '#domain/brand/built-in-brands.ts'
import { parameterRow } from '#domain/brand/parameter-row.ts'
import { copyBrand, saveBrand, switchBrand } from '#server/setup/brands.ts'
import { Apm } from '../../apm.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const voucher: RequestFields = { brand: 'voucher-cash', order_currency: 'USD', identifier: 'success@example.com' }
const bitcoin: RequestFields = {
  brand: 'crypto-pay',
  order_amount: '0.001',
  order_currency: 'BTC',
  identifier: 'success@example.com',
}

async function paySettled(over: RequestFields): Promise<string> {
  const { body } = await apm.sale(over)
  assert.equal(body.status, 'SETTLED')
  return body.trans_id
}

const notAllowed = [208005, 'Refund is not allowed'] as const

test('refund=full: a partial refund is refused, a full one is made', async () => {
  const transId = await paySettled(voucher)
  assertRefused(await apm.followUp('CREDITVOID', transId, { amount: '4.00' }), ...notAllowed)
  assert.equal((await apm.followUp('CREDITVOID', transId, { amount: '10.00' })).body.result, 'ACCEPTED')
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'refund 1000'])
})

test('refund=none: every refund is refused', async () => {
  assertRefused(await apm.followUp('CREDITVOID', await paySettled(bitcoin)), ...notAllowed)
})

test('refund=partial: partial refunds are made until nothing is left', async () => {
  const transId = await paySettled({})
  for (const amount of ['4.00', '6.00']) await apm.followUp('CREDITVOID', transId, { amount })
  assert.deepEqual(await readEffects(shop, transId), ['sale 1000', 'refund 400', 'refund 600'])
  assert.equal((await apm.status(transId)).body.status, 'REFUND')
})

test('a brand without partial capture: a partial capture is refused, a full one is made', async () => {
  const original = builtInBrands.find(({ code }) => code === 'vcard')
  assert.ok(original)
  const record = { ...writtenBrand(original), code: 'whole-card', aliases: [], partial_capture: false }
  assert.equal((await saveBrand({ ...shop.base, by: 'an operator' }, record)).kind, 'saved')
  await shop.service.configuration.refresh()
  const { body } = await apm.hold({ brand: 'whole-card' })
  assert.equal(body.status, 'PENDING')
  const part = await apm.followUp('CAPTURE', body.trans_id, { amount: '4.00' })
  assertRefused(part, 204005, 'Payment action not supported.')
  assert.equal((await apm.followUp('CAPTURE', body.trans_id, { amount: '10.00' })).body.status, 'SETTLED')
})

test('a brand without VOID refuses it', async () => {
  assertRefused(await apm.followUp('VOID', await paySettled(voucher)), 100000, 'Void is not allowed.')
})

test('a payment keeps the version of its brand: changes by the operator apply to new payments only', async () => {
  const context = { ...shop.base, by: 'an operator' }
  const original = builtInBrands.find(({ code }) => code === 'voucher-cash')
  assert.ok(original)
  await copyBrand(context, original, 'kiosk-cash', null)
  await shop.service.configuration.refresh()
  const before = await paySettled({ ...voucher, brand: 'kiosk-cash' })
  const change = await saveBrand(context, { ...writtenBrand(original), code: 'kiosk-cash', refund: 'none' })
  assert.ok(change.kind === 'saved')
  await shop.service.configuration.refresh()
  const after = await paySettled({ ...voucher, brand: 'kiosk-cash' })
  assertRefused(await apm.followUp('CREDITVOID', after), ...notAllowed)

  await switchBrand(context, change.brand, false)
  await shop.service.configuration.refresh()
  assertRefused(await apm.sale({ ...voucher, brand: 'kiosk-cash' }), 204011, 'Payment system/brand not found.')
  assert.equal((await apm.followUp('CREDITVOID', before)).body.result, 'ACCEPTED')
  assert.deepEqual(await readEffects(shop, before), ['sale 1000', 'refund 1000'])
})

/** A copy of the payout brand with another name for the holder parameter. */
async function renamePayoutHolder(forwardAs: string): Promise<void> {
  const original = builtInBrands.find(({ code }) => code === 'bank-payout')
  assert.ok(original)
  const rows = [parameterRow('recipient', 'string', 'required', { forwardAs })]
  const record = { ...writtenBrand({ ...original, parameters: { CREDIT2VIRTUAL: rows } }), code: 'renamed-payout' }
  const change = await saveBrand({ ...shop.base, by: 'an operator' }, { ...record, checkout_name: 'renamed-payout' })
  assert.ok(change.kind === 'saved', JSON.stringify(change))
  await shop.service.configuration.refresh()
}

test('the acquirer gets a parameter under its forwarding name, and the payment stores it', async () => {
  await renamePayoutHolder('account_holder')
  const renamed = { brand: 'renamed-payout', 'parameters[recipient]': 'FAIL Jane' }
  const { body } = await apm.payout({ ...renamed, 'parameters[account_number]': undefined })
  // The sandbox knows the holder only by its own name. Chapter 20 §18.
  assert.equal(body.status, 'DECLINED')
  await renamePayoutHolder('somebody')
  const { rows } = await shop.base.pool.query<{ merchant_id: string; sealed: Buffer }>(
    'select merchant_id, sealed from payment_secrets where payment_id = $1',
    [body.trans_id],
  )
  const [kept] = rows
  assert.ok(kept)
  const sent = JSON.parse((await shop.base.vault.open(kept.merchant_id, 'parameters', kept.sealed)).reveal())
  assert.equal(sent.account_holder, 'FAIL Jane')
})

// biome-ignore format: a table is read in columns.
const followUps = [
  // command      on                   its transaction
  ['CAPTURE',    () => apm.hold(),    'CAPTURE'],
  ['CREDITVOID', () => apm.sale(),    'REFUND'],
  ['VOID',       () => apm.sale(),    'VOID'],
] as const

for (const [command, made, type] of followUps) {
  test(`parameters of ${command} are stored with its transaction`, async () => {
    const { trans_id } = (await made()).body
    await apm.followUp(command, trans_id, { 'parameters[why]': 'returned goods' })
    const { rows } = await shop.base.pool.query<{ parameters: object }>(
      'select parameters from transactions where payment_id = $1 and type = $2',
      [trans_id, type],
    )
    assert.deepEqual(rows[0]?.parameters, { why: 'returned goods' })
  })
}
