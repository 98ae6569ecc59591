/** The Authentication request and the session token: chapter 30 §3 and §8.2, parameter by parameter. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { assertRows, assertSingleError, type Body, CheckoutClient } from '../../pages/checkout.ts'
import { openShop, type Shop } from '../../shop.ts'

let shop: Shop
let client: CheckoutClient

before(async () => {
  shop = await openShop()
  client = new CheckoutClient(shop)
})
after(() => shop[Symbol.asyncDispose]())

const blank = 'This value should not be blank.'
const notValid = 'This value is not valid.'
const notPositive = 'This value should be greater than 0.'
const tooLong = (limit: number) => `This value is too long. It should have ${limit} characters or less.`
const tooShort = (limit: number) => `This value is too short. It should have ${limit} characters or more.`
const ofType = (type: string) => `This value should be of type ${type}.`
const text = (length: number) => 'x'.repeat(length)
const url = (length: number) => `https://shop.example/${'x'.repeat(length - 'https://shop.example/'.length)}`
const token = 'a'.repeat(64)
const schedule = randomUUID()

/** One change to a valid request, and the rows of the answer. */
type Case = readonly [title: string, over: Body & { order?: Body }, rows: readonly string[]]

// biome-ignore format: a table is read in columns.
const cases: readonly Case[] = [
  ['an unknown operation',              { operation: 'sale' },                               ['operation: The value you selected is not a valid choice.']],
  ['no operation',                      { operation: '' },                                   [`operation: ${blank}`]],
  ['a blank method',                    { methods: [''] },                                   [`methods: ${blank}`]],
  ['an empty list of methods',          { methods: [] },                                     []],
  ['one method as text',                { methods: 'card' },                                 []],
  ['a method too long',                 { methods: [text(65)] },                             [`methods: ${tooLong(64)}`]],
  ['methods as a number',               { methods: 5 },                                      [`methods: ${ofType('array')}`]],
  ['a channel too long',                { channel_id: text(17) },                            [`channel_id: ${tooLong(16)}`]],
  ['a channel of nobody',               { channel_id: 'nobody' },                            ['channel_id: This value is not correct.']],
  ['an expiry of 720 minutes',          { session_expiry: 720 },                             []],
  ['an expiry of 721 minutes',          { session_expiry: 721 },                             ['session_expiry: This value should be between 1 and 720.']],
  ['an expiry of nothing',              { session_expiry: 0 },                               ['session_expiry: This value should be between 1 and 720.']],
  ['an expiry as digits',               { session_expiry: '60' },                            []],
  ['an expiry as words',                { session_expiry: 'soon' },                          [`session_expiry: ${ofType('integer')}`]],
  ['no order number',                   { order: { number: '' } },                           [`order.number: ${blank}`]],
  ['an order number too long',          { order: { number: text(256) } },                    [`order.number: ${tooLong(255)}`]],
  ['an order number with a line end',   { order: { number: 'a\nb' } },                       [`order.number: ${notValid}`]],
  ['an order number in any script',     { order: { number: 'заказ №5' } },                   []],
  ['no amount',                         { order: { amount: null } },                         [`order.amount: ${blank}`]],
  ['an amount of words',                { order: { amount: 'ten' } },                        [`order.amount: ${notValid}`]],
  ['a leading zero',                    { order: { amount: '010.00' } },                     [`order.amount: ${notValid}`]],
  ['a thousands separator',             { order: { amount: '1,000.00' } },                   [`order.amount: ${notValid}`]],
  ['more decimals than the currency',   { order: { amount: '1.001' } },                      [`order.amount: ${notValid}`]],
  ['fewer decimals',                    { order: { amount: '1.1' } },                        []],
  ['decimals of yen',                   { order: { amount: '10.10', currency: 'JPY' } },     [`order.amount: ${notValid}`]],
  ['two zeros of yen',                  { order: { amount: '10.00', currency: 'JPY' } },     []],
  ['two zeros of francs',               { order: { amount: '1000.00', currency: 'XOF' } },   []],
  ['two zeros of Paraguay',             { order: { amount: '1000.00', currency: 'PYG' } },   []],
  ['three decimals of dinars',          { order: { amount: '1.001', currency: 'KWD' } },     []],
  ['a zero amount',                     { order: { amount: '0.00' } },                       [`order.amount: ${notPositive}`, `amount: ${notPositive}`]],
  ['an amount below zero',              { order: { amount: '-5' } },                         [`order.amount: ${notPositive}`, `amount: ${notPositive}`]],
  ['an unknown currency',               { order: { currency: 'EURO' } },                     [`order.currency: ${notValid}`]],
  ['a currency in small letters',       { order: { currency: 'eur' } },                      [`order.currency: ${notValid}`]],
  ['a description of one letter',       { order: { description: 'x' } },                     [`order.description: ${tooShort(2)}`]],
  ['a description too long',            { order: { description: text(1025) } },              [`order.description: ${tooLong(1024)}`]],
  ['a description as a number',         { order: { description: 12 } },                      [`order.description: ${ofType('string')}`]],
  ['a cancel_url without a scheme',     { cancel_url: 'shop.example/no' },                   ['cancel_url: This value is not a valid URL.']],
  ['a cancel_url of another scheme',    { cancel_url: 'ftp://shop.example/no' },             ['cancel_url: This value is not a valid URL.']],
  ['no success_url',                    { success_url: undefined },                          [`success_url: ${blank}`]],
  ['a success_url of 1024',             { success_url: url(1024) },                          []],
  ['a success_url of 1025',             { success_url: url(1025) },                          [`success_url: ${tooLong(1024)}`]],
  ['an expiry_url that is none',        { expiry_url: 'x' },                                 ['expiry_url: This value is not a valid URL.']],
  ['an error_url that is none',         { error_url: 'x' },                                  ['error_url: This value is not a valid URL.']],
  ['a return_url, which pages ignore',  { return_url: 'x' },                                 []],
  ['an unknown link target',            { url_target: '_new' },                              ['url_target: The value you selected is not a valid choice.']],
  ['a flag as a word',                  { req_token: 'maybe' },                              [`req_token: ${ofType('boolean')}`]],
  ['a flag as a letter',                { req_token: 'Y' },                                  []],
  ['a card token as text',              { card_token: token },                               []],
  ['a card token too short',            { card_token: ['abc'] },                             [`card_token: ${notValid}`]],
  ['21 card tokens',                    { card_token: Array(21).fill(token) },               [`card_token: ${notValid}`]],
  ['a chain of a payout',               { operation: 'credit', recurring_init: true },       [`recurring_init: ${notValid}`]],
  ['a schedule without a chain',        { schedule_id: schedule },                           [`schedule_id: ${notValid}`]],
  ['a schedule that is no UUID',        { recurring_init: true, schedule_id: 'x' },          [`schedule_id: ${notValid}`]],
  ['a start date without a schedule',   { recurring_init: true, schedule_start_date: '2099-01-01' }, [`schedule_id: ${blank}`]],
  ['a consent without a schedule',      { recurring_init: true, recurring_consent_required: true }, [`schedule_id: ${blank}`]],
  ['a start date in the past',          { recurring_init: true, schedule_id: schedule, schedule_start_date: '2020-01-01' }, [`schedule_start_date: ${notValid}`]],
  ['a price without a schedule',        { recurring_init: true, payment_schedule_amount: '5.00' }, [`schedule_id: ${blank}`]],
  ['a chain of a transfer',             { operation: 'transfer', recurring_init: true },     [`recurring_init: ${notValid}`]],
  ['an amount of a transfer, open',     { operation: 'transfer', order: { amount: '-1' } },  []],
  ['a hold of a payout',                { operation: 'credit', auth: true },                 [`auth: ${notValid}`]],
  ['a start date that is none',         { recurring_init: true, schedule_id: schedule, schedule_start_date: '2099-02-30' }, [`schedule_start_date: ${notValid}`]],
  ['a plan of nothing',                 { recurring_init: true, schedule_id: schedule, payment_schedule_amount: '0' }, [`payment_schedule_amount: ${notPositive}`]],
  ['a free trial without a price',      { recurring_init: true, schedule_id: schedule, order: { amount: '0' } }, [`payment_schedule_amount: ${blank}`]],
  ['a hold of a debit',                 { operation: 'debit', auth: true },                  [`auth: ${notValid}`]],
  ['a hold as a letter',                { auth: 'Y' },                                       []],
  ['an unknown kind of MOTO',           { moto_type: 'fax' },                                ['moto_type: The value you selected is not a valid choice.']],
  ['MOTO on a payout, not looked at',   { operation: 'credit', moto_type: 'fax' },           []],
  ['VAT of a debit',                    { operation: 'debit', vat_calc: true },              [`vat_calc: ${notValid}`]],
  ['an unknown form',                   { form_id: 'mine' },                                 ['form_id: This value is not correct.']],
  ['a customer as a list',              { customer: [] },                                    []],
  ['a customer as text',                { customer: 'Jane' },                                [`customer: ${ofType('object')}`]],
  ['a name in any script',              { customer: { name: '山田太郎' } },                   []],
  ['a name too long',                   { customer: { name: text(256) } },                   [`customer.name: ${tooLong(255)}`]],
  ['a name of one letter',              { customer: { name: 'J' } },                         [`customer.name: ${tooShort(2)}`]],
  ['an e-mail without @',               { customer: { email: 'jane' } },                     ['customer.email: This value is not a valid email address.']],
  ['a birthday to come',                { customer: { birth_date: '2099-01-01' } },          [`customer.birth_date: ${notValid}`]],
  ['a country in small letters',        { billing_address: { country: 'us', state: 'ca' } }, []],
  ['an unknown country',                { billing_address: { country: 'XX' } },              [`billing_address.country: ${notValid}`]],
  ['Namibia',                           { billing_address: { country: 'NA' } },              []],
  ['a state that is none',              { billing_address: { country: 'US', state: 'Bavaria' } }, [`billing_address.state: ${notValid}`]],
  ['a state where none is asked',       { billing_address: { country: 'DE', state: text(90) } }, []],
  ['a city too long',                   { billing_address: { city: text(41) } },             [`billing_address.city: ${tooLong(40)}`]],
  ['a district too long',               { billing_address: { district: text(33) } },         [`billing_address.district: ${tooLong(32)}`]],
  ['an address too long',               { billing_address: { address: text(256) } },         [`billing_address.address: ${tooLong(255)}`]],
  ['a house number too long',           { billing_address: { house_number: text(10) } },     [`billing_address.house_number: ${tooLong(9)}`]],
  ['a ZIP too long',                    { billing_address: { zip: text(11) } },              [`billing_address.zip: ${tooLong(10)}`]],
  ['a phone with letters',              { billing_address: { phone: 'call me' } },           [`billing_address.phone: ${notValid}`]],
  ['a phone as people write it',        { billing_address: { phone: '+1 (555) 010-99.8/7' } }, []],
  ['a dialling code with a plus',       { billing_address: { phone_country_code: '+1-684' } }, []],
  ['a dialling code with letters',      { billing_address: { phone_country_code: 'US' } },   [`billing_address.phone_country_code: ${notValid}`]],
  ['nothing, as clients write it',      { billing_address: { phone: 'N/A', city: 'none', zip: 'NA' } }, []],
  ['any language',                      { billing_address: { language: 'klingon' } },        []],
  ['a payee without a name',            { operation: 'credit', payee: { email: 'a@b.example' } }, [`payee.name: ${blank}`]],
  ['a network too long',                { crypto: { network: text(51) } },                   [`crypto.network: ${tooLong(50)}`]],
  ['a parameter too long',              { parameters: { card: { note: text(1025) } } },      [`parameters: ${notValid}`]],
  ['parameters as text',                { parameters: 'x' },                                 [`parameters: ${ofType('object')}`]],
  ['custom data of 9 KiB',              { custom_data: { a: text(9 * 1024) } },              [`custom_data: ${notValid}`]],
  ['members of nobody',                 { from_id: 'x', 'own extra': { a: 1 } },             []],
  ['white space around a key',          { 'req_token ': true },                              []],
]

