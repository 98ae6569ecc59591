/** The fields of callbacks: always, by kind of event, and by the Add Data list of the mapping. Chapter 10 §11.2. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { callbackHash, expiryFields } from '../../payments.ts'
import type { ReceivedRequest } from '../../receiver.ts'
import { type Fields, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())

/** The fields of the callbacks of a payment, one object each. */
async function fieldsOf(transId: string): Promise<readonly ReceivedRequest['fields'][]> {
  return (await shop.callbacks(transId)).map(({ fields }) => fields)
}

async function makeSale(over: RequestFields = {}): Promise<string> {
  return (await shop.sale(over)).body.trans_id
}

const always = 'action result status order_id trans_id hash'
const money = 'trans_date descriptor amount currency'

// biome-ignore format: a table is read in columns.
const events = [
  // event                  SALE                               later          the fields of the last callback, in their order
  ['SALE SUCCESS',          {},                                null,          `${always} ${money} card card_expiration_date`],
  ['SALE SUCCESS held',     { auth: 'Y' },                     null,          `${always} ${money} card card_expiration_date`],
  ['SALE SUCCESS saved',    { req_token: 'Y' },                null,          `${always} ${money} card card_expiration_date card_token`],
  ['SALE SUCCESS by MOTO',  { moto_type: 'email_moto' },       null,          `${always} ${money} card card_expiration_date moto_type`],
  ['SALE DECLINED',         expiryFields('02/2038'),               null,          `${always} ${money} decline_reason`],
  ['SALE DECLINED by MOTO', { moto_type: 'email_moto', ...expiryFields('02/2038') }, null, `${always} ${money} decline_reason moto_type`],
  ['SALE UNDEFINED',        expiryFields('04/2038'),               null,          `${always} ${money}`],
  ['CAPTURE SUCCESS',       { auth: 'Y' },                     'CAPTURE',     `${always} ${money}`],
  ['CAPTURE DECLINED',      { auth: 'Y', ...expiryFields('03/2038') }, 'CAPTURE', `${always} ${money} decline_reason`],
  ['CAPTURE UNDEFINED',     { auth: 'Y', ...expiryFields('10/2039') }, 'CAPTURE', `${always} ${money}`],
  ['VOID SUCCESS',          {},                                'VOID',        `${always} trans_date`],
  ['VOID DECLINED',         expiryFields('05/2039'),               'VOID',        `${always} trans_date decline_reason`],
  ['VOID UNDEFINED',        expiryFields('10/2039'),               'VOID',        `${always} trans_date`],
  ['CREDITVOID SUCCESS',    {},                                'CREDITVOID',  `${always} creditvoid_id creditvoid_date amount`],
  ['CREDITVOID DECLINED',   expiryFields('04/2039'),               'CREDITVOID',  `${always} creditvoid_id creditvoid_date amount decline_reason`],
  ['CREDITVOID UNDEFINED',  expiryFields('10/2039'),               'CREDITVOID',  `${always} creditvoid_id creditvoid_date amount`],
  ['CREDITVOID WAITING',    expiryFields('09/2039'),               'CREDITVOID',  `${always} creditvoid_id creditvoid_date amount`],
] as const

for (const [event, over, later, expected] of events) {
  test(`${event}: has exactly the documented fields, in their order`, async () => {
    const transId = await makeSale(over)
    if (later) await shop.followUp(later, transId)
    const last = (await fieldsOf(transId)).at(-1) ?? {}
    assert.equal(`${last['action']} ${last['result']}`, event.split(' ').slice(0, 2).join(' '))
    assert.equal(Object.keys(last).join(' '), expected)
    assert.equal(last['hash'], callbackHash(shop, transId))
  })
}

test('custom_data is in every callback of the payment', async () => {
  const transId = await makeSale({
    auth: 'Y',
    'custom_data[cart]': '778',
    'custom_data[lines][0]': 'shoes',
    ...expiryFields('10/2039'),
  })
  await shop.followUp('CAPTURE', transId)
  await shop.advance(31_000)
  await shop.followUp('CREDITVOID', transId)
  await shop.advance(31_000)
  const callbacks = await fieldsOf(transId)
  assert.equal(callbacks.length, 5)
  for (const fields of callbacks) {
    assert.deepEqual([fields['custom_data[cart]'], fields['custom_data[lines][0]']], ['778', 'shoes'])
  }
})

