/** CREDITVOID releases a hold and refunds a sale, in full or in parts. Chapter 10 §6, §7.2, §7.4, §13.5. */
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
import type { ReceivedRequest } from '../../receiver.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const refundTooMuch = 'Not acceptable to request the refund for amount bigger than payment amount.'
const reversalTooMuch = 'Not acceptable to request the reversal for amount bigger than payment amount.'
const inFlight = 'Previous transaction not completed.'

async function pay(over: RequestFields = {}): Promise<{ readonly trans_id: string; readonly order_id: string }> {
  const { body } = await shop.sale(over)
  assert.equal(body.result, 'SUCCESS')
  return body
}

const creditvoid = (transId: string, over: RequestFields = {}) => shop.followUp('CREDITVOID', transId, over)

async function refundsTold(transId: string): Promise<readonly ReceivedRequest[]> {
  return (await shop.callbacks(transId)).filter(({ fields }) => fields['action'] === 'CREDITVOID')
}

test('the answer is ACCEPTED in four fields, whatever the outcome will be', async () => {
  for (const expiry of ['01/2038', '04/2039', '09/2039', '10/2039']) {
    const { trans_id, order_id } = await pay(expiryFields(expiry))
    const { http, text } = await creditvoid(trans_id)
    const accepted = { action: 'CREDITVOID', result: 'ACCEPTED', trans_id, order_id }
    assert.deepEqual([http, text], [200, JSON.stringify(accepted)], expiry)
  }
})

test('a full refund makes the payment REFUND, and its callback has the documented fields in their order', async () => {
  const { trans_id, order_id } = await pay({ 'custom_data[cart]': '778' })
  await creditvoid(trans_id)
  const [callback, ...more] = await refundsTold(trans_id)
  assert.equal(more.length, 0)
  const { creditvoid_id, creditvoid_date, ...rest } = callback?.fields ?? {}
  assert.match(creditvoid_id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  assert.match(creditvoid_date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  assert.deepEqual(rest, {
    action: 'CREDITVOID',
    result: 'SUCCESS',
    status: 'REFUND',
    order_id,
    trans_id,
    hash: callbackHash(shop, trans_id),
    amount: '10.00',
    'custom_data[cart]': '778',
  })
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    'action result status order_id trans_id hash creditvoid_id creditvoid_date amount custom_data[cart]',
  )
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'refund 1000'])
  assert.deepEqual(await shop.postings(trans_id), ['payer -> settled 1000', 'settled -> refunded 1000'])
})

test('creditvoid_date is the moment of the refund', async () => {
  const { body } = await shop.sale()
  await shop.advance(3_600_000)
  await creditvoid(body.trans_id)
  const [callback] = await refundsTold(body.trans_id)
  const waited = Date.parse(`${callback?.fields['creditvoid_date']}Z`) - Date.parse(`${body.trans_date}Z`)
  assert.ok(waited >= 3_600_000 && waited < 3_660_000, `${waited} ms`)
})

test('partial refunds are made until nothing is left, and never beyond (13.5)', async () => {
  const { trans_id } = await pay()
  const accepted = await creditvoid(trans_id, { amount: '4.00' })
  assert.equal(accepted.body.result, 'ACCEPTED')
  assertRefused(await creditvoid(trans_id, { amount: '6.01' }), 208006, refundTooMuch)
  assert.equal(await statusOf(shop, trans_id), 'SETTLED')
  const last = await creditvoid(trans_id, { amount: '6.00' })
  assert.equal(last.body.result, 'ACCEPTED')
  assertRefused(await creditvoid(trans_id, { amount: '0.01' }), 208005, 'Refund is not allowed')

  const callbacks = await refundsTold(trans_id)
  assert.deepEqual(
    callbacks.map(({ fields }) => [fields['result'], fields['status'], fields['amount']]),
    [
      ['SUCCESS', 'SETTLED', '4.00'],
      ['SUCCESS', 'REFUND', '6.00'],
    ],
  )
  const ids = callbacks.map(({ fields }) => fields['creditvoid_id'])
  assert.equal(new Set(ids).size, 2)
  const { body } = await shop.followUp('GET_TRANS_DETAILS', trans_id)
  assert.deepEqual(
    body.transactions.slice(1).map((one: Record<string, string>) => [one['type'], one['status'], one['creditvoid_id']]),
    ids.map((id) => ['REFUND', 'success', id]),
  )
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'refund 400', 'refund 600'])
})

test('without an amount everything that is left is refunded', async () => {
  const { trans_id } = await pay()
  await creditvoid(trans_id, { amount: '2.50' })
  await creditvoid(trans_id)
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000', 'refund 250', 'refund 750'])
  assert.equal(await statusOf(shop, trans_id), 'REFUND')
})

