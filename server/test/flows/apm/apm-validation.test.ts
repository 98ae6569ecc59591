/** The parameters of SALE on S2S APM, row by row, and their error texts. Chapter 20 §2, §5.2, §6.1, §17.1. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Apm } from '../../apm.ts'
import { assertViolations, says } from '../../refusals.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const blank = (param: string): string => `${param}: ${says.blank}`
const zero = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]
const { key } = shop.merchant()
const bare = (action: string, over: RequestFields = {}) =>
  shop.raw({ action, client_key: key, ...over }, { path: '/post-va' })

const nothingSent = [
  blank('brand'),
  blank('order_id'),
  blank('order_amount'),
  ...zero,
  blank('order_currency'),
  blank('order_description'),
  blank('identifier'),
  blank('payer_ip'),
  blank('return_url'),
  blank('hash'),
]

test('a SALE with nothing but action and client_key reports every missing parameter, in the order of the table', async () => {
  assertViolations(await bare('SALE'), nothingSent)
})

test('an empty client_key is reported together with the other missing parameters', async () => {
  assertViolations(await bare('SALE', { client_key: undefined }), [blank('client_key'), ...nothingSent])
})

test('the parameters of a known brand are reported after parameters, before custom_data and hash', async () => {
  const sent = { brand: 'upi-like', 'custom_data[a]': 'x'.repeat(8193) }
  assertViolations(await bare('SALE', sent), [
    ...nothingSent.filter((row) => row !== blank('brand') && row !== blank('hash')),
    blank('parameters[virtual_address]'),
    `custom_data: ${says.notValid}`,
    blank('hash'),
  ])
})

test('every invalid parameter has its row, in the order of the table', async () => {
  const wrong = 'x'.repeat(1025)
  const params = [
    'channel_id brand order_id order_description identifier payer_first_name payer_last_name payer_middle_name payer_state',
    'payer_district payer_zip payer_phone payer_address payer_address2 payer_house_number payer_city payer_country payer_email',
    'payer_phone_country_code payer_birth_date payer_ip return_url return_url_target callback_url',
  ].flatMap((line) => line.split(' '))
  const answer = await apm.sale(Object.fromEntries(params.map((param) => [param, wrong])))
  // biome-ignore format: a table is read in columns.
  assertViolations(answer, [
    `channel_id: ${says.tooLong(16)}`,              `brand: ${says.tooLong(36)}`,                   `order_id: ${says.tooLong(255)}`,
    `order_description: ${says.tooLong(1024)}`,     `identifier: ${says.tooLong(255)}`,
    `payer_first_name: ${says.tooLong(32)}`,        `payer_last_name: ${says.tooLong(32)}`,         `payer_middle_name: ${says.tooLong(32)}`,
    `payer_state: ${says.tooLong(32)}`,             `payer_district: ${says.tooLong(32)}`,          `payer_zip: ${says.tooLong(32)}`,
    `payer_phone: ${says.tooLong(32)}`,             `payer_address: ${says.tooLong(255)}`,          `payer_address2: ${says.tooLong(255)}`,
    `payer_house_number: ${says.tooLong(9)}`,       `payer_city: ${says.tooLong(40)}`,              `payer_country: ${says.notValid}`,
    `payer_email: ${says.tooLong(256)}`,            `payer_phone_country_code: ${says.tooLong(10)}`, `payer_birth_date: ${says.notValid}`,
    `payer_ip: ${says.notValid}`,                   `return_url: ${says.tooLong(1024)}`,            `return_url_target: ${says.tooLong(1024)}`,
    `callback_url: ${says.tooLong(255)}`,
  ])
})

// biome-ignore format: a table is read in columns.
const texts: readonly (readonly [param: string, limit: number])[] = [
  ['order_id',           255],
  ['order_description',  1024],
  ['identifier',         255],
  ['payer_first_name',   32],
  ['payer_last_name',    32],
  ['payer_middle_name',  32],
  ['payer_state',        32],
  ['payer_district',     32],
  ['payer_zip',          32],
  ['payer_phone',        32],
  ['payer_address',      255],
  ['payer_address2',     255],
  ['payer_house_number', 9],
  ['payer_city',         40],
  ['return_url_target',  1024],
]

for (const [param, limit] of texts) {
  test(`${param} holds ${limit} characters and not one more, counted in code points`, async () => {
    assertViolations(await apm.sale({ [param]: '\u{1F45F}'.repeat(limit) }), [])
    assertViolations(await apm.sale({ [param]: 'x'.repeat(limit + 1) }), [`${param}: ${says.tooLong(limit)}`])
  })
}

for (const param of [
  'order_id',
  'order_currency',
  'order_description',
  'identifier',
  'payer_ip',
  'return_url',
  'hash',
  'brand',
]) {
  test(`${param} is required`, async () => {
    assertViolations(await apm.sale({ [param]: undefined }), [blank(param)])
    assertViolations(await apm.sale({ [param]: ' ' }), [blank(param)])
  })
}

const url = (length: number): string =>
  `https://shop.example.com/${'r'.repeat(length - 'https://shop.example.com/'.length)}`

/** Without a text the value is accepted. */
// biome-ignore format: a table is read in columns.
const formats: readonly (readonly [param: string, value: string, text?: string])[] = [
  ['order_amount',             '10'],
  ['order_amount',             '10.5'],
  ['order_amount',             '10.505',                               says.notValid],
  ['order_amount',             '+10.00',                               says.notValid],
  ['order_amount',             '1,000.00',                             says.notValid],
  ['order_amount',             '.50',                                  says.notValid],
  ['order_amount',             'ten',                                  says.notValid],
  ['order_currency',           'eur',                                  says.notValid],
  ['order_currency',           'ZZZ',                                  says.notValid],
  ['order_currency',           'BTC',                                  says.notValid],
  ['payer_birth_date',         '2000-02-29'],
  ['payer_birth_date',         '1970-02-29',                           says.notValid],
  ['payer_country',            'GB'],
  ['payer_country',            'gb',                                   says.notValid],
  ['payer_email',              'doe@example.com'],
  ['payer_email',              'doe.example.com',                      says.notEmail],
  ['payer_phone_country_code', '1-809'],
  ['payer_phone_country_code', '+44',                                  says.notValid],
  ['payer_ip',                 '2001:db8::1'],
  ['payer_ip',                 '203.0.113',                            says.notValid],
  ['payer_language',           'no such language'],
  ['return_url',               url(1024)],
  ['return_url',               'shop.example.com',                     says.notUrl],
  ['return_url',               'ftp://shop.example.com',               says.notUrl],
  ['return_url_target',        'a frame'],
  ['callback_url',             url(255)],
  ['callback_url',             'shop.example.com',                     says.notUrl],
  ['channel_id',               'no such channel',                      says.notCorrect],
  ['crypto_network',           'x'.repeat(51)],
  ['auth',                     'y'],
  ['auth',                     'yes'],
  ['auth',                     '1'],
  ['parameters',               'x',                                    says.notValid],
  ['parameters[unknown]',      'x'.repeat(1024)],
  ['custom_data',              'x',                                    says.notValid],
  ['custom_data[a]',           'x'.repeat(8192)],
]

