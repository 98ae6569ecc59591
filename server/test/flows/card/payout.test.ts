/** CREDIT2CARD: pays out to a card. Chapter 10 §4.2, §4.3, §6.2, §7.8, §12. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pan10 } from '#domain/card.ts'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../account.ts'
import { signerOf } from '../../chains.ts'
import { expiryFields, readCallbacks, readEffects } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, type As, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const good = '4601541833776519'
let orders = 0

function payOut(over: RequestFields = {}, as: As = {}): Promise<Answer> {
  orders += 1
  const { key, password } = signerOf(shop, as)
  const card_number = 'card_number' in over ? over['card_number'] : good
  const hash = card_number
    ? shop.sign(cardFormulas.credit, { pan10: pan10(card_number) }, password, as.digest)
    : shop.sign(cardFormulas.creditWithToken, { card_token: over['card_token'] }, password, as.digest)
  return shop.raw(
    {
      action: 'CREDIT2CARD',
      client_key: key,
      card_number,
      order_id: `PAYOUT-${orders}`,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Winnings',
      hash,
      ...over,
    },
    as,
  )
}

/** Formula 6, unless a test replaces it. */
const callbackHash = (transId: string, card = good, email?: string): string =>
  shop.sign(
    email === undefined ? cardFormulas.creditFollowUp : cardFormulas.followUp,
    { email, trans_id: transId, pan10: pan10(card) },
    shop.merchant().password,
  )

const answerFields = 'action result status order_id trans_id trans_date'
const callbackFields = 'action result status order_id trans_id hash trans_date'

// biome-ignore format: a table is read in columns.
const outcomes = [
  // recipient's card    result       status      ends with
  ['4601541833776519',  'SUCCESS',   'SETTLED',  'descriptor'],
  ['4111111111111111',  'SUCCESS',   'SETTLED',  'descriptor'],
  ['4917484589897107',  'DECLINED',  'DECLINED', 'decline_reason'],
  ['4000000000000002',  'UNDEFINED', 'PREPARE',  'descriptor'],
] as const

for (const [card_number, result, status, end] of outcomes) {
  test(`${card_number}: ${result}, ${status}, without amount and currency`, async () => {
    const { http, body } = await payOut({ card_number })
    assert.equal(http, 200)
    assert.deepEqual([body.action, body.result, body.status], ['CREDIT2CARD', result, status])
    assert.equal(Object.keys(body).join(' '), `${answerFields} ${end}`)
    if (result === 'DECLINED') assert.equal(body.decline_reason, 'Declined by processing')
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(Object.keys(callback?.fields ?? {}).join(' '), `${callbackFields} ${end}`)
    assert.equal(callback?.fields['hash'], callbackHash(body.trans_id, card_number))
  })
}

test('a payout is one CREDIT from the merchant to the payee', async () => {
  const { body } = await payOut()
  assert.deepEqual(await readEffects(shop, body.trans_id), ['credit 1000'])
  assert.deepEqual(await shop.postings(body.trans_id), ['settled -> payee 1000'])
})

test('4000000000000002: the outcome is resolved, and paid once', async () => {
  const { body } = await payOut({ card_number: '4000000000000002' })
  await shop.advance(31_000)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'CREDIT2CARD'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['credit 1000'])
})

test('custom_data is returned in the callback', async () => {
  const { body } = await payOut({ 'custom_data[prize]': '1' })
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['custom_data[prize]'], '1')
})

test('no signature covers the e-mail, even if it was sent', async () => {
  const payer_email = 'doe@example.com'
  const { body } = await payOut({ payer_email, order_id: 'PAYOUT-MAIL' })
  assert.equal(body.result, 'SUCCESS')
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['hash'], callbackHash(body.trans_id))
  for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS']) {
    const six = await shop.followUp(action, body.trans_id, { hash: callbackHash(body.trans_id) })
    assert.equal(six.http, 200)
    const two = await shop.followUp(action, body.trans_id, { hash: callbackHash(body.trans_id, good, payer_email) })
    assertViolations(two, [`hash: ${says.wrongHash}`])
  }
  const byOrder = await shop.byOrder('PAYOUT-MAIL', { signedBy: { email: undefined, pan10: pan10(good) } })
  assert.equal(byOrder.body.trans_id, body.trans_id)
})