describe('a session with', () => {
  for (const [title, over, rows] of cases) {
    test(`${title} is ${rows.length === 0 ? 'made' : 'refused'}`, async () =>
      assertRows(await client.session(over), rows))
  }
})

test('all rows are reported, in the order of the table', async () => {
  const answer = await client.session({ operation: 'x', order: { number: '' }, cancel_url: 'x' })
  assertRows(answer, [
    'operation: The value you selected is not a valid choice.',
    `order.number: ${blank}`,
    'cancel_url: This value is not a valid URL.',
  ])
})

test('an empty request reports every missing parameter', async () => {
  assertRows(await client.send('/api/v1/session', {}), [
    `merchant_key: ${blank}`,
    `operation: ${blank}`,
    `order.number: ${blank}`,
    `order.amount: ${blank}`,
    `order.currency: ${blank}`,
    `order.description: ${blank}`,
    `success_url: ${blank}`,
    `hash: ${blank}`,
  ])
})

test('an amount and an order number as JSON numbers are signed and stored by their literal text', async () => {
  const { key, password } = shop.merchant()
  const body = client.sign('session', client.purchase({ order: { number: '5001', amount: '0.10' } }))
  const text = JSON.stringify({ ...body, merchant_key: key })
    .replace('"0.10"', '0.10')
    .replace('"5001"', '5001')
  assert.ok(text.includes('"amount":0.10') && password)
  const answer = await client.send('/api/v1/session', text)
  assert.equal(answer.http, 200, answer.text)
  const session = await client.byToken(answer.body.redirect_url.split('/auth/')[1])
  assert.deepEqual([session.request.order.number, session.request.order.amount], ['5001', '0.10'])
})