test('after a partial capture at most the captured amount is refunded', async () => {
  const { trans_id } = await pay({ auth: 'Y' })
  await shop.followUp('CAPTURE', trans_id, { amount: '7.50' })
  assertRefused(await creditvoid(trans_id, { amount: '7.51' }), 208006, refundTooMuch)
  await creditvoid(trans_id)
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'capture 750', 'refund 750'])
  assert.equal(await statusOf(shop, trans_id), 'REFUND')
})

// biome-ignore format: a table is read in columns.
const releases = [
  // amount    what it says
  [undefined, 'without an amount'],
  ['10.00',   'in its full amount'],
  ['10',      'in its full amount written short'],
] as const

for (const [amount, what] of releases) {
  test(`a hold is released ${what}: a REVERSAL of the whole amount`, async () => {
    const { trans_id } = await pay({ auth: 'Y' })
    await creditvoid(trans_id, { amount })
    const [callback] = await refundsTold(trans_id)
    const { result, status, amount: told } = callback?.fields ?? {}
    assert.deepEqual([result, status, told], ['SUCCESS', 'REVERSAL', '10.00'])
    assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000', 'reverse 1000'])
    assert.deepEqual(await shop.postings(trans_id), ['payer -> held 1000', 'held -> payer 1000'])
  })
}

test('a hold is released in full only', async () => {
  const { trans_id } = await pay({ auth: 'Y' })
  const partial = 'Not acceptable to request the reversal for partial amount.'
  assertRefused(await creditvoid(trans_id, { amount: '9.99' }), 208009, partial)
  assertRefused(await creditvoid(trans_id, { amount: '10.01' }), 208008, reversalTooMuch)
  assert.equal(await statusOf(shop, trans_id), 'PENDING')
  assert.deepEqual(await readEffects(shop, trans_id), ['authorize 1000'])
})

test('a zero authorization can be released', async () => {
  const { trans_id } = await pay({ auth: 'Y', order_amount: '0' })
  assertRefused(await creditvoid(trans_id, { amount: '0.01' }), 208008, reversalTooMuch)
  await creditvoid(trans_id)
  const [callback] = await refundsTold(trans_id)
  assert.deepEqual([callback?.fields['status'], callback?.fields['amount']], ['REVERSAL', '0.00'])
})

// biome-ignore format: a table is read in columns.
const ways = [
  // what           SALE              CREDITVOID            before     after success  effect
  ['full refund',    {},              {},                   'SETTLED', 'REFUND',      'refund 1000'],
  ['partial refund', {},              { amount: '4.00' },   'SETTLED', 'SETTLED',     'refund 400'],
  ['release',        { auth: 'Y' },   {},                   'PENDING', 'REVERSAL',    'reverse 1000'],
] as const

for (const [what, sale, over, before, afterwards, effect] of ways) {
  test(`a declined ${what} leaves the payment ${before}, has its reason, and may be repeated (04/2039)`, async () => {
    const { trans_id, order_id } = await pay({ ...sale, ...expiryFields('04/2039') })
    await creditvoid(trans_id, over)
    await creditvoid(trans_id, over)
    const callbacks = await refundsTold(trans_id)
    const [first] = callbacks
    const { creditvoid_id, creditvoid_date, ...rest } = first?.fields ?? {}
    assert.ok(creditvoid_id && creditvoid_date)
    assert.deepEqual(rest, {
      action: 'CREDITVOID',
      result: 'DECLINED',
      status: before,
      order_id,
      trans_id,
      hash: callbackHash(shop, trans_id),
      amount: 'amount' in over ? '4.00' : '10.00',
      decline_reason: 'Declined by processing',
    })
    assert.equal(new Set(callbacks.map(({ fields }) => fields['creditvoid_id'])).size, 2)
    assert.equal((await readEffects(shop, trans_id)).length, 1)
  })

  test(`a ${what} that the acquirer finishes later is called back as WAITING, then as SUCCESS, under one id (09/2039)`, async () => {
    const { trans_id } = await pay({ ...sale, ...expiryFields('09/2039') })
    await creditvoid(trans_id, over)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'CREDITVOID'), [`WAITING ${before}`])
    assertRefused(await creditvoid(trans_id, over), 100000, inFlight)

    await shop.advance(31_000)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'CREDITVOID'), [`WAITING ${before}`, `SUCCESS ${afterwards}`])
    const [waiting, done] = await refundsTold(trans_id)
    for (const name of ['creditvoid_id', 'creditvoid_date', 'amount', 'hash']) {
      assert.equal(waiting?.fields[name], done?.fields[name], name)
    }
    assert.equal((await readEffects(shop, trans_id)).at(-1), effect)
    assert.equal(await countRepeatedRequests(shop), 0)
  })

  test(`a ${what} with an unknown outcome is called back as UNDEFINED, then as SUCCESS, under one id (10/2039)`, async () => {
    const { trans_id } = await pay({ ...sale, ...expiryFields('10/2039') })
    await creditvoid(trans_id, over)
    assert.deepEqual(await readCallbacks(shop, trans_id, 'CREDITVOID'), [`UNDEFINED ${before}`])
    await shop.advance(31_000)
    const [unknown, done, ...more] = await refundsTold(trans_id)
    assert.equal(more.length, 0)
    assert.deepEqual([done?.fields['result'], done?.fields['status']], ['SUCCESS', afterwards])
    assert.equal(unknown?.fields['creditvoid_id'], done?.fields['creditvoid_id'])
    assert.equal((await readEffects(shop, trans_id)).at(-1), effect)
  })

  test(`a ${what} that fails late leaves the payment ${before}, and a new one is allowed (11/2039)`, async () => {
    const { trans_id } = await pay({ ...sale, ...expiryFields('11/2039') })
    await creditvoid(trans_id, over)
    await shop.advance(31_000)
    const [, done] = await refundsTold(trans_id)
    const { result, status, decline_reason } = done?.fields ?? {}
    assert.deepEqual([result, status, decline_reason], ['DECLINED', before, 'Declined by processing'])
    assert.equal((await readEffects(shop, trans_id)).length, 1)
    assert.equal((await creditvoid(trans_id, over)).body.result, 'ACCEPTED')
  })
}