test('Formula 1 does not sign a payout, unless without an e-mail both formulas are equal', async () => {
  const { password } = shop.merchant()
  const values = { email: 'doe@example.com', pan10: pan10(good) }
  const hash = shop.sign(cardFormulas.start, values, password)
  assertViolations(await payOut({ hash, payer_email: 'doe@example.com' }), [`hash: ${says.wrongHash}`])
})

test('a payout to a saved card goes to the person who saved it, unless the request names another', async () => {
  const { body: saved } = await shop.sale({ req_token: 'Y', payer_first_name: 'Zoë', payer_last_name: 'Doe' })
  const { card_token } = saved
  const payeeOf = async (over: RequestFields) => {
    const { body } = await payOut({ card_number: undefined, card_token, ...over })
    assert.equal(body.result, 'SUCCESS')
    const { rows } = await shop.base.pool.query('select payee from payments where id = $1', [body.trans_id])
    return rows[0].payee
  }
  assert.deepEqual(await payeeOf({}), { first_name: 'Zoë', last_name: 'Doe' })
  assert.deepEqual(await payeeOf({ payee_first_name: 'Max' }), { first_name: 'Max', last_name: 'Doe' })
})

test('a token beside card_number is ignored', async () => {
  assertViolations(await payOut({ card_token: 'x' }), [])
  assertRefused(
    await payOut({ card_number: undefined, card_token: 'f'.repeat(64) }),
    205005,
    'Card token is invalid or not found.',
  )
})

test('the token of an expired card is refused', async () => {
  const { body } = await shop.sale({ req_token: 'Y', ...expiryFields('04/2040') })
  const { rows } = await shop.base.pool.query('select card_id from card_tokens where token = $1', [body.card_token])
  await shop.base.pool.query('update cards set expiry_year = 2020 where id = $1', [rows[0].card_id])
  const answer = await payOut({ card_number: undefined, card_token: body.card_token })
  assertRefused(answer, 205006, 'Card token is expired.')
})

test('a request with nothing but action and key reports what it needs, in the order of the table', async () => {
  const names = ['card_number', 'order_id', 'order_amount', 'order_currency', 'order_description', 'hash']
  assertViolations(await payOut(Object.fromEntries(names.map((name) => [name, undefined]))), [
    `card_number: ${says.blank}`,
    `order_id: ${says.blank}`,
    `order_amount: ${says.blank}`,
    `order_amount: ${says.notPositive}`,
    `amount: ${says.notPositive}`,
    `order_currency: ${says.blank}`,
    `order_description: ${says.blank}`,
    `hash: ${says.blank}`,
  ])
})

// biome-ignore format: a table is read in columns.
const violations: readonly (readonly [over: RequestFields, rows: readonly string[]])[] = [
  [{ order_amount: '0' },                          [`order_amount: ${says.notPositive}`, `amount: ${says.notPositive}`]],
  [{ payee_first_name: 'x'.repeat(33) },           [`payee_first_name: ${says.tooLong(32)}`]],
  [{ payee_birth_date: '1990-02-30' },             [`payee_birth_date: ${says.notValid}`]],
  [{ payee_country: 'de' },                        [`payee_country: ${says.notValid}`]],
  [{ payee_city: 'x'.repeat(33) },                 [`payee_city: ${says.tooLong(32)}`]],
  [{ payee_zip: 'x'.repeat(11) },                  [`payee_zip: ${says.tooLong(10)}`]],
  [{ payee_email: 'nobody' },                      [`payee_email: ${says.notEmail}`]],
  [{ payer_city: 'x'.repeat(33) },                 [`payer_city: ${says.tooLong(32)}`]],
  [{ payer_ip: '1.2.3' },                          [`payer_ip: ${says.notValid}`]],
  [{ callback_url: 'shop' },                       [`callback_url: ${says.notUrl}`]],
]

for (const [over, rows] of violations) {
  test(`${Object.keys(over).join(', ')} is refused`, async () => assertViolations(await payOut(over), rows))
}

test('a payout can be neither refunded nor voided', async () => {
  const { body } = await payOut()
  const hash = callbackHash(body.trans_id)
  assertRefused(await shop.followUp('CREDITVOID', body.trans_id, { hash }), 208005, 'Refund is not allowed')
  assertRefused(await shop.followUp('VOID', body.trans_id, { hash }), 100000, 'Void is not allowed.')
})

test('without a MID that supports payouts the action is not supported', async () => {
  const merchant = await openAccount(shop, { mids: [{ actions: ['sale', 'debit'] }] })
  assertRefused(await payOut({}, { merchant }), 204005, 'Payment action not supported.')
})