for (const [param, value, text] of formats) {
  const shown = value.length > 50 ? `of ${value.length} characters` : JSON.stringify(value)
  test(`${param} ${shown} is ${text === undefined ? 'accepted' : `refused: ${text}`}`, async () => {
    assertViolations(await apm.sale({ [param]: value }), text === undefined ? [] : [`${param}: ${text}`])
  })
}

test('a parameter that the brand does not list may have 1024 characters', async () => {
  assertViolations(await apm.sale({ 'parameters[unknown]': 'x'.repeat(1025) }), [`parameters: ${says.notValid}`])
})

for (const amount of ['0', '0.00', '-5', '-0.01']) {
  test(`an order of ${amount} is refused under both names, also with auth=Y`, async () => {
    assertViolations(await apm.sale({ order_amount: amount }), zero)
    assertViolations(await apm.hold({ order_amount: amount }), zero)
  })
}

test('a missing amount gives the blank row and the two zero rows', async () => {
  assertViolations(await apm.sale({ order_amount: undefined }), [blank('order_amount'), ...zero])
})

// biome-ignore format: a table is read in columns.
const amountEchoes: readonly (readonly [currency: string, sent: string, echo: string | null])[] = [
  // Chapter 20 §2  sent         echoed, null is refused
  ['EUR',   '100',       '100.00'],
  ['EUR',   '100.9',     '100.90'],
  ['JPY',   '1000',      '1000'],
  ['JPY',   '100.00',    '100.00'],
  ['JPY',   '100.50',    null],
  ['UGX',   '100.00',    '100.00'],
  ['KRW',   '100.00',    '100.00'],
  ['CLP',   '100.00',    '100.00'],
  ['VND',   '100.00',    '100.00'],
  ['XAF',   '100.00',    '100.00'],
  ['VND',   '100.50',    null],
  ['BHD',   '100.999',   '100.999'],
  ['BHD',   '100.9',     '100.900'],
  ['CLF',   '100.9999',  '100.9999'],
  ['CLF',   '100.99999', null],
]

