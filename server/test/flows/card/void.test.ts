/** VOID cancels a settled sale on the same financial day. Chapter 10 §6, §6.2, §7.2, §7.3. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertInvalid,
  assertRefused,
  callbackHash,
  expiryFields,
  foreignTransIds,
  paymentIn,
  readCallbacks,
  readEffects,
  statusOf,
} from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'
import { advanceTo } from '../../time-of-day.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const notAllowed = [100000, 'Void is not allowed.'] as const
const inFlight = [100000, 'Previous transaction not completed.'] as const

async function pay(over: RequestFields = {}): Promise<{ readonly trans_id: string; readonly order_id: string }> {
  const { body } = await shop.sale(over)
  assert.equal(body.result, 'SUCCESS')
  return body
}

const cancel = (transId: string, over: RequestFields = {}) => shop.followUp('VOID', transId, over)

test('a sale of the same day is voided, and answers in the documented fields and their order', async () => {
  const { trans_id, order_id } = await pay()
  const { http, body } = await cancel(trans_id)
  assert.equal(http, 200)
  assert.match(body.trans_date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(Object.entries(body), [
    ['action', 'VOID'],
    ['result', 'SUCCESS'],
    ['status', 'VOID'],
    ['order_id', order_id],
    ['trans_id', trans_id],
    ['trans_date', body.trans_date],
  ])
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'void 1000'])
  assert.deepEqual(await shop.postings(trans_id), ['payer -> settled 1000', 'settled -> payer 1000'])
})

test('its callback contains the answer, the hash of Formula 2 and custom_data, and no amount', async () => {
  const { trans_id, order_id } = await pay({ 'custom_data[cart]': '778' })
  const { body } = await cancel(trans_id)
  const [, callback, ...more] = await shop.callbacks(trans_id)
  assert.equal(more.length, 0)
  assert.deepEqual(Object.entries(callback?.fields ?? {}), [
    ['action', 'VOID'],
    ['result', 'SUCCESS'],
    ['status', 'VOID'],
    ['order_id', order_id],
    ['trans_id', trans_id],
    ['hash', callbackHash(shop, trans_id)],
    ['trans_date', body.trans_date],
    ['custom_data[cart]', '778'],
  ])
})

test('trans_date is the moment of the void', async () => {
  const { body: sale } = await shop.sale()
  await shop.advance(3_600_000)
  const { body } = await cancel(sale.trans_id)
  const waited = Date.parse(`${body.trans_date}Z`) - Date.parse(`${sale.trans_date}Z`)
  assert.ok(waited >= 3_600_000 && waited < 3_660_000, `${waited} ms`)
})

test('voiding a captured hold voids the captured amount', async () => {
  const { trans_id } = await pay({ auth: 'Y' })
  await shop.followUp('CAPTURE', trans_id, { amount: '7.50' })
  const { body } = await cancel(trans_id)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'VOID'])
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 750', 'void 750'])
})

test('VOID ignores an amount like any unknown parameter', async () => {
  const { trans_id } = await pay()
  const { body } = await cancel(trans_id, { amount: 'half' })
  assert.equal(body.status, 'VOID')
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'void 1000'])
})

test('a declined void has its reason and leaves the payment SETTLED (05/2039)', async () => {
  const { trans_id, order_id } = await pay(expiryFields('05/2039'))
  const { http, body } = await cancel(trans_id)
  assert.equal(http, 200)
  assert.deepEqual(Object.entries(body), [
    ['action', 'VOID'],
    ['result', 'DECLINED'],
    ['status', 'SETTLED'],
    ['order_id', order_id],
    ['trans_id', trans_id],
    ['trans_date', body.trans_date],
    ['decline_reason', 'Declined by processing'],
  ])
  const [, callback] = await shop.callbacks(trans_id)
  assert.deepEqual(callback?.fields, { ...body, hash: callbackHash(shop, trans_id) })

  await shop.followUp('CREDITVOID', trans_id)
  assert.equal(await statusOf(shop, trans_id), 'REFUND')
})

// biome-ignore format: a table is read in columns.
const resolutions = [
  // expiry    later               status     effects at the acquirer
  ['10/2039', 'SUCCESS VOID',     'VOID',    ['sale 1000', 'void 1000']],
  ['11/2039', 'DECLINED SETTLED', 'SETTLED', ['sale 1000']],
] as const

for (const [expiry, later, status, executed] of resolutions) {
  test(`a void with an unknown outcome is called back as UNDEFINED and later as ${later} (${expiry})`, async () => {
    const { trans_id } = await pay(expiryFields(expiry))
    const { http, body } = await cancel(trans_id)
    assert.equal(http, 200)
    assert.equal(Object.keys(body).join(' '), 'action result status order_id trans_id trans_date')
    assert.deepEqual([body.result, body.status], ['UNDEFINED', 'SETTLED'])
    await shop.advance(31_000)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'VOID'), ['UNDEFINED SETTLED', later])
    assert.equal(await statusOf(shop, trans_id), status)
    assert.deepEqual(await readEffects(shop, trans_id), executed)
  })
}

for (const status of ['PREPARE', '3DS', 'REDIRECT', 'PENDING', 'REVERSAL', 'REFUND', 'VOID', 'DECLINED']) {
  test(`a payment in ${status} cannot be voided`, async () => {
    assertRefused(await cancel(await paymentIn(shop, status)), ...notAllowed)
  })
}

test('after a partial refund a void is refused', async () => {
  const { trans_id } = await pay()
  await shop.followUp('CREDITVOID', trans_id, { amount: '0.01' })
  assertRefused(await cancel(trans_id), ...notAllowed)
})

test('after a declined refund a void is allowed', async () => {
  const { trans_id } = await pay(expiryFields('04/2039'))
  await shop.followUp('CREDITVOID', trans_id, { amount: '4.00' })
  assert.equal((await cancel(trans_id)).body.status, 'VOID')
})

test('a zero authorization cannot be voided', async () => {
  const { trans_id } = await pay({ auth: 'Y', order_amount: '0.00' })
  assertRefused(await cancel(trans_id), ...notAllowed)
})

test('the status is checked first, then open transactions', async () => {
  const settled = await pay(expiryFields('10/2039'))
  await cancel(settled.trans_id)
  assertRefused(await cancel(settled.trans_id), ...inFlight)
  assertRefused(await shop.followUp('CREDITVOID', settled.trans_id, { amount: '99.00' }), ...inFlight)

  const held = await pay({ auth: 'Y', ...expiryFields('10/2039') })
  await shop.followUp('CAPTURE', held.trans_id)
  assertRefused(await cancel(held.trans_id), ...notAllowed)
})

test('of concurrent voids exactly one is executed', async () => {
  const { trans_id } = await pay()
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(trans_id)))
  assert.equal(answers.filter(({ body }) => body.result === 'SUCCESS').length, 1)
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'void 1000'])
})

test('the parameters of a void are stored with its transaction', async () => {
  const { trans_id } = await pay()
  await cancel(trans_id, { 'parameters[reason]': 'mistyped' })
  const { rows } = await shop.base.pool.query(
    "select parameters from transactions where payment_id = $1 and type = 'VOID'",
    [trans_id],
  )
  assert.deepEqual(rows, [{ parameters: { reason: 'mistyped' } }])
})

test('a trans_id of no payment of the caller is an unknown payment', async () => {
  for (const [what, transId] of await foreignTransIds(shop)) {
    const answer = await cancel(transId)
    assert.equal(answer.body.error_message, 'Payment not found.', what)
    assertRefused(answer, ...([100000, 'Payment not found.'] as const))
  }
})

test('a void with a wrong hash changes nothing', async () => {
  const { trans_id } = await pay()
  assertInvalid(await cancel(trans_id, { hash: '0'.repeat(32) }), 'hash: Hash is not valid.')
  assert.equal(await statusOf(shop, trans_id), 'SETTLED')
})

// The following tests move the clock from day to day, so they come last.

test('by default the financial day ends at midnight UTC', async () => {
  await advanceTo(shop, 23, 58)
  const first = await pay()
  const second = await pay()
  assert.equal((await cancel(first.trans_id)).body.status, 'VOID')
  await advanceTo(shop, 0, 0)
  assertRefused(await cancel(second.trans_id), ...notAllowed)
  await shop.followUp('CREDITVOID', second.trans_id)
  assert.equal(await statusOf(shop, second.trans_id), 'REFUND')
})

test('the financial day of a captured hold is that of its capture', async () => {
  await advanceTo(shop, 23, 50)
  const { trans_id } = await pay({ auth: 'Y' })
  await advanceTo(shop, 0, 10)
  await shop.followUp('CAPTURE', trans_id)
  await advanceTo(shop, 23, 50)
  assert.equal((await cancel(trans_id)).body.status, 'VOID')
})

test('a void that was sent on the day counts, even if its outcome is known on the next', async () => {
  await advanceTo(shop, 23, 59)
  const { trans_id } = await pay(expiryFields('10/2039'))
  await cancel(trans_id)
  await advanceTo(shop, 0, 1)
  assert.deepEqual(await readCallbacks(shop, trans_id, 'VOID'), ['UNDEFINED SETTLED', 'SUCCESS VOID'])
})

test('the financial day of a MID ends at its own cut-off in its own time zone', async () => {
  // 16:00 in Tokyo, which has no daylight saving time, is 07:00 UTC.
  await shop.configure("update mids set cut_off = '16:00', time_zone = 'Asia/Tokyo' where name = 'sandbox-live'")
  await advanceTo(shop, 6, 58)
  const early = await pay()
  const late = await pay()
  assert.equal((await cancel(early.trans_id)).body.status, 'VOID')
  await advanceTo(shop, 7, 0)
  assertRefused(await cancel(late.trans_id), ...notAllowed)

  const { trans_id } = await pay()
  await advanceTo(shop, 6, 58)
  assert.equal((await cancel(trans_id)).body.status, 'VOID', 'midnight UTC lies within this day')
})
