/** CARD2CARD: moves money from one card to another in one TRANSFER. Chapter 10 §6.2, §7.9, §12. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../account.ts'
import { signerOf } from '../../chains.ts'
import { callbackHash, readCallbacks, readEffects } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, type As, type Fields, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const payerCard: Fields = {
  payer_card_number: '4111111111111111',
  payer_card_exp_month: '01',
  payer_card_exp_year: '2038',
  payer_card_cvv2: '000',
}

const expiringPayer = (expiry: string): RequestFields => {
  const [month, year] = expiry.split('/')
  return { payer_card_exp_month: month, payer_card_exp_year: year }
}

let orders = 0

function transfer(over: RequestFields = {}, as: As = {}): Promise<Answer> {
  orders += 1
  const { key, password } = signerOf(shop, as)
  const values = { email: over['payer_email'], pan10: '4111111111' }
  return shop.raw(
    {
      action: 'CARD2CARD',
      client_key: key,
      ...payerCard,
      payee_card_number: '5555555555554444',
      order_id: `TRANSFER-${orders}`,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Gift',
      payer_ip: '203.0.113.7',
      term_url_3ds: 'https://shop.example.com/return',
      hash: shop.sign(cardFormulas.start, values, password),
      ...over,
    },
    as,
  )
}

const answerFields = 'action result status order_id trans_id trans_date descriptor amount currency'
const callbackFields = 'action result status order_id trans_id hash trans_date descriptor amount currency'

// biome-ignore format: a table is read in columns.
const outcomes = [
  // expiry    result       status      answer ends with     callback ends with
  ['01/2038', 'SUCCESS',   'SETTLED',  '',                  ' card card_expiration_date'],
  ['02/2038', 'DECLINED',  'DECLINED', ' decline_reason',   ' decline_reason'],
  ['04/2038', 'UNDEFINED', 'PREPARE',  '',                  ''],
  ['05/2038', 'REDIRECT',  '3DS',      ' redirect_url redirect_params redirect_method', ' redirect_url redirect_params[PaReq] redirect_params[MD] redirect_params[TermUrl] redirect_method'],
] as const

for (const [expiry, result, status, answerEnd, callbackEnd] of outcomes) {
  test(`${expiry} of the payer card: ${result}, ${status}, in the documented fields and their order`, async () => {
    const { http, body } = await transfer({ payer_email: 'doe@example.com', ...expiringPayer(expiry) })
    assert.equal(http, 200)
    assert.deepEqual([body.action, body.result, body.status], ['CARD2CARD', result, status])
    assert.equal(Object.keys(body).join(' '), `${answerFields}${answerEnd}`)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(Object.keys(callback?.fields ?? {}).join(' '), `${callbackFields}${callbackEnd}`)
    assert.equal(callback?.fields['action'], 'CARD2CARD')
    assert.equal(callback?.fields['hash'], callbackHash(shop, body.trans_id))
  })
}

test('a transfer is one TRANSFER from payer to payee, and the card shown is the payer’s', async () => {
  const { body } = await transfer({ 'custom_data[gift]': 'yes' })
  assert.deepEqual(await readEffects(shop, body.trans_id), ['transfer 1000'])
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> payee 1000'])
  const { body: details } = await shop.followUp(
    'GET_TRANS_DETAILS',
    body.trans_id,
    {},
    { signedBy: { email: undefined } },
  )
  assert.deepEqual(
    details.transactions.map(({ type, status }: Fields) => `${type} ${status}`),
    ['TRANSFER success'],
  )
  assert.equal(details.card, '411111******1111')
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['card'], '411111******1111')
  assert.equal(callback?.fields['custom_data[gift]'], 'yes')
})

test('04/2038: the outcome is resolved, and the transfer made once', async () => {
  const { body } = await transfer(expiringPayer('04/2038'))
  await shop.advance(31_000)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'CARD2CARD'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['transfer 1000'])
})

test('the parameter names of SALE are accepted if those of the payer card are absent', async () => {
  const { body } = await transfer({
    payer_card_number: undefined,
    payer_card_exp_month: undefined,
    payer_card_exp_year: undefined,
    payer_card_cvv2: undefined,
    card_number: '4111111111111111',
    card_exp_month: '01',
    card_exp_year: '2038',
    card_cvv2: '000',
  })
  assert.equal(body.status, 'SETTLED')
})

test('a request with nothing but action and key reports what it needs, in the order of the table', async () => {
  const names = Object.keys(payerCard)
  const nothing = Object.fromEntries(
    [
      ...names,
      'payee_card_number',
      'order_id',
      'order_amount',
      'order_currency',
      'order_description',
      'payer_ip',
      'term_url_3ds',
      'hash',
    ].map((name) => [name, undefined]),
  )
  assertViolations(await transfer(nothing), [
    ...names.map((name) => `${name}: ${says.blank}`),
    `payee_card_number: ${says.blank}`,
    `order_id: ${says.blank}`,
    `order_amount: ${says.blank}`,
    `order_amount: ${says.notPositive}`,
    `amount: ${says.notPositive}`,
    `order_currency: ${says.blank}`,
    `order_description: ${says.blank}`,
    `payer_ip: ${says.blank}`,
    `term_url_3ds: ${says.blank}`,
    `hash: ${says.blank}`,
  ])
})

const zeroRows = [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]

// biome-ignore format: a table is read in columns.
const violations: readonly (readonly [over: RequestFields, rows: readonly string[]])[] = [
  [{ payee_card_number: '4111111111111112' },     [`payee_card_number: ${says.notValid}`]],
  [{ payer_card_number: '411111' },               [`payer_card_number: ${says.notValid}`]],
  [{ payer_card_exp_year: '2020' },               [`payer_card_exp_year: ${says.notValid}`]],
  [{ payer_card_cvv2: '1' },                      [`payer_card_cvv2: ${says.notValid}`]],
  [{ order_amount: '0.00' },                      zeroRows],
  [{ order_amount: '0.00', recurring_init: 'Y' }, zeroRows],
  [{ payee_city: 'x'.repeat(33) },                [`payee_city: ${says.tooLong(32)}`]],
  [{ payee_country: 'XX' },                       [`payee_country: ${says.notValid}`]],
  [{ hash: '0'.repeat(32) },                      [`hash: ${says.wrongHash}`]],
]

for (const [over, rows] of violations) {
  test(`${Object.keys(over).join(', ')} is refused`, async () => assertViolations(await transfer(over), rows))
}

test('a transfer can be neither refunded nor voided', async () => {
  const { body } = await transfer({ payer_email: 'doe@example.com' })
  assertRefused(await shop.followUp('CREDITVOID', body.trans_id), 208005, 'Refund is not allowed')
  assertRefused(await shop.followUp('VOID', body.trans_id), 100000, 'Void is not allowed.')
})

test('without a MID that supports transfers the action is not supported', async () => {
  const merchant = await openAccount(shop, { mids: [{ actions: ['sale', 'debit'] }] })
  assertRefused(await transfer({}, { merchant }), 204005, 'Payment action not supported.')
})
