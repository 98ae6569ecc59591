/** The parameters of payouts, debits and follow-ups of S2S APM. Chapter 20 §7–§13, §17.1. */
import { after, test } from 'node:test'
import { Apm } from '../../apm.ts'
import { assertViolations, says } from '../../refusals.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
after(() => shop[Symbol.asyncDispose]())

const blank = (param: string): string => `${param}: ${says.blank}`
const order = [
  blank('order_id'),
  blank('order_amount'),
  `order_amount: ${says.notPositive}`,
  `amount: ${says.notPositive}`,
  blank('order_currency'),
  blank('order_description'),
]
const ofPayout = ['brand'].map(blank).concat(order, blank('hash'))
const ofDebit = ['brand'].map(blank).concat(order, ['identifier', 'payer_ip', 'payer_return_url', 'hash'].map(blank))
const ofFollowUp = ['trans_id', 'hash'].map(blank)

// biome-ignore format: a table is read in columns.
const missingFields: Readonly<Record<string, readonly string[]>> = {
  CREDIT2VIRTUAL:            ofPayout,
  CREDIT2CRYPTO:             ofPayout,
  DEBIT2VIRTUAL:             ofDebit,
  DEBIT2VIRTUAL_CALC:        ofDebit,
  DEBIT2VIRTUAL_COMPLETE:    ofFollowUp,
  CAPTURE:                   ofFollowUp,
  CREDITVOID:                ofFollowUp,
  VOID:                      ofFollowUp,
  GET_TRANS_STATUS:          ofFollowUp,
  GET_TRANS_STATUS_BY_ORDER: ['order_id', 'hash'].map(blank),
}

const { key } = shop.merchant()

for (const [action, rows] of Object.entries(missingFields)) {
  test(`${action} with nothing but action and client_key reports every missing parameter, in the order of its table`, async () => {
    assertViolations(await shop.raw({ action, client_key: key }, { path: '/post-va' }), rows)
    assertViolations(await shop.raw({ action }, { path: '/post-va' }), [blank('client_key'), ...rows])
  })
}

for (const action of ['CREDIT2VIRTUAL', 'CREDIT2CRYPTO']) {
  test(`${action} is read by the same rules on /post`, async () => {
    assertViolations(await shop.raw({ action, client_key: key }, { path: '/post' }), ofPayout)
  })
}

test('the parameters of a payout brand are reported in the order of its rows', async () => {
  const none = {
    'parameters[account_holder]': undefined,
    'parameters[account_number]': undefined,
    'parameters[payee_country]': undefined,
  }
  assertViolations(await apm.payout({ ...none, 'parameters[payee_phone]': 'x', callback_url: 'x' }), [
    blank('parameters[account_holder]'),
    blank('parameters[account_number]'),
    blank('parameters[payee_country]'),
    `parameters[payee_phone]: ${says.notValid}`,
    `callback_url: ${says.notUrl}`,
  ])
  assertViolations(await apm.payout({ 'parameters[payee_country]': 'US' }), [blank('parameters[bank_code]')])
  assertViolations(await apm.payout({ 'parameters[payee_country]': 'US', 'parameters[bank_code]': 'BANK' }), [])
})

