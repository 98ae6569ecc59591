/** The parameters of SALE, row by row, and their error texts. Chapter 10 §2, §7.1.1, §10.2. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertViolations, says } from '../../refusals.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const blank = (param: string): string => `${param}: ${says.blank}`

/** Chapter 10 §10.2, last paragraph. */
const nothingSent = [
  blank('card_number'),
  blank('card_exp_month'),
  blank('card_exp_year'),
  blank('card_cvv2'),
  blank('order_id'),
  blank('order_amount'),
  `order_amount: ${says.notPositive}`,
  `amount: ${says.notPositive}`,
  blank('order_currency'),
  blank('order_description'),
  blank('payer_first_name'),
  blank('payer_last_name'),
  blank('payer_email'),
  blank('payer_phone'),
  blank('payer_ip'),
  blank('term_url_3ds'),
  blank('hash'),
]

test('a SALE with nothing but action and client_key reports every missing parameter, in the documented order', async () => {
  assertViolations(await shop.raw({ action: 'SALE', client_key: shop.merchant().key }), nothingSent)
})

test('an empty client_key is reported together with the other missing parameters', async () => {
  assertViolations(await shop.raw({ action: 'SALE' }), [blank('client_key'), ...nothingSent])
})

test('payer fields that the mapping requires are reported in their position', async () => {
  const { key } = shop.merchant('demo-payer-fields')
  const withPayerFields = nothingSent.flatMap((row) =>
    row === blank('payer_email') ? [...byMapping.map(blank), row] : [row],
  )
  assertViolations(await shop.raw({ action: 'SALE', client_key: key }), withPayerFields)
})

const byMapping = ['payer_address', 'payer_country', 'payer_city', 'payer_zip']

test('a mapping may require any of the optional payer fields, and each is then reported by its own name', async () => {
  const [merchant, values] = ['demo-no-moto', optionalPayerFields]
  const required = async (fields: readonly string[]) =>
    shop.configure(
      `update protocol_mappings set options = $1
       where protocol = 'S2S_CARD' and merchant_id = (select id from merchants where name = $2)`,
      [{ requiredPayerFields: fields }, merchant],
    )
  await required(Object.keys(values))
  assertViolations(await shop.sale({}, { merchant }), Object.keys(values).map(blank))
  assertViolations(await shop.sale(values, { merchant }), [])
  await required([])
  assertViolations(await shop.sale({}, { merchant }), [])
})

/** Chapter 10 §7.1.1, the rows marked `m`, in the order of the table. */
const optionalPayerFields = {
  payer_middle_name: 'Q',
  payer_birth_date: '1970-02-28',
  payer_address: 'High Street',
  payer_address2: 'Back door',
  payer_house_number: '12a',
  payer_country: 'GB',
  payer_state: 'Kent',
  payer_city: 'Dover',
  payer_district: 'Port',
  payer_zip: 'CT16 1AA',
  payer_phone_country_code: '44',
}

// biome-ignore format: a table is read in columns.
const texts: readonly (readonly [param: string, limit: number])[] = [
  ['order_id',           255],
  ['order_description',  1024],
  ['payer_first_name',   32],
  ['payer_last_name',    32],
  ['payer_middle_name',  32],
  ['payer_address',      255],
  ['payer_address2',     255],
  ['payer_house_number', 9],
  ['payer_state',        32],
  ['payer_city',         40],
  ['payer_district',     32],
  ['payer_zip',          10],
  ['payer_phone',        32],
  ['term_url_target',    1024],
]

for (const [param, limit] of texts) {
  test(`${param} holds ${limit} characters and not one more, counted in code points`, async () => {
    // Four bytes and two UTF-16 units each, so that no other way of counting gives the same.
    assertViolations(await shop.sale({ [param]: '\u{1F45F}'.repeat(limit) }), [])
    assertViolations(await shop.sale({ [param]: 'x'.repeat(limit + 1) }), [`${param}: ${says.tooLong(limit)}`])
  })
}

const requiredFields = [
  'order_id',
  'order_currency',
  'order_description',
  'payer_first_name',
  'payer_last_name',
  'payer_email',
].concat(
  'payer_phone',
  'payer_ip',
  'term_url_3ds',
  'hash',
  'card_number',
  'card_exp_month',
  'card_exp_year',
  'card_cvv2',
)

for (const param of requiredFields.filter((name) => name !== 'card_number')) {
  test(`${param} is required`, async () => {
    assertViolations(await shop.sale({ [param]: undefined }), [blank(param)])
    assertViolations(await shop.sale({ [param]: '' }), [blank(param)])
  })
}

const email = (length: number): string => `${'d'.repeat(length - '@example.com'.length)}@example.com`
const url = (length: number): string =>
  `https://shop.example.com/${'r'.repeat(length - 'https://shop.example.com/'.length)}`