test('the request is stored as it was read', async () => {
  const session = await client.openSession({
    methods: ['card'],
    session_expiry: 30,
    url_target: '_top',
    req_token: '1',
    moto_type: 'ecommerce',
    customer: { name: ' Jane\tRoe ', email: 'jane@example.com', ip: 'not looked at' },
    billing_address: { country: 'us', state: 'CA', phone_country_code: '+1', zip: 'n/a', city: 'Los\r\nAngeles' },
    parameters: { card: { note: 5, empty: '' } },
    custom_data: { a: 1, b: ['x'] },
  })
  const { request } = session
  assert.deepEqual(request.customer, { name: 'Jane Roe', email: 'jane@example.com' })
  assert.deepEqual(request.billingAddress, {
    country: 'US',
    state: 'CA',
    city: 'Los  Angeles',
    phone_country_code: '1',
  })
  assert.deepEqual(request.parameters, { card: { note: '5' } })
  assert.deepEqual(request.customData, { a: 1, b: ['x'] })
  assert.deepEqual([request.saveCard, request.urlTarget, request.motoType], [true, '_top', 'ecommerce'])
  assert.equal(session.expiresAt.getTime() - session.createdAt.getTime(), 30 * 60_000)
  assert.equal(request.customerIp, null)
})

test('a card is not saved again if it is paid by its token', async () => {
  assert.equal((await client.openSession({ req_token: true, card_token: [token] })).request.saveCard, false)
})