for (const status of ['PREPARE', '3DS', 'REDIRECT', 'REVERSAL', 'REFUND', 'VOID', 'DECLINED']) {
  test(`a payment in ${status} cannot be refunded or released, whatever the amount`, async () => {
    const transId = await paymentIn(shop, status)
    assertRefused(await creditvoid(transId), 208005, 'Refund is not allowed')
    assertRefused(await creditvoid(transId, { amount: '10.01' }), 208005, 'Refund is not allowed')
  })
}

test('the status is checked first, then open transactions, then the amount', async () => {
  const { trans_id } = await pay(expiryFields('10/2039'))
  await creditvoid(trans_id, { amount: '4.00' })
  assertRefused(await creditvoid(trans_id, { amount: '10.01' }), 100000, inFlight)
  assertRefused(await creditvoid(trans_id), 100000, inFlight)
  assertRefused(await shop.followUp('VOID', trans_id), 100000, inFlight)
  const notPending = 'Not acceptable to request the capture for payment not in pending status.'
  assertRefused(await shop.followUp('CAPTURE', trans_id), 208003, notPending)
})

test('concurrent refunds never exceed the captured amount', async () => {
  const { trans_id } = await pay()
  await Promise.all(Array.from({ length: 12 }, () => creditvoid(trans_id, { amount: '3.00' })))
  const returned = (await shop.readExecuted(trans_id))
    .filter(({ type }) => type === 'refund')
    .reduce((sum, { amount }) => sum + Number(amount), 0)
  assert.ok(returned >= 300 && returned <= 900, String(returned))
  const accepted = (await refundsTold(trans_id)).filter(({ fields }) => fields['result'] === 'SUCCESS')
  assert.equal(accepted.length * 300, returned)
})

test('the parameters of a refund are stored with its transaction', async () => {
  const { trans_id } = await pay()
  await creditvoid(trans_id, { 'parameters[reason]': 'returned' })
  const { rows } = await shop.base.pool.query(
    "select parameters from transactions where payment_id = $1 and type = 'REFUND'",
    [trans_id],
  )
  assert.deepEqual(rows, [{ parameters: { reason: 'returned' } }])
})

test('a trans_id of no payment of the caller is an unknown payment', async () => {
  for (const [what, transId] of await foreignTransIds(shop)) {
    const answer = await creditvoid(transId)
    assert.equal(answer.body.error_message, 'Payment not found.', what)
    assertRefused(answer, 100000, 'Payment not found.')
  }
})

test('a zero amount and a wrong hash are refused', async () => {
  const { trans_id } = await pay()
  assertInvalid(await creditvoid(trans_id, { amount: '0.00' }), 'amount: This value should be greater than 0.')
  assertInvalid(await creditvoid(trans_id, { hash: 'f'.repeat(32) }), 'hash: Hash is not valid.')
  assert.deepEqual(await readEffects(shop, trans_id), ['sale 1000'])
})