/** Without a text the value is accepted. */
// biome-ignore format: a table is read in columns.
const formats: readonly (readonly [param: string, value: string, text?: string])[] = [
  ['order_currency',           'eur',                                  says.notValid],
  ['order_currency',           'EU',                                   says.notValid],
  ['order_currency',           'EURO',                                 says.notValid],
  ['order_currency',           'ZZZ',                                  says.notValid],
  ['payer_birth_date',         '1970-02-28'],
  ['payer_birth_date',         '2000-02-29'],
  ['payer_birth_date',         '1970-02-29',                           says.notValid],
  ['payer_birth_date',         '1970-13-01',                           says.notValid],
  ['payer_birth_date',         '28.02.1970',                           says.notValid],
  ['payer_birth_date',         '1970-2-8',                             says.notValid],
  ['payer_country',            'GB'],
  ['payer_country',            'gb',                                   says.notValid],
  ['payer_country',            'GBR',                                  says.notValid],
  ['payer_country',            'ZZ',                                   says.notValid],
  ['payer_email',              'a@b'],
  ['payer_email',              'zoë@exämple.com'],
  ['payer_email',              email(256)],
  ['payer_email',              email(257),                             says.tooLong(256)],
  ['payer_email',              'doe.example.com',                      says.notEmail],
  ['payer_email',              '@example.com',                         says.notEmail],
  ['payer_email',              'doe@',                                 says.notEmail],
  ['payer_email',              'doe@example@com',                      says.notEmail],
  ['payer_phone_country_code', '44'],
  ['payer_phone_country_code', '1-809-1234'],
  ['payer_phone_country_code', '1-809-12345',                          says.tooLong(10)],
  ['payer_phone_country_code', '+44',                                  says.notValid],
  ['payer_phone_country_code', 'GB',                                   says.notValid],
  ['payer_ip',                 '2001:db8::1'],
  ['payer_ip',                 '0000:0000:0000:0000:0000:ffff:255.255.255.255'],
  ['payer_ip',                 'fe80::1%an-interface-name-beyond-45-characters', says.notValid],
  ['payer_ip',                 '203.0.113.256',                        says.notValid],
  ['payer_ip',                 '203.0.113',                            says.notValid],
  ['payer_ip',                 'shop.example.com',                     says.notValid],
  ['payer_language',           'ZH-tw'],
  ['payer_language',           'no such language'],
  ['term_url_3ds',             'http://shop.example.com/return?a=1#b'],
  ['term_url_3ds',             url(1024)],
  ['term_url_3ds',             url(1025),                              says.tooLong(1024)],
  ['term_url_3ds',             'shop.example.com/return',              says.notUrl],
  ['term_url_3ds',             '/return',                              says.notUrl],
  ['term_url_3ds',             '//shop.example.com/return',            says.notUrl],
  ['term_url_3ds',             'ftp://shop.example.com/return',        says.notUrl],
  ['term_url_3ds',             'javascript:alert(1)',                  says.notUrl],
  ['term_url_3ds',             'https://',                             says.notUrl],
  ['term_url_3ds',             'https:///return',                      says.notUrl],
  ['term_url_3ds',             'https://shop.example.com/ ',           says.notUrl],
  ['term_url_3ds',             'https://shop.example.com/\r\nx: y',    says.notUrl],
  ['term_url_target',          '_blank'],
  ['term_url_target',          'a frame'],
  ['callback_url',             'https://shop.example.com/notify'],
  ['callback_url',             url(255)],
  ['callback_url',             url(256),                               says.tooLong(255)],
  ['callback_url',             'shop.example.com',                     says.notUrl],
  ['callback_url',             'ws://shop.example.com',                says.notUrl],
  ['auth',                     'N'],
  ['auth',                     'y',                                    says.notChoice],
  ['auth',                     '1',                                    says.notChoice],
  ['req_token',                'N'],
  ['req_token',                'yes',                                  says.notChoice],
  ['payer_present',            'Y'],
  ['payer_present',            'n',                                    says.notChoice],
  ['channel_id',               'no such channel',                      says.notCorrect],
  ['channel_id',               'x'.repeat(17),                         says.tooLong(16)],
]

for (const [param, value, text] of formats) {
  const shown = value.length > 50 ? `of ${value.length} characters` : JSON.stringify(value)
  test(`${param} ${shown} is ${text === undefined ? 'accepted' : `refused: ${text}`}`, async () => {
    assertViolations(await shop.sale({ [param]: value }), text === undefined ? [] : [`${param}: ${text}`])
  })
}

test('every violation has its own row, in the order of the parameter table', async () => {
  const answer = await shop.sale({
    hash: undefined,
    moto_type: 'fax',
    auth: 'x',
    callback_url: 'x',
    payer_ip: 'x',
    payer_country: 'x',
    order_currency: 'x',
    order_id: 'x'.repeat(256),
    card_cvv2: 'x',
  })
  assertViolations(answer, [
    `card_cvv2: ${says.notValid}`,
    `order_id: ${says.tooLong(255)}`,
    `order_currency: ${says.notValid}`,
    `payer_country: ${says.notValid}`,
    `payer_ip: ${says.notValid}`,
    `callback_url: ${says.notUrl}`,
    `auth: ${says.notChoice}`,
    `moto_type: ${says.notChoice}`,
    blank('hash'),
  ])
})

test('a refused SALE leaves no payment behind', async () => {
  const { http } = await shop.sale({ order_id: 'REFUSED', payer_ip: 'x' })
  assert.equal(http, 400)
  const { rows } = await shop.base.pool.query("select id from payments where order_id = 'REFUSED'")
  assert.deepEqual(rows, [])
})

const plainHttp = { callback_url: 'http://shop.example.com/notify' }

test('a sandbox instance accepts http callback addresses with either key', async () => {
  for (const mode of ['live', 'test'] as const) assertViolations(await shop.sale(plainHttp, { mode }), [])
})

test('a live instance accepts an http callback_url only with the test key', async () => {
  const keys = { current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64') } }
  await using live = await openShop({ GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: JSON.stringify(keys) })
  assertViolations(await live.sale(plainHttp), [`callback_url: ${says.notUrl}`])
  assertViolations(await live.sale(plainHttp, { mode: 'test' }), [])
  assertViolations(await live.sale({ callback_url: 'HTTPS://shop.example.com/notify' }), [])
})
