/**
 * SALE on S2S APM as the merchant sees it: the answers of every outcome, their callbacks, and the triggers of the sandbox. Chapter 20 §6,
 * §18.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Apm, openApmAccount } from '../../apm.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['chargebacks'])
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const seconds = 1000
const datePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** `result status` of the answer and of every callback so far. */
async function readCallbacks(transId: string): Promise<readonly string[]> {
  return (await apm.callbacks(transId)).map(
    ({ fields }) => `${fields['action']} ${fields['result']} ${fields['status']}`,
  )
}

const head = 'action result status order_id trans_id trans_date'

// biome-ignore format: a table is read in columns.
const answers: readonly (readonly [trigger: string, over: RequestFields, result: string, fields: string, callback: string])[] = [
  // Chapter 20 §18    request         answer                 fields of the answer (§6.2)              callback
  ['success',          {},             'SUCCESS SETTLED',     'descriptor amount currency',            'SALE SUCCESS SETTLED'],
  ['success',          { auth: 'Y' },  'SUCCESS PENDING',     'descriptor amount currency',            'SALE SUCCESS PENDING'],
  ['success',          { auth: 'N' },  'SUCCESS SETTLED',     'descriptor amount currency',            'SALE SUCCESS SETTLED'],
  ['success',          { auth: 'y' },  'SUCCESS SETTLED',     'descriptor amount currency',            'SALE SUCCESS SETTLED'],
  ['anybody',          {},             'SUCCESS SETTLED',     'descriptor amount currency',            'SALE SUCCESS SETTLED'],
  ['fail',             {},             'DECLINED DECLINED',   'amount currency decline_reason',        'SALE DECLINED DECLINED'],
  ['fail',             { auth: 'Y' },  'DECLINED DECLINED',   'amount currency decline_reason',        'SALE DECLINED DECLINED'],
  ['redirect',         {},             'REDIRECT REDIRECT',   'amount currency redirect_url redirect_params redirect_method', 'SALE REDIRECT REDIRECT'],
  ['undefined',        {},             'UNDEFINED PREPARE',   'descriptor amount currency',            'SALE UNDEFINED PREPARE'],
  ['undefined',        { auth: 'Y' },  'UNDEFINED PREPARE',   'descriptor amount currency',            'SALE UNDEFINED PREPARE'],
]

for (const [trigger, over, result, fields, callback] of answers) {
  test(`${trigger}@… ${JSON.stringify(over)}: ${result}, field by field, and one callback`, async () => {
    const { http, body, headers } = await apm.sale({ identifier: `${trigger}@any.example`, ...over })
    assert.equal(http, 200)
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(`${body.result} ${body.status}`, result)
    assert.equal(Object.keys(body).join(' '), `${head} ${fields}`)
    for (const [name, value] of Object.entries(body))
      assert.equal(typeof value, name === 'redirect_params' ? 'object' : 'string', name)
    assert.match(body.trans_date, datePattern)
    assert.deepEqual([body.action, body.amount, body.currency], ['SALE', '10.00', 'EUR'])
    assert.deepEqual(await readCallbacks(body.trans_id), [callback])
  })
}

test('a declined sale has its reason', async () => {
  const { body } = await apm.sale({ identifier: 'fail@example.com' })
  assert.equal(body.decline_reason, 'Declined by processing')
})

for (const [trigger, end] of [
  ['undefined', 'SUCCESS SETTLED'],
  ['undefined-fail', 'DECLINED DECLINED'],
] as const) {
  test(`${trigger}: resolved after 30 s`, async () => {
    const { body } = await apm.sale({ identifier: `${trigger}@example.com` })
    await shop.advance(31 * seconds)
    assert.deepEqual(await readCallbacks(body.trans_id), ['SALE UNDEFINED PREPARE', `SALE ${end}`])
  })
}

test('lost-reply: a sale that was executed without an answer is found, and executed once', async () => {
  const { body } = await apm.sale({ identifier: 'lost-reply@example.com' })
  assert.equal(body.result, 'UNDEFINED')
  await shop.advance(31 * seconds)
  assert.equal((await apm.status(body.trans_id)).body.status, 'SETTLED')
  assert.equal((await shop.readExecuted(body.trans_id)).length, 1)
})

