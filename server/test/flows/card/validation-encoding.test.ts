/** The encodings of a request, and the resulting values. Chapter 10 §1.1. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { assertViolations, says } from '../../refusals.ts'
import { formOf, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' }

/** A SALE of these fields, followed by raw text that no form library would write. */
const saleAnd = (raw: string, over: RequestFields = {}) =>
  shop.send({ body: `${formOf(shop.saleFields(over)).toString()}&${raw}`, headers: formHeaders })

async function readPaymentRow(transId: string) {
  const { rows } = await shop.base.pool.query('select * from payments where id = $1', [transId])
  return rows[0]
}

test('multipart/form-data is read like a urlencoded form, and files in it are ignored', async () => {
  const form = new FormData()
  for (const [name, value] of Object.entries(shop.saleFields({ 'custom_data[a][b]': 'ü' })))
    form.append(name, value ?? '')
  form.append('order_description', new File(['not a description'], 'description.txt'))
  const answer = await shop.send({ body: form })
  assertViolations(answer, [])
  assert.equal(answer.body.result, 'SUCCESS')
  const { custom_data, order_description } = await readPaymentRow(answer.body.trans_id)
  assert.deepEqual([custom_data, order_description], [{ a: { b: 'ü' } }, 'Shoes'])
})

test('a missing content type is read as urlencoded', async () => {
  const body = new TextEncoder().encode(String(formOf(shop.saleFields())))
  assertViolations(await shop.send({ body }), [])
})

test('a content type may contain a charset, in any case', async () => {
  const headers = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' }
  assertViolations(await shop.send({ body: String(formOf(shop.saleFields())), headers }), [])
})

test('the last of repeated names counts, even if it is empty', async () => {
  const answer = await saleAnd('order_id=LAST')
  assert.equal(answer.body.order_id, 'LAST')
  assertViolations(await saleAnd('order_id='), [`order_id: ${says.blank}`])
})

test('names are case-sensitive and unknown ones are ignored', async () => {
  assertViolations(await saleAnd('ORDER_ID=x&no_such_parameter=1&order_id%20=y'), [])
  assertViolations(await shop.sale({ order_id: undefined, Order_Id: 'x' }), [`order_id: ${says.blank}`])
})

for (const blank of ['', ' ', '\t\r\n ', '\u00a0\u3000']) {
  test(`a value of ${JSON.stringify(blank)} counts as not sent`, async () => {
    assertViolations(await shop.sale({ order_description: blank }), [`order_description: ${says.blank}`])
    assertViolations(await shop.sale({ payer_ip: blank, payer_country: blank, auth: blank, channel_id: blank }), [
      `payer_ip: ${says.blank}`,
    ])
  })
}

test('other values are used as sent, without trimming', async () => {
  const { body } = await shop.sale({ order_id: ' A ', order_description: ' two  words ' })
  assert.equal(body.order_id, ' A ')
  assert.equal((await readPaymentRow(body.trans_id)).order_description, ' two  words ')
})

test('a value that is not UTF-8 is refused with the name of its parameter', async () => {
  for (const param of [
    'order_id',
    'order_amount',
    'payer_email',
    'payer_language',
    'term_url_target',
    'auth',
    'channel_id',
  ])
    assertViolations(await saleAnd(`${param}=%ff%fe`), [`${param}: ${says.notValid}`])
  for (const param of ['custom_data', 'parameters'])
    assertViolations(await saleAnd(`${param}[a]=%C3%28`), [`${param}: ${says.notValid}`])
})

test('a bracket form where a text is expected is not valid', async () => {
  for (const param of [
    'order_id',
    'order_amount',
    'payer_email',
    'payer_ip',
    'term_url_3ds',
    'payer_city',
    'moto_type',
  ])
    assertViolations(await shop.sale({ [param]: undefined, [`${param}[a]`]: '1' }), [`${param}: ${says.notValid}`])
})

