/** Initiator, sequence and credential source of Checkout payments. Chapter 30 §3.9, the last row. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const client = new CheckoutClient(shop)
const selectedFields = ['initiator', 'sequence', 'source']
await client.choose({ addToCallback: selectedFields, addToStatus: selectedFields })

async function readSelectedFields(payment_id: string): Promise<readonly unknown[]> {
  const { fields } = await client.lastCallback(payment_id)
  const { body } = await client.status({ payment_id })
  const values = selectedFields.map((name) => fields[name])
  assert.deepEqual(
    selectedFields.map((name) => body[name]),
    values,
  )
  return values
}

test('a plain payment has none of them', async () => {
  const { payment } = await client.makePayment()
  assert.deepEqual(await readSelectedFields(payment.id), [undefined, undefined, undefined])
})

test('a card is saved by its holder, who then pays with it again', async () => {
  const payer = await Payer.at(shop, { req_token: true })
  const { payment_id } = await payer.payAndExpectSuccess()
  assert.deepEqual(await readSelectedFields(payment_id), ['cardholder', 'initial', 'card_token'])
  const token = (await client.lastCallback(payment_id)).fields['card_token'] ?? ''
  const again = await (await Payer.at(shop, { card_token: [token] })).payAndExpectSuccess({
    card_token: token,
    cvv: '123',
  })
  assert.deepEqual(await readSelectedFields(again.payment_id), ['cardholder', 'subsequent', 'card_token'])
})

test('a chain is started by the cardholder, and charged by the merchant or by its schedule', async () => {
  const schedule = await client.schedule()
  const number = 'credentials-1'
  const { payment } = await client.makePayment({ recurring_init: true, schedule_id: schedule.id, order: { number } })
  assert.deepEqual(await readSelectedFields(payment.id), ['cardholder', 'initial', 'recurring'])
  const { body } = await client.recurring({
    recurring_init_trans_id: payment.id,
    recurring_token: payment.facts.recurringToken,
    order: { number: 'credentials-2', amount: '1.00', description: 'More' },
  })
  assert.deepEqual(await readSelectedFields(body.payment_id), ['merchant', 'subsequent', 'recurring'])
  await shop.advance(32 * 24 * 3_600_000)
  const { body: fired } = await client.status({ order_id: number })
  assert.notEqual(fired.payment_id, payment.id)
  assert.deepEqual(await readSelectedFields(fired.payment_id), ['merchant', 'subsequent', 'schedule'])
})

test('without Card-on-File a card is saved as well, and not registered with the acquirer', async () => {
  await shop.configure('update mids set card_on_file_enabled = false')
  const { payment } = await client.makePayment({ req_token: true })
  assert.match((await client.lastCallback(payment.id)).fields['card_token'] ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual(await readSelectedFields(payment.id), [undefined, undefined, undefined])
})