test('soft-decline: declined if there is no other MID', async () => {
  const merchant = await openApmAccount(shop)
  assert.equal((await apm.sale({ identifier: 'soft-decline@example.com' }, { merchant })).body.result, 'DECLINED')
})

test('exchange: the callback contains the exchange rate, the answer does not', async () => {
  const { body } = await apm.sale({ identifier: 'exchange@example.com' })
  assert.equal(body.exchange_rate, undefined)
  const [callback] = await apm.callbacks(body.trans_id)
  for (const field of ['exchange_rate', 'exchange_currency', 'exchange_amount'])
    assert.ok(callback?.fields[field], `${field} is missing.`)
})

test('chargeback: called back after 60 s with its reason', async () => {
  const { body } = await apm.sale({ identifier: 'chargeback@example.com' })
  await shop.advance(90 * seconds)
  const callback = (await apm.callbacks(body.trans_id)).at(-1)
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    'action result status order_id trans_id hash amount chargeback_date bank_date reason_code',
  )
  const { action, result, status, amount, bank_date, reason_code } = callback?.fields ?? {}
  assert.deepEqual([action, result, status, amount], ['CHARGEBACK', 'SUCCESS', 'CHARGEBACK', '10.00'])
  assert.match(bank_date, /^\d{4}-\d{2}-\d{2}$/)
  assert.equal(reason_code, '1212 Fraud')
})

test('a plain sale on a MID in DMS mode is a hold', async () => {
  const { body } = await apm.sale({}, { merchant: 'demo-dms' })
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
})

test('both keys of a sandbox instance are served by the sandbox, each in its own mode', async () => {
  for (const mode of ['live', 'test'] as const) {
    const { body } = await apm.sale({}, { mode })
    assert.equal((await apm.status(body.trans_id, { mode })).body.status, 'SETTLED')
  }
})

test('an open crypto order has no amount in answer and hash', async () => {
  const { body } = await apm.sale({
    brand: 'crypto-pay',
    order_currency: 'BTC',
    order_amount: undefined,
    identifier: undefined,
  })
  assert.equal(Object.keys(body).join(' '), `${head} descriptor currency crypto_address crypto_network`)
})

test('a voucher contains the reference that the payer takes to the counter', async () => {
  const { body } = await apm.sale({ brand: 'voucher-cash', order_currency: 'USD', identifier: 'jane@example.com' })
  assert.equal(
    Object.keys(body).join(' '),
    `${head} descriptor amount currency voucher_reference voucher_expires voucher_url`,
  )
  assert.match(body.voucher_expires, datePattern)
})

test('dates are in the merchant’s time zone', async () => {
  const merchant = await openApmAccount(shop, { merchant: { timeZone: 'Asia/Tokyo' } })
  const voucher = { brand: 'voucher-cash', order_currency: 'USD', identifier: 'jane@example.com' }
  const [here, there] = [await apm.sale(voucher), await apm.sale(voucher, { merchant })]
  for (const field of ['trans_date', 'voucher_expires']) {
    const hours = (Date.parse(`${there.body[field]}Z`) - Date.parse(`${here.body[field]}Z`)) / 3_600_000
    assert.equal(Math.round(hours), 9, field)
  }
})

test('unknown members of parameters are forwarded, nested values unchanged', async () => {
  const { body } = await apm.sale({ 'parameters[own][0][type]': 'x', 'parameters[free]': 'y' })
  assert.equal(body.result, 'SUCCESS')
  const { rows } = await shop.base.pool.query('select parameters from payments where id = $1', [body.trans_id])
  assert.deepEqual(rows[0]?.parameters, { own: { 0: { type: 'x' } }, free: 'y' })
})

test('custom_data is returned in the callback as it was sent', async () => {
  const { body } = await apm.sale({ 'custom_data[cart]': '7', 'custom_data[b][10]': 'x', 'custom_data[b][9]': 'y' })
  const [callback] = await apm.callbacks(body.trans_id)
  assert.deepEqual(
    [
      callback?.fields['custom_data[cart]'],
      callback?.fields['custom_data[b][10]'],
      callback?.fields['custom_data[b][9]'],
    ],
    ['7', 'x', 'y'],
  )
})