const payerFields: Fields = {
  payer_first_name: 'Zoë',
  payer_last_name: 'Doe',
  payer_birth_date: '1990-02-17',
  payer_address: 'Big street',
  payer_address2: 'Back yard',
  payer_house_number: '12b',
  payer_phone_country_code: '1-684',
  payer_country: 'US',
  payer_state: 'CA',
  payer_city: 'Springfield',
  payer_district: 'West',
  payer_zip: '12345',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
}

test('each payer field is sent if it is selected, and only then', async () => {
  for (const [name, value] of Object.entries(payerFields)) {
    await shop.choose({ addToCallback: [name] })
    const [fields] = await fieldsOf(await makeSale(payerFields))
    assert.deepEqual(Object.fromEntries(Object.entries(fields ?? {}).filter(([key]) => key in payerFields)), {
      [name]: value,
    })
  }
})

test('a selected field without a value is not sent', async () => {
  await shop.choose({ addToCallback: ['payer_zip', 'initiator', 'eci', 'issuer_bank', 'browser_language'] })
  const [fields] = await fieldsOf(await makeSale())
  assert.equal(Object.keys(fields ?? {}).join(' '), `${always} ${money} card card_expiration_date`)
})

// biome-ignore format: a table is read in columns.
const selectable: readonly (readonly [field: string, value: string | RegExp])[] = [
  // field                     value of a settled SALE
  ['connector_name',           'Sandbox acquirer'],
  ['rrn',                      /^\d{12}$/],
  ['approval_code',            /^\w{6}$/],
  ['merchant_name',            'demo'],
  ['mid_name',                 'sandbox-live'],
  ['arn',                      /^\d{23}$/],
  ['brand',                    'payment_document_card'],
  ['checkout_payment_method',  'card'],
  ['payment_method',           'card'],
  ['customer_ip',              '203.0.113.7'],
]

for (const [field, value] of selectable) {
  test(`${field} is sent if it is selected`, async () => {
    await shop.choose({ addToCallback: [field] })
    const [fields] = await fieldsOf(await makeSale())
    if (typeof value === 'string') assert.equal(fields?.[field], value)
    else assert.match(fields?.[field], value)
  })
}

test('extended_data contains what the acquirer returned beyond the named fields', async () => {
  await shop.choose({ addToCallback: ['extended_data'] })
  const [fields] = await fieldsOf(await makeSale())
  assert.equal(fields?.['extended_data[avs_result]'], 'Y')
  assert.equal(fields?.['extended_data[cvv_result]'], 'M')
  assert.ok(fields?.['extended_data[network_transaction_id]'])
  assert.equal(fields?.['extended_data[decline_class]'], undefined)
})

// biome-ignore format: a table is read in columns.
const declineClasses = [
  // expiry    class
  ['08/2038', 'soft'],
  ['09/2038', 'hard'],
  ['10/2038', 'soft'],
] as const

for (const [expiry, declineClass] of declineClasses) {
  test(`the decline of ${expiry} is classified as ${declineClass}`, async () => {
    await shop.choose({ addToCallback: ['extended_data'] })
    const [fields] = await fieldsOf(await makeSale(expiryFields(expiry)))
    assert.equal(fields?.['extended_data[decline_class]'], declineClass)
  })
}

test('3DS attributes of mpi_data are sent as given, and the authentication value never', async () => {
  const names = ['eci', 'dsTransID', 'xid', 'transStatus', 'protocolVersion', 'acsTransID', 'authenticationFlow']
  await shop.choose({ addToCallback: names })
  const authentication = 'AAABBEg0VhI0VniQEjRWAAAAAAA='
  const transId = await makeSale({
    'mpi_data[eci]': '05',
    'mpi_data[authentication_value]': authentication,
    'mpi_data[ds_trans_id]': 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    'mpi_data[3ds_version]': '2.2.0',
    'mpi_data[trans_status]': 'Y',
    'mpi_data[xid]': 'ABC-1',
  })
  const [callback] = await shop.callbacks(transId)
  const selected = Object.entries(callback?.fields ?? {}).filter(([name]) => names.includes(name))
  assert.deepEqual(Object.fromEntries(selected), {
    eci: '05',
    dsTransID: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
    xid: 'ABC-1',
    transStatus: 'Y',
    protocolVersion: '2.2.0',
  })
  assert.ok(!decodeURIComponent(callback?.raw ?? '').includes(authentication))
})