// biome-ignore format: a table is read in columns.
const ofPayouts: readonly (readonly [action: 'payout' | 'cryptoPayout', over: RequestFields, rows: readonly string[]])[] = [
  ['payout',       { order_currency: 'BTC', order_amount: '1' },  [`order_currency: ${says.notValid}`]],
  ['payout',       { order_amount: '0' },                         [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]],
  ['cryptoPayout', { order_currency: 'EUR', order_amount: '1.00' }, []],
  ['cryptoPayout', { order_currency: 'NOCOIN' },                  [`order_currency: ${says.notValid}`]],
  ['cryptoPayout', { order_amount: '0.000000001' },               [`order_amount: ${says.notValid}`]],
  ['cryptoPayout', { order_amount: undefined },                   [blank('order_amount'), `order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]],
  ['cryptoPayout', { crypto_network: 'ERC20' },                   []],
  ['cryptoPayout', { crypto_network: 'x'.repeat(51) },            [`crypto_network: ${says.tooLong(50)}`]],
  ['cryptoPayout', { 'parameters[address]': 'short' },            [`parameters[address]: ${says.notValid}`]],
  ['cryptoPayout', { 'parameters[memo_id]': 'x'.repeat(65) },     [`parameters[memo_id]: ${says.tooLong(64)}`]],
]

for (const [action, over, rows] of ofPayouts) {
  test(`${action} with ${JSON.stringify(over).slice(0, 60)} ${rows.length === 0 ? 'is taken' : 'is refused'}`, async () => {
    assertViolations(await apm[action](over), rows)
  })
}

// biome-ignore format: a table is read in columns.
const ofDebits: readonly (readonly [over: RequestFields, rows: readonly string[]])[] = [
  [{ payer_return_url: undefined, return_url: 'https://shop.example.com/r' },  []],
  [{ payer_return_url: undefined, return_url: 'nowhere' },                     [`return_url: ${says.notUrl}`]],
  [{ payer_return_url: `https://shop.example.com/${'r'.repeat(232)}` },        [`payer_return_url: ${says.tooLong(256)}`]],
  [{ payer_city: 'x'.repeat(33) },                                             [`payer_city: ${says.tooLong(32)}`]],
  [{ payer_zip: 'x'.repeat(11) },                                              [`payer_zip: ${says.tooLong(10)}`]],
  [{ payer_address: 'x'.repeat(256), payer_first_name: 'x'.repeat(33) },       [`payer_address: ${says.tooLong(255)}`, `payer_first_name: ${says.tooLong(32)}`]],
  [{ payer_language: 'any text' },                                             []],
  [{ 'parameters[account_number]': 'de89' },                                   [`parameters[account_number]: ${says.notValid}`]],
  [{ 'parameters[account_name]': 'x'.repeat(65), custom_data: 'x' },           [`custom_data: ${says.notValid}`, `parameters[account_name]: ${says.tooLong(64)}`]],
]

for (const [over, rows] of ofDebits) {
  for (const action of ['DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC']) {
    test(`${action} with ${JSON.stringify(over).slice(0, 60)} ${rows.length === 0 ? 'is taken' : 'is refused'}`, async () => {
      assertViolations(await apm.debit(over, {}, action), rows)
    })
  }
}

// biome-ignore format: a table is read in columns.
const lengths: readonly (readonly [param: string, limit: number])[] = [
  // Chapter 20 §12.1
  ['order_id',          255],
  ['order_description', 1024],
  ['identifier',        255],
  ['payer_address',     255],
  ['payer_address2',    255],
  ['payer_first_name',  32],
  ['payer_last_name',   32],
  ['payer_middle_name', 32],
  ['payer_state',       32],
  ['payer_city',        32],
  ['payer_zip',         10],
  ['payer_phone',       32],
]

for (const [param, limit] of lengths) {
  test(`${param} of a debit holds ${limit} characters and not one more`, async () => {
    for (const action of ['DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC']) {
      assertViolations(await apm.debit({ [param]: '\u{1F45F}'.repeat(limit) }, {}, action), [])
      const tooLong = [`${param}: ${says.tooLong(limit)}`]
      assertViolations(await apm.debit({ [param]: 'x'.repeat(limit + 1) }, {}, action), tooLong)
    }
  })
}

test('every invalid parameter of a debit has its row, in the order of the table', async () => {
  const wrong = {
    brand: 'x'.repeat(37),
    payer_ip: 'x',
    payer_return_url: 'x',
    payer_birth_date: '1970-02-29',
    payer_country: 'gb',
    payer_email: 'x',
    channel_id: 'no such channel',
    callback_url: 'x',
    custom_data: 'x',
    parameters: 'x',
    hash: '',
  }
  for (const action of ['DEBIT2VIRTUAL', 'DEBIT2VIRTUAL_CALC']) {
    assertViolations(await apm.debit({ ...wrong, 'parameters[account_number]': undefined }, {}, action), [
      `brand: ${says.tooLong(36)}`,
      `payer_ip: ${says.notValid}`,
      `payer_return_url: ${says.notUrl}`,
      `payer_birth_date: ${says.notValid}`,
      `payer_country: ${says.notValid}`,
      `payer_email: ${says.notEmail}`,
      `channel_id: ${says.notCorrect}`,
      `callback_url: ${says.notUrl}`,
      `custom_data: ${says.notValid}`,
      `parameters: ${says.notValid}`,
      blank('hash'),
    ])
  }
})

for (const action of ['payout', 'cryptoPayout'] as const) {
  test(`every invalid parameter of ${action} has its row, in the order of the table`, async () => {
    const long = 'x'.repeat(1025)
    const wrong = { channel_id: long, brand: long, order_id: long, order_description: long, callback_url: long }
    assertViolations(await apm[action]({ ...wrong, custom_data: 'x', hash: '' }), [
      `channel_id: ${says.tooLong(16)}`,
      `brand: ${says.tooLong(36)}`,
      `order_id: ${says.tooLong(255)}`,
      `order_description: ${says.tooLong(1024)}`,
      `callback_url: ${says.tooLong(255)}`,
      `custom_data: ${says.notValid}`,
      blank('hash'),
    ])
  })
}

const unknownId = '00000000-0000-4000-8000-000000000000'

for (const action of ['CAPTURE', 'CREDITVOID']) {
  for (const [amount, text] of [
    ['0', says.notPositive],
    ['-1', says.notPositive],
    ['x', says.notValid],
  ] as const) {
    test(`${action} of ${amount} is refused before the payment is looked up`, async () => {
      assertViolations(await apm.followUp(action, unknownId, { amount }), [`amount: ${text}`])
    })
  }
}

for (const action of ['CAPTURE', 'CREDITVOID', 'VOID', 'DEBIT2VIRTUAL_COMPLETE', 'GET_TRANS_STATUS']) {
  test(`${action} with an identifier above 255 characters is not correct`, async () => {
    assertViolations(await apm.followUp(action, 'x'.repeat(256)), [`trans_id: ${says.notCorrect}`])
  })
}

for (const action of ['CAPTURE', 'CREDITVOID', 'VOID']) {
  test(`${action} accepts only an object as parameters`, async () => {
    assertViolations(await apm.followUp(action, unknownId, { parameters: 'x' }), [`parameters: ${says.notValid}`])
  })
}