for (const [currency, sent, echo] of amountEchoes) {
  test(`${sent} ${currency} is ${echo === null ? 'refused' : `echoed as ${echo}`}`, async () => {
    const answer = await apm.sale({ order_currency: currency, order_amount: sent })
    assertViolations(answer, echo === null ? [`order_amount: ${says.notValid}`] : [])
    if (echo !== null) assert.equal(answer.body.amount, echo)
  })
}

const crypto = { brand: 'crypto-pay', identifier: undefined }

// biome-ignore format: a table is read in columns.
const inCrypto: readonly (readonly [currency: string, amount: string | undefined, row: string | null])[] = [
  ['BTC',  '0.00000001',           null],
  ['BTC',  '0.000000001',          `order_amount: ${says.notValid}`],
  ['ETH',  '0.000000000000000001', null],
  ['ETH',  '999999999999.000000000000000001', null],
  ['USDT', '1.000001',             null],
  ['USDC', '1.0000001',            `order_amount: ${says.notValid}`],
  ['BTC',  undefined,              null],
  ['DOGE', '1',                    `order_currency: ${says.notValid}`],
  ['btc',  '1',                    `order_currency: ${says.notValid}`],
]

for (const [currency, amount, row] of inCrypto) {
  test(`an order of ${amount ?? 'an open amount'} ${currency} of a crypto brand is ${row === null ? 'taken' : 'refused'}`, async () => {
    const answer = await apm.sale({ ...crypto, order_currency: currency, order_amount: amount })
    assertViolations(answer, row === null ? [] : [row])
  })
}

test('crypto_network of a crypto brand may have 50 characters', async () => {
  const order = { ...crypto, order_currency: 'BTC', order_amount: '1' }
  assertViolations(await apm.sale({ ...order, crypto_network: 'x'.repeat(50) }), [])
  assertViolations(await apm.sale({ ...order, crypto_network: 'x'.repeat(51) }), [
    `crypto_network: ${says.tooLong(50)}`,
  ])
})

test('a conditional parameter is required while its condition is met, otherwise optional', async () => {
  const voucher = { brand: 'voucher-cash' }
  assertViolations(await apm.sale({ ...voucher, order_currency: 'BRL' }), [blank('parameters[document_number]')])
  assertViolations(await apm.sale({ ...voucher, order_currency: 'BRL', 'parameters[document_number]': '12345' }), [])
  assertViolations(await apm.sale({ ...voucher, order_currency: 'USD' }), [])
  assertViolations(await apm.sale({ ...voucher, order_currency: 'USD', 'parameters[document_number]': '1x' }), [
    `parameters[document_number]: ${says.notValid}`,
  ])
  assertViolations(await apm.sale({ ...crypto, order_currency: 'EUR' }), [blank('parameters[payment_currency]')])
  assertViolations(await apm.sale({ ...crypto, order_currency: 'EUR', 'parameters[payment_currency]': 'BTC' }), [])
  assertViolations(await apm.sale({ ...crypto, order_currency: 'EUR', 'parameters[payment_currency]': 'EUR' }), [
    `parameters[payment_currency]: ${says.notChoice}`,
  ])
})

const token = 'parameters[paymentToken]'

for (const brand of ['walletapay', 'walletbpay']) {
  test(`${brand} accepts its token as one form value of JSON, up to 32 KiB`, async () => {
    const notValid = [`${token}: ${says.notValid}`]
    assertViolations(await apm.sale({ brand }), [blank(token)])
    assertViolations(await apm.sale({ brand, [token]: 'no token' }), notValid)
    assertViolations(await apm.sale({ brand, [`${token}[data]`]: 'x', [`${token}[version]`]: 'y' }), notValid)
    assertViolations(await apm.sale({ brand, [token]: JSON.stringify('x'.repeat(32 * 1024)) }), notValid)
  })
}
