/** The test cards, row by row, as far as they need no payer's page. Chapter 10 §12. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertInvalid,
  assertRefused,
  countRepeatedRequests,
  expiryFields,
  readCallbacks,
  readEffects,
  statusOf,
} from '../../payments.ts'
import { type Fields, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const moto: Fields = { moto_type: 'phone_moto' }
const mpiData: Fields = {
  'mpi_data[eci]': '05',
  'mpi_data[authentication_value]': 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  'mpi_data[ds_trans_id]': 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  'mpi_data[3ds_version]': '2.2.0',
}

// biome-ignore format: a table is read in columns.
const atOnce = [
  // expiry    SALE                with auth=Y         decline_reason
  ['01/2038', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['02/2038', 'DECLINED DECLINED', 'DECLINED DECLINED', 'Declined by processing'],
  ['03/2038', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['08/2038', 'DECLINED DECLINED', 'DECLINED DECLINED', 'Try again later'],
  ['09/2038', 'DECLINED DECLINED', 'DECLINED DECLINED', 'Stolen card'],
  ['10/2038', 'DECLINED DECLINED', 'DECLINED DECLINED', 'Insufficient funds'],
  ['01/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['02/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['03/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['04/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['05/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['09/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['10/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['11/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['01/2040', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['04/2040', 'SUCCESS SETTLED',   'SUCCESS PENDING',   undefined],
  ['05/2040', 'DECLINED DECLINED', 'DECLINED DECLINED', 'Declined by processing'],
] as const

for (const [expiry, plain, held, reason] of atOnce) {
  test(`${expiry}: SALE gives ${plain}, with auth=Y ${held}, and the callback says the same`, async () => {
    for (const [auth, expected] of [
      ['N', plain],
      ['Y', held],
    ] as const) {
      const { http, body } = await shop.sale({ auth, ...expiryFields(expiry) })
      assert.equal(http, 200)
      assert.equal(`${body.result} ${body.status}`, expected)
      assert.equal(body.decline_reason, reason)
      assert.equal(body.descriptor, 'TEST')
      assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), [expected])
      assert.equal((await shop.readExecuted(body.trans_id)).length, body.result === 'SUCCESS' ? 1 : 0)
    }
  })
}

// biome-ignore format: a table is read in columns.
const resolutions = [
  // expiry    SALE resolves to     with auth=Y
  ['04/2038', 'SUCCESS SETTLED',   'SUCCESS PENDING'],
  ['07/2038', 'DECLINED DECLINED', 'DECLINED DECLINED'],
  ['06/2039', 'SUCCESS SETTLED',   'SUCCESS PENDING'],
] as const

for (const [expiry, plain, held] of resolutions) {
  test(`${expiry}: UNDEFINED and PREPARE at first, ${plain} after 30 s, with auth=Y ${held}`, async () => {
    const payments = await Promise.all(['N', 'Y'].map((auth) => shop.sale({ auth, ...expiryFields(expiry) })))
    for (const { http, body } of payments) {
      assert.deepEqual([http, body.result, body.status], [200, 'UNDEFINED', 'PREPARE'])
      assert.equal(
        Object.keys(body).join(' '),
        'action result status order_id trans_id trans_date descriptor amount currency',
      )
    }
    await shop.advance(20_000)
    for (const { body } of payments) assert.equal(await statusOf(shop, body.trans_id), 'PREPARE')
    await shop.advance(31_000)
    for (const [index, later] of [plain, held].entries()) {
      const transId = payments[index]?.body.trans_id
      assert.deepEqual(await readCallbacks(shop, transId, 'SALE'), ['UNDEFINED PREPARE', later])
      assert.equal((await shop.readExecuted(transId)).length, later.startsWith('SUCCESS') ? 1 : 0)
    }
  })
}

test('01/2040: the 3DS attributes are present without a payer step', async () => {
  const attributes = ['threeDSServerTransID', 'dsTransID', 'acsTransID', 'transStatus', 'eci', 'protocolVersion']
  await shop.choose({ addToCallback: [...attributes, 'authenticationFlow'] })
  const { body } = await shop.sale(expiryFields('01/2040'))
  await shop.choose({})
  const [callback] = await shop.callbacks(body.trans_id)
  for (const name of attributes) assert.ok(callback?.fields[name], name)
  assert.equal(callback?.fields['authenticationFlow'], 'Frictionless')
})

test('07/2038: the late decline has its reason', async () => {
  const { body } = await shop.sale(expiryFields('07/2038'))
  await shop.advance(31_000)
  const [undecided, declined] = await shop.callbacks(body.trans_id)
  assert.equal(undecided?.fields['decline_reason'], undefined)
  assert.equal(declined?.fields['decline_reason'], 'Declined by processing')
})

test('06/2039: a sale that the acquirer executed before the connection dropped is charged once and never sent again', async () => {
  const { body } = await shop.sale(expiryFields('06/2039'))
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
  await shop.advance(31_000)
  assert.equal(await statusOf(shop, body.trans_id), 'SETTLED')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> settled 1000'])
  assert.equal(await countRepeatedRequests(shop), 0)
})

test('11/2038: the answer comes after 5 s and is SUCCESS', async () => {
  const begun = performance.now()
  const { body } = await shop.sale(expiryFields('11/2038'))
  assert.ok(performance.now() - begun >= 5_000)
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
})

test('07/2039: the connection closes without an answer, the callback is SUCCESS, and a repeat gets the answer', async () => {
  const fields = shop.saleFields({ order_id: 'LOST-ANSWER', ...expiryFields('07/2039') })
  const headers = { 'idempotency-key': 'lost-answer' }
  await assert.rejects(shop.raw(fields, { headers }), TypeError)

  const { http, body } = await shop.raw(fields, { headers })
  assert.deepEqual([http, body.result, body.status], [200, 'SUCCESS', 'SETTLED'])
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('07/2039: without an Idempotency-Key a look-up by order returns the payment', async () => {
  await assert.rejects(shop.sale({ order_id: 'LOST-ANSWER-2', ...expiryFields('07/2039') }), TypeError)
  const { body } = await shop.byOrder('LOST-ANSWER-2')
  assert.equal(body.status, 'SETTLED')
})

test('08/2039: is never resolved by itself; when the polling plan is exhausted, an alert is raised', async () => {
  const { body } = await shop.sale(expiryFields('08/2039'))
  assert.deepEqual([body.result, body.status], ['UNDEFINED', 'PREPARE'])
  for (const seconds of [5, 30, 120, 600, 3_600, 21_600]) await shop.advance(seconds * 1000)
  assert.deepEqual(await alerts(body.trans_id), [])
  await shop.advance(86_400_000)
  assert.deepEqual(await alerts(body.trans_id), ['outcome-unknown'])

  await shop.advance(10 * 86_400_000)
  assert.deepEqual(await alerts(body.trans_id), ['outcome-unknown'])
  assert.equal(await statusOf(shop, body.trans_id), 'PREPARE')
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'SALE'), ['UNDEFINED PREPARE'])
})

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query('select kind from alerts where payment_id = $1', [transId])
  return rows.map(({ kind }) => kind)
}

// biome-ignore format: a table is read in columns.
const later = [
  // expiry    SALE           later         gives                then
  ['01/2038', { auth: 'Y' }, 'CAPTURE',    'SUCCESS SETTLED'],
  ['01/2038', { auth: 'Y' }, 'CREDITVOID', 'SUCCESS REVERSAL'],
  ['01/2038', {},            'CREDITVOID', 'SUCCESS REFUND'],
  ['01/2038', {},            'VOID',       'SUCCESS VOID'],
  ['03/2038', { auth: 'Y' }, 'CAPTURE',    'DECLINED PENDING'],
  ['03/2038', { auth: 'Y' }, 'CREDITVOID', 'SUCCESS REVERSAL'],
  ['04/2039', {},            'CREDITVOID', 'DECLINED SETTLED'],
  ['04/2039', { auth: 'Y' }, 'CREDITVOID', 'DECLINED PENDING'],
  ['04/2039', {},            'VOID',       'SUCCESS VOID'],
  ['05/2039', {},            'VOID',       'DECLINED SETTLED'],
  ['05/2039', {},            'CREDITVOID', 'SUCCESS REFUND'],
  ['09/2039', {},            'CREDITVOID', 'WAITING SETTLED',   'SUCCESS REFUND'],
  ['09/2039', { auth: 'Y' }, 'CREDITVOID', 'WAITING PENDING',   'SUCCESS REVERSAL'],
  ['09/2039', { auth: 'Y' }, 'CAPTURE',    'SUCCESS SETTLED'],
  ['10/2039', { auth: 'Y' }, 'CAPTURE',    'UNDEFINED PENDING', 'SUCCESS SETTLED'],
  ['10/2039', { auth: 'Y' }, 'CREDITVOID', 'UNDEFINED PENDING', 'SUCCESS REVERSAL'],
  ['10/2039', {},            'CREDITVOID', 'UNDEFINED SETTLED', 'SUCCESS REFUND'],
  ['10/2039', {},            'VOID',       'UNDEFINED SETTLED', 'SUCCESS VOID'],
  ['11/2039', { auth: 'Y' }, 'CAPTURE',    'UNDEFINED PENDING', 'DECLINED PENDING'],
  ['11/2039', { auth: 'Y' }, 'CREDITVOID', 'UNDEFINED PENDING', 'DECLINED PENDING'],
  ['11/2039', {},            'CREDITVOID', 'UNDEFINED SETTLED', 'DECLINED SETTLED'],
  ['11/2039', {},            'VOID',       'UNDEFINED SETTLED', 'DECLINED SETTLED'],
] as const

for (const [expiry, over, action, gives, then] of later) {
  const what = 'auth' in over ? 'a hold' : 'a sale'
  test(`${expiry}: ${action} of ${what} gives ${gives}${then ? `, then ${then}` : ''}`, async () => {
    const { body } = await shop.sale({ ...over, ...expiryFields(expiry) })
    await shop.followUp(action, body.trans_id)
    if (then) await shop.advance(31_000)
    assert.deepEqual(await readCallbacks(shop, body.trans_id, action), then ? [gives, then] : [gives])
  })
}

// biome-ignore format: a table is read in columns.
const withoutPayerStep = [
  // expiry    outcome of the row
  ['05/2038', 'SUCCESS SETTLED'],
  ['06/2038', 'DECLINED DECLINED'],
  ['12/2038', 'SUCCESS SETTLED'],
  ['12/2039', 'DECLINED DECLINED'],
  ['02/2040', 'UNDEFINED PREPARE'],
] as const

for (const [expiry, outcome] of withoutPayerStep) {
  test(`${expiry}: if no payer step is possible, the outcome of the row, ${outcome}, comes at once`, async () => {
    for (const over of [moto, mpiData]) {
      const { body } = await shop.sale({ ...over, ...expiryFields(expiry) })
      assert.equal(`${body.result} ${body.status}`, outcome)
    }
  })
}

// biome-ignore format: a table is read in columns.
const networks = [
  // number             pan10          mask
  ['4601541833776519', '4601546519', '460154******6519'],
  ['5555555555554444', '5555554444', '555555******4444'],
  ['378282246310005',  '3782820005', '378282*****0005'],
] as const

for (const [card_number, pan10, mask] of networks) {
  test(`${mask}: other networks follow the same rows`, async () => {
    const { body } = await shop.sale({ card_number, auth: 'Y', ...expiryFields('03/2038') })
    assert.equal(body.status, 'PENDING')
    const { body: captured } = await shop.followUp('CAPTURE', body.trans_id, {}, { signedBy: { pan10 } })
    assert.deepEqual([captured.result, captured.status], ['DECLINED', 'PENDING'])
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(callback?.fields['card'], mask)
  })
}

test('1111222233334444: an unknown network is an error', async () => {
  assertRefused(await shop.sale({ card_number: '1111222233334444' }), 204006, 'Payment system/brand not supported.')
})

test('4111111111111112: a number with a wrong check digit is not valid', async () => {
  assertInvalid(await shop.sale({ card_number: '4111111111111112' }), 'card_number: This value is not valid.')
})

test('any other number is declined', async () => {
  const { body } = await shop.sale({ card_number: '4242424242424242' })
  assert.deepEqual([body.result, body.decline_reason], ['DECLINED', 'Declined by processing'])
})

test('the rows also apply with the test key', async () => {
  const as = { mode: 'test' } as const
  const outcomes = async (over: RequestFields) => (await shop.sale(over, as)).body.result
  assert.equal(await outcomes(expiryFields('01/2038')), 'SUCCESS')
  assert.equal(await outcomes(expiryFields('02/2038')), 'DECLINED')
})