describe('the token', () => {
  test('is a JWT that contains only the session', async () => {
    const answer = await client.session({ session_expiry: 10 })
    const [address, text = ''] = answer.body.redirect_url.split('/auth/')
    assert.equal(address, shop.url)
    assert.deepEqual(Object.keys(answer.body), ['redirect_url'])
    const [header = '', payload = '', signature = ''] = Buffer.from(text, 'base64url').toString().split('.')
    const { kid, ...rest } = JSON.parse(Buffer.from(header, 'base64url').toString())
    assert.deepEqual(rest, { typ: 'JWT', alg: 'RS256' })
    assert.match(kid, /^[0-9a-f-]{36}$/)
    const { iat, jti, exp, ...more } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    assert.deepEqual(more, {})
    assert.equal(exp - iat, 600)
    assert.equal((await client.readSession(jti)).id, jti)
    assert.equal(Buffer.from(signature, 'base64url').length, 256)
  })
})

describe('a session of hosted fields', () => {
  const fields = (over: Body = {}) =>
    client.post('/api/v1/session/token', 'session', {
      ...client.purchase(),
      success_url: undefined,
      return_url: 'https://shop.example/back',
      ...over,
    })

  test('returns a token, and stores the address of the customer or of the caller', async () => {
    const answer = await fields({ customer: { name: 'Jane Roe', ip: '203.0.113.7' } })
    assert.deepEqual(Object.keys(answer.body), ['token', 'client_token'])
    const session = await client.byToken(answer.body.token)
    assert.deepEqual([session.kind, session.request.customerIp], ['fields', '203.0.113.7'])
    assert.deepEqual(session.request.customer, { name: 'Jane Roe' })
    const other = await client.byToken((await fields()).body.token)
    assert.equal(other.request.customerIp, '127.0.0.1')
  })

  // biome-ignore format: a table is read in columns.
  const rows: readonly Case[] = [
    ['no return_url',          { return_url: undefined },                   [`return_url: ${blank}`]],
    ['an address that is none', { customer: { ip: '1.2.3' } },              [`customer.ip: ${notValid}`]],
    ['a payout',               { operation: 'credit' },                     ['operation: The value you selected is not a valid choice.']],
    ['methods, ignored',       { methods: [''] },                           []],
    ['a form, ignored',        { form_id: 'x' },                            []],
    ['a consent, ignored',     { recurring_init: true, recurring_consent_required: true }, []],
  ]
  for (const [title, over, expected] of rows) {
    test(`with ${title}`, async () => assertRows(await fields(over), expected))
  }
})

test('a plan may begin today, and reports when it would', async () => {
  const { id } = await client.schedule()
  const today = new Date(shop.base.clock.now()).toISOString().slice(0, 10)
  const { body } = await client.session({
    recurring_init: true,
    schedule_id: id,
    schedule_start_date: today,
    payment_schedule_amount: '5.0',
  })
  const { redirect_url, ...echoed } = body
  assert.ok(redirect_url)
  assert.deepEqual(echoed, {
    schedule_id: id,
    schedule_start_date: today,
    payment_schedule_amount: '5.0',
    first_recurring_date: today,
  })
})

test('an unknown schedule is refused by name', async () => {
  const answer = await client.session({ recurring_init: true, schedule_id: schedule })
  assertSingleError(answer, 100000, 'Schedule not found')
})