test('a text where an object is expected is not valid, and an empty text counts as none', async () => {
  for (const param of ['custom_data', 'parameters', 'mpi_data']) {
    assertViolations(await shop.sale({ [param]: 'x' }), [`${param}: ${says.notValid}`])
    assertViolations(await shop.sale({ [param]: '' }), [])
  }
})

test('custom_data may have 8 KiB after decoding and not a byte more', async () => {
  // Two bytes each after decoding, six before.
  assertViolations(await shop.sale({ 'custom_data[a]': 'é'.repeat(4096) }), [])
  assertViolations(await shop.sale({ 'custom_data[a]': `${'é'.repeat(4096)}x` }), [`custom_data: ${says.notValid}`])
  assertViolations(await shop.sale({ 'custom_data[a]': 'x'.repeat(4096), 'custom_data[b][c]': 'x'.repeat(4096) }), [])
  assertViolations(await shop.sale({ 'custom_data[a]': 'x'.repeat(4096), 'custom_data[b][c]': 'x'.repeat(4097) }), [
    `custom_data: ${says.notValid}`,
  ])
  assertViolations(await shop.sale({ [`custom_data[${'n'.repeat(8193)}]`]: 'x' }), [`custom_data: ${says.notValid}`])
})

test('a value inside parameters may have 1024 characters, on every action that has them', async () => {
  const [fits, exceeds] = ['\u{1F45F}'.repeat(1024), 'x'.repeat(1025)]
  const row = [`parameters: ${says.notValid}`]
  const held = await shop.sale({ auth: 'Y', 'parameters[a][b]': fits, 'parameters[c]': fits })
  assertViolations(held, [])
  assertViolations(await shop.sale({ 'parameters[a][b]': exceeds }), row)
  for (const action of ['CAPTURE', 'CREDITVOID', 'VOID'])
    assertViolations(await shop.followUp(action, held.body.trans_id, { 'parameters[a]': exceeds }), row)
  assertViolations(await shop.followUp('CAPTURE', held.body.trans_id, { 'parameters[a]': fits }), [])
})

test('nested names become objects, empty values in them are left out, and the callback returns them as sent', async () => {
  const { body } = await saleAnd(
    'custom_data[a][b]=1&custom_data[a][c]=&custom_data[d]=+&custom_data[e][f]=&custom_data[list][]=x',
  )
  assert.deepEqual((await readPaymentRow(body.trans_id)).custom_data, { a: { b: '1' }, list: { 0: 'x' } })
  const [callback] = await shop.callbacks(body.trans_id)
  const customData = Object.entries(callback?.fields ?? {}).filter(([name]) => name.startsWith('custom_data'))
  assert.deepEqual(customData, [
    ['custom_data[a][b]', '1'],
    ['custom_data[list][0]', 'x'],
  ])
})

test('custom_data with only empty values counts as not sent', async () => {
  const { body } = await shop.sale({ 'custom_data[a]': '', 'custom_data[b][c]': ' ' })
  assert.equal((await readPaymentRow(body.trans_id)).custom_data, null)
})

test('names with a meaning in JavaScript are ordinary names', async () => {
  const { body } = await shop.sale({
    'custom_data[__proto__]': '1',
    'custom_data[constructor]': '2',
    '__proto__[x]': '3',
  })
  assert.equal(JSON.stringify((await readPaymentRow(body.trans_id)).custom_data), '{"__proto__":"1","constructor":"2"}')
})

test('client_key is case-insensitive', async () => {
  assertViolations(await shop.sale({ client_key: shop.merchant().key.toUpperCase() }), [])
})

test('/v2/post accepts the same requests', async () => {
  const { body } = await shop.sale({}, { path: '/v2/post' })
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
})

test('a request that is no HTTP gets our error body', async () => {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1')
  socket.write('hello\r\n\r\n')
  assert.match(await text(socket), /^HTTP\/1\.1 400 Bad Request[\s\S]*\r\n\r\n\{"result":"ERROR","error_code":100000,/)
})
