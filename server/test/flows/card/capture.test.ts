/** CAPTURE captures an authorization, once. Chapter 10 §6, §7.2, §7.3, §13.4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertInvalid,
  assertRefused,
  callbackHash,
  countRepeatedRequests,
  expiryFields,
  foreignTransIds,
  paymentIn,
  readCallbacks,
  readEffects,
  statusOf,
} from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const notPending = 'Not acceptable to request the capture for payment not in pending status.'
const tooMuch = 'Not acceptable to request the capture for amount bigger than auth amount.'
const inFlight = 'Previous transaction not completed.'
const answerFields = 'action result status order_id trans_id trans_date descriptor amount currency'

async function hold(over: RequestFields = {}): Promise<{ readonly trans_id: string; readonly order_id: string }> {
  const { body } = await shop.sale({ auth: 'Y', ...over })
  assert.equal(body.status, 'PENDING')
  return body
}

const capture = (transId: string, over: RequestFields = {}) => shop.followUp('CAPTURE', transId, over)

test('a capture without an amount captures the whole hold, and answers in the documented fields and their order', async () => {
  const { trans_id, order_id } = await hold()
  const { http, body } = await capture(trans_id)
  assert.equal(http, 200)
  const { trans_date, ...rest } = body
  assert.match(trans_date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.equal(Object.keys(body).join(' '), answerFields)
  assert.deepEqual(rest, {
    action: 'CAPTURE',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id,
    trans_id,
    descriptor: 'TEST',
    amount: '10.00',
    currency: 'EUR',
  })
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 1000'])
  assert.deepEqual(await shop.postings(trans_id), ['payer -> held 1000', 'held -> settled 1000'])
})

test('its callback contains the answer, the hash of Formula 2 and custom_data, and no card', async () => {
  const { trans_id, order_id } = await hold({ 'custom_data[cart]': '778' })
  const { body } = await capture(trans_id)
  const [, callback, ...more] = await shop.callbacks(trans_id)
  assert.equal(more.length, 0)
  assert.deepEqual(Object.entries(callback?.fields ?? {}), [
    ['action', 'CAPTURE'],
    ['result', 'SUCCESS'],
    ['status', 'SETTLED'],
    ['order_id', order_id],
    ['trans_id', trans_id],
    ['hash', callbackHash(shop, trans_id)],
    ['trans_date', body.trans_date],
    ['descriptor', 'TEST'],
    ['amount', '10.00'],
    ['currency', 'EUR'],
    ['custom_data[cart]', '778'],
  ])
})

test('trans_date is the moment of the capture, not that of the authorization', async () => {
  const { body: held } = await shop.sale({ auth: 'Y' })
  await shop.advance(3_600_000)
  const { body } = await capture(held.trans_id)
  const waited = Date.parse(`${body.trans_date}Z`) - Date.parse(`${held.trans_date}Z`)
  assert.ok(waited >= 3_600_000 && waited < 3_660_000, `${waited} ms`)
})

test('a partial capture releases the rest of the hold for good', async () => {
  const { trans_id } = await hold()
  const { body } = await capture(trans_id, { amount: '7.50', 'parameters[invoice]': 'INV-7' })
  assert.deepEqual([body.result, body.status, body.amount], ['SUCCESS', 'SETTLED', '7.50'])
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 750'])
  assert.deepEqual(await shop.postings(trans_id), ['payer -> held 1000', 'held -> settled 750', 'held -> payer 250'])
  assertRefused(await capture(trans_id, { amount: '2.50' }), 208003, notPending)
  const [, callback] = await shop.callbacks(trans_id)
  assert.equal(callback?.fields['amount'], '7.50')
})

test('the parameters of a capture are stored with its transaction, not with the payment', async () => {
  const { trans_id } = await hold({ 'parameters[invoice]': 'INV-1' })
  await capture(trans_id, { 'parameters[invoice]': 'INV-7', 'parameters[lines][0]': 'shoes' })
  const { rows } = await shop.base.pool.query(
    'select type, parameters from transactions where payment_id = $1 order by created_at, id',
    [trans_id],
  )
  assert.deepEqual(rows, [
    { type: 'AUTH', parameters: { invoice: 'INV-1' } },
    { type: 'CAPTURE', parameters: { invoice: 'INV-7', lines: { 0: 'shoes' } } },
  ])
})

test('a declined capture has its reason, leaves the hold, and may be repeated', async () => {
  const { trans_id, order_id } = await hold(expiryFields('03/2038'))
  for (const _ of ['first', 'second']) {
    const { http, body } = await capture(trans_id, { amount: '4.00' })
    const { trans_date: _date, ...rest } = body
    assert.equal(http, 200)
    assert.deepEqual(Object.entries(rest), [
      ['action', 'CAPTURE'],
      ['result', 'DECLINED'],
      ['status', 'PENDING'],
      ['order_id', order_id],
      ['trans_id', trans_id],
      ['descriptor', 'TEST'],
      ['amount', '4.00'],
      ['currency', 'EUR'],
      ['decline_reason', 'Declined by processing'],
    ])
  }
  const [, callback] = await shop.callbacks(trans_id)
  const { trans_date: _, ...told } = callback?.fields ?? {}
  assert.deepEqual(Object.entries(told), [
    ['action', 'CAPTURE'],
    ['result', 'DECLINED'],
    ['status', 'PENDING'],
    ['order_id', order_id],
    ['trans_id', trans_id],
    ['hash', callbackHash(shop, trans_id)],
    ['descriptor', 'TEST'],
    ['amount', '4.00'],
    ['currency', 'EUR'],
    ['decline_reason', 'Declined by processing'],
  ])
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000'])
  assert.deepEqual(await shop.postings(trans_id), ['payer -> held 1000'])
})

// biome-ignore format: a table is read in columns.
const resolutions = [
  // expiry     later            status     effects at the acquirer
  ['10/2039', 'SUCCESS SETTLED', 'SETTLED', ['authorize 1000', 'capture 600']],
  ['11/2039', 'DECLINED PENDING', 'PENDING', ['authorize 1000']],
] as const

for (const [expiry, later, status, executed] of resolutions) {
  test(`a capture with an unknown outcome is called back as UNDEFINED and later as ${later} (${expiry})`, async () => {
    const { trans_id } = await hold(expiryFields(expiry))
    const { http, body } = await capture(trans_id, { amount: '6.00' })
    assert.equal(http, 200)
    assert.deepEqual([body.result, body.status, body.amount], ['UNDEFINED', 'PENDING', '6.00'])
    assert.equal(Object.keys(body).join(' '), answerFields)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'CAPTURE'), ['UNDEFINED PENDING'])

    await shop.advance(31_000)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'CAPTURE'), ['UNDEFINED PENDING', later])
    assert.equal(await statusOf(shop, trans_id), status)
    assert.deepEqual(await readEffects(shop, trans_id), executed)
    assert.equal(await countRepeatedRequests(shop), 0)
  })
}

test('after a capture that failed late a new one is allowed', async () => {
  const { trans_id } = await hold(expiryFields('11/2039'))
  await capture(trans_id)
  await shop.advance(31_000)
  const { body } = await capture(trans_id)
  assert.equal(body.result, 'UNDEFINED')
})

test('a captured hold cannot be captured again', async () => {
  const { trans_id } = await hold()
  await capture(trans_id)
  assertRefused(await capture(trans_id), 208003, notPending)
})

for (const status of ['PREPARE', '3DS', 'REDIRECT', 'SETTLED', 'REVERSAL', 'REFUND', 'VOID', 'DECLINED']) {
  test(`a payment in ${status} cannot be captured, whatever the amount`, async () => {
    const transId = await paymentIn(shop, status)
    assertRefused(await capture(transId), 208003, notPending)
    assertRefused(await capture(transId, { amount: '10.01' }), 208003, notPending)
  })
}

test('an amount above the authorization is refused and leaves the hold', async () => {
  const { trans_id } = await hold()
  assertRefused(await capture(trans_id, { amount: '10.01' }), 208004, tooMuch)
  const { body } = await capture(trans_id, { amount: '10' })
  assert.deepEqual([body.status, body.amount], ['SETTLED', '10.00'])
})

// biome-ignore format: a table is read in columns.
const malformedAmounts = [
  // amount   violation
  ['0',      'amount: This value should be greater than 0.'],
  ['0.00',   'amount: This value should be greater than 0.'],
  ['-1.00',  'amount: This value should be greater than 0.'],
  ['1.234',  'amount: This value is not valid.'],
  ['1,00',   'amount: This value is not valid.'],
  ['+1.00',  'amount: This value is not valid.'],
  ['01.00',  'amount: This value is not valid.'],
  ['all',    'amount: This value is not valid.'],
] as const

for (const [amount, violation] of malformedAmounts) {
  test(`the amount "${amount}" is refused: ${violation}`, async () => {
    const { trans_id } = await hold()
    assertInvalid(await capture(trans_id, { amount }), violation)
    assert.equal(await statusOf(shop, trans_id), 'PENDING')
  })
}

test('an amount in a currency without decimals keeps the format of its payment', async () => {
  const { trans_id } = await hold({ order_currency: 'JPY', order_amount: '1000.00' })
  const { body } = await capture(trans_id, { amount: '400' })
  assert.deepEqual([body.amount, body.currency], ['400.00', 'JPY'])
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 400'])
})

test('the status is checked first, then open transactions, then the amount', async () => {
  const { trans_id } = await hold(expiryFields('10/2039'))
  await capture(trans_id)
  assertRefused(await capture(trans_id), 100000, inFlight)
  assertRefused(await capture(trans_id, { amount: '10.01' }), 100000, inFlight)
  assertRefused(await shop.followUp('CREDITVOID', trans_id, { amount: '4.00' }), 100000, inFlight)
  assertRefused(await shop.followUp('VOID', trans_id), 100000, 'Void is not allowed.')
})

test('of concurrent captures exactly one is executed', async () => {
  const { trans_id } = await hold()
  const answers = await Promise.all(Array.from({ length: 10 }, () => capture(trans_id)))
  assert.equal(answers.filter(({ body }) => body.result === 'SUCCESS').length, 1)
  for (const answer of answers.filter(({ http }) => http !== 200)) {
    if (answer.body.error_code === 208003) assertRefused(answer, 208003, notPending)
    else assertRefused(answer, 100000, inFlight)
  }
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 1000'])
})

test('a zero authorization has nothing to capture', async () => {
  const { trans_id } = await hold({ order_amount: '0.00' })
  assertRefused(await capture(trans_id), 208004, tooMuch)
  assertRefused(await capture(trans_id, { amount: '0.01' }), 208004, tooMuch)
})

test('a plain SALE on a MID in DMS mode is a hold that CAPTURE captures', async () => {
  const as = { merchant: 'demo-dms' }
  const { body: held } = await shop.sale({}, as)
  assert.deepEqual([held.result, held.status], ['SUCCESS', 'PENDING'])
  const { body } = await shop.followUp('CAPTURE', held.trans_id, {}, as)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
})

test('a trans_id of no payment of the caller is an unknown transaction', async () => {
  for (const [what, transId] of await foreignTransIds(shop)) {
    const answer = await capture(transId)
    assert.equal(answer.body.error_code, 101000, what)
    assertRefused(answer, 101000, 'Transaction does not exist.')
  }
})

test('a missing and an over-long trans_id are violations', async () => {
  assertInvalid(await capture('', { trans_id: undefined }), 'trans_id: This value should not be blank.')
  assertInvalid(await capture('a'.repeat(256)), 'trans_id: This value is not correct.')
})

test('a capture signed for another payment changes nothing', async () => {
  const { trans_id } = await hold()
  const other = await hold()
  assertInvalid(await capture(other.trans_id, { trans_id }), 'hash: Hash is not valid.')
  assert.equal(await statusOf(shop, trans_id), 'PENDING')
})

test('trans_id is case-insensitive', async () => {
  const { trans_id } = await hold()
  const { body } = await capture(trans_id.toUpperCase())
  assert.deepEqual([body.result, body.trans_id], ['SUCCESS', trans_id])
})