test('arn is sent empty if it is selected and missing', async () => {
  await shop.choose({ addToCallback: ['arn'] })
  for (const expiry of ['02/2038', '04/2038']) {
    const [callback] = await shop.callbacks(await makeSale(expiryFields(expiry)))
    assert.match(callback?.raw ?? '', /&arn=(&|$)/, expiry)
  }
})

test('SALE, AUTH and REFUND transactions have an arn, each its own', async () => {
  await shop.choose({ addToCallback: ['arn'] })
  const refunded = await makeSale()
  await shop.followUp('CREDITVOID', refunded)
  const [sale, refund] = await fieldsOf(refunded)
  assert.match(sale?.['arn'], /^\d{23}$/)
  assert.match(refund?.['arn'], /^\d{23}$/)
  assert.notEqual(sale?.['arn'], refund?.['arn'])

  const captured = await makeSale({ auth: 'Y' })
  await shop.followUp('CAPTURE', captured)
  await shop.followUp('VOID', captured)
  const released = await makeSale({ auth: 'Y' })
  await shop.followUp('CREDITVOID', released)
  const [authorised, ...others] = [...(await fieldsOf(captured)), ...(await fieldsOf(released)).slice(1)]
  assert.match(authorised?.['arn'], /^\d{23}$/)
  assert.deepEqual(
    others.map((fields) => [fields['action'], 'arn' in fields]),
    [
      ['CAPTURE', false],
      ['VOID', false],
      ['CREDITVOID', false],
    ],
  )
})

test('an unfinished refund has no arn yet, and never that of the sale', async () => {
  await shop.choose({ addToCallback: ['arn', 'approval_code'] })
  const transId = await makeSale(expiryFields('09/2039'))
  await shop.followUp('CREDITVOID', transId)
  await shop.advance(31_000)
  const [sale, waiting, done] = await fieldsOf(transId)
  assert.deepEqual([waiting?.['result'], waiting?.['arn'], waiting?.['approval_code']], ['WAITING', '', undefined])
  assert.equal(done?.['result'], 'SUCCESS')
  assert.match(done?.['arn'], /^\d{23}$/)
  assert.notEqual(done?.['arn'], sale?.['arn'])
})

test('card and card_expiration_date, if selected, are in every callback', async () => {
  await shop.choose({ addToCallback: ['card', 'card_expiration_date'] })
  const declined = await makeSale(expiryFields('02/2038'))
  const refunded = await makeSale()
  await shop.followUp('CREDITVOID', refunded)
  for (const fields of [...(await fieldsOf(declined)), ...(await fieldsOf(refunded))]) {
    assert.equal(fields['card'], '411111******1111')
    assert.match(fields['card_expiration_date'], /^0[12]\/2038$/)
  }
})

test('the lists for callbacks and for look-ups are separate', async () => {
  await shop.choose({ addToStatus: ['rrn'] })
  const transId = await makeSale()
  const [fields] = await fieldsOf(transId)
  assert.equal(fields?.['rrn'], undefined)
  const { body } = await shop.followUp('GET_TRANS_STATUS', transId)
  assert.match(body.rrn, /^\d{12}$/)
})

test('dates are in the time zone of the merchant', async () => {
  await shop.configure("update merchants set time_zone = 'Asia/Tokyo' where name = 'demo'")
  const { body } = await shop.sale()
  const [fields] = await fieldsOf(body.trans_id)
  await shop.configure("update merchants set time_zone = 'UTC' where name = 'demo'")
  assert.equal(fields?.['trans_date'], body.trans_date)
  const ahead = Date.parse(`${body.trans_date}Z`) - shop.base.clock.now().getTime()
  assert.ok(Math.abs(ahead - 9 * 3_600_000) < 60_000, `${ahead} ms`)
})
