/** DEBIT: like a SALE with fewer payer fields, and undone by reversals. Chapter 10 §6, §7.5, §11.2, §12. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { openAccount } from '../../account.ts'
import { newSchedule } from '../../chains.ts'
import { callbackHash, expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, type As, noCard, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())

const debit = (over: RequestFields = {}, as: As = {}): Promise<Answer> => shop.sale({ action: 'DEBIT', ...over }, as)

async function makeDebit(over: RequestFields = {}): Promise<string> {
  const { body } = await debit(over)
  assert.equal(body.status, 'SETTLED')
  return body.trans_id
}

const answerFields = 'action result status order_id trans_id trans_date descriptor amount currency'
const callbackFields = 'action result status order_id trans_id hash trans_date descriptor amount currency'

// biome-ignore format: a table is read in columns.
const outcomes = [
  // expiry    result       status      answer ends with     callback ends with
  ['01/2038', 'SUCCESS',   'SETTLED',  '',                  ' card card_expiration_date'],
  ['02/2038', 'DECLINED',  'DECLINED', ' decline_reason',   ' decline_reason'],
  ['04/2038', 'UNDEFINED', 'PREPARE',  '',                  ''],
] as const

for (const [expiry, result, status, answerEnd, callbackEnd] of outcomes) {
  test(`${expiry}: ${result}, ${status}, in the documented fields and their order`, async () => {
    const { http, body } = await debit(expiryFields(expiry))
    assert.equal(http, 200)
    assert.deepEqual([body.action, body.result, body.status], ['DEBIT', result, status])
    assert.equal(Object.keys(body).join(' '), `${answerFields}${answerEnd}`)
    const [callback] = await shop.callbacks(body.trans_id)
    assert.equal(Object.keys(callback?.fields ?? {}).join(' '), `${callbackFields}${callbackEnd}`)
    assert.equal(callback?.fields['action'], 'DEBIT')
    assert.equal(callback?.fields['hash'], callbackHash(shop, body.trans_id))
  })
}

test('04/2038: the outcome is resolved', async () => {
  const { body } = await debit(expiryFields('04/2038'))
  await shop.advance(31_000)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'DEBIT'), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['debit 1000'])
})

test('05/2038: a payer step is a REDIRECT of the DEBIT', async () => {
  const { body } = await debit(expiryFields('05/2038'))
  assert.deepEqual([body.action, body.result, body.status], ['DEBIT', 'REDIRECT', '3DS'])
  assert.equal(Object.keys(body).join(' '), `${answerFields} redirect_url redirect_params redirect_method`)
  assert.deepEqual(await readCallbacks(shop, body.trans_id, 'DEBIT'), ['REDIRECT 3DS'])
})

const noPayer: RequestFields = {
  payer_first_name: undefined,
  payer_last_name: undefined,
  payer_email: undefined,
  payer_phone: undefined,
}

test('only payer_ip of the payer fields is required, whatever the mapping requires of a SALE', async () => {
  await shop.choose({ requiredPayerFields: ['payer_city', 'payer_zip'] })
  const { body } = await debit(noPayer)
  assert.equal(body.status, 'SETTLED')
  assertViolations(await debit({ ...noPayer, payer_ip: undefined }), [`payer_ip: ${says.blank}`])
})

test('without an e-mail the e-mail term is left out of every signature', async () => {
  const { password } = shop.merchant()
  const { body } = await debit({ payer_email: undefined })
  const values = { trans_id: body.trans_id, pan10: '4111111111' }
  const [callback] = await shop.callbacks(body.trans_id)
  assert.equal(callback?.fields['hash'], shop.sign(cardFormulas.followUp, values, password))
  const { http } = await shop.followUp('GET_TRANS_STATUS', body.trans_id, {}, { signedBy: { email: undefined } })
  assert.equal(http, 200)
})

test('a request with nothing but action and key reports what it needs, in the order of the table', async () => {
  const nothing = Object.fromEntries(
    ['order_id', 'order_amount', 'order_currency', 'order_description', 'payer_ip', 'term_url_3ds', 'hash'].map(
      (name) => [name, undefined],
    ),
  )
  assertViolations(await debit({ ...noPayer, ...noCard, ...nothing }), [
    `card_number: ${says.blank}`,
    `card_exp_month: ${says.blank}`,
    `card_exp_year: ${says.blank}`,
    `card_cvv2: ${says.blank}`,
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

test('auth, moto_type, mpi_data and a wallet pair are ignored, and moto_type is not echoed', async () => {
  const { body } = await debit({
    auth: 'Y',
    moto_type: 'anything',
    'mpi_data[eci]': 'x',
    digital_wallet: 'anything',
    payment_token: 'anything',
  })
  assert.deepEqual([body.status, body.moto_type], ['SETTLED', undefined])
  assertViolations(
    await debit({ ...noCard, digital_wallet: 'walletapay', payment_token: '{}' }),
    ['card_number', 'card_exp_month', 'card_exp_year', 'card_cvv2'].map((name) => `${name}: ${says.blank}`),
  )
})

test('a debit settles also on a MID in DMS mode', async () => {
  const { body } = await debit({}, { merchant: 'demo-dms' })
  assert.deepEqual([body.result, body.status], ['SUCCESS', 'SETTLED'])
})

test('without a MID that supports debits the action is not supported', async () => {
  const merchant = await openAccount(shop, { mids: [{ actions: ['sale', 'auth'] }] })
  assertRefused(await debit({}, { merchant }), 204005, 'Payment action not supported.')
})

test('a card saved by a debit pays the next one, whose every callback shows the card', async () => {
  const { body: first } = await debit({ req_token: 'Y' })
  assert.match(first.card_token, /^[0-9a-f]{64}$/)
  const [saved] = await shop.callbacks(first.trans_id)
  assert.equal(saved?.fields['card_token'], first.card_token)

  const { body } = await debit({ card_token: first.card_token })
  assert.equal(body.status, 'SETTLED')
  const { body: again } = await debit({ req_token: 'Y' })
  assert.equal(again.card_token, first.card_token)

  for (const expiry of ['04/2038', '06/2039']) {
    const { body: kept } = await debit({ req_token: 'Y', ...expiryFields(expiry) })
    await shop.advance(31_000)
    const token = (await shop.callbacks(kept.trans_id)).at(-1)?.fields['card_token']
    const { body: later } = await debit({ card_token: token })
    await shop.advance(31_000)
    const callbacks = await shop.callbacks(later.trans_id)
    assert.ok(callbacks.length >= 2)
    for (const { fields } of callbacks) {
      assert.deepEqual([fields['card'], fields['card_expiration_date']], ['411111******1111', expiry])
    }
  }
})

test('with recurring_init=Y the success callback contains the pair and the schedule', async () => {
  const schedule_id = await newSchedule(shop)
  const { body } = await debit({ recurring_init: 'Y', schedule_id })
  const [callback] = await shop.callbacks(body.trans_id)
  const fields = callback?.fields ?? {}
  assert.deepEqual(
    [fields['recurring_init_trans_id'], fields['recurring_token'], fields['schedule_id']],
    [body.trans_id, body.recurring_token, schedule_id],
  )
})

// biome-ignore format: a table is read in columns.
const reversals = [
  // amounts                status after each                     callbacks
  [[undefined],            ['REVERSAL']],
  [['4.00', '6.00'],       ['SETTLED', 'REVERSAL']],
  [['4.00', undefined],    ['SETTLED', 'REVERSAL']],
] as const

for (const [amounts, statuses] of reversals) {
  test(`CREDITVOID of ${amounts.map((amount) => amount ?? 'the rest').join(', then ')}: ${statuses.join(', then ')}`, async () => {
    const transId = await makeDebit()
    for (const amount of amounts) {
      const { body } = await shop.followUp('CREDITVOID', transId, { amount })
      assert.equal(body.result, 'ACCEPTED')
    }
    assert.deepEqual(
      await readCallbacks(shop, transId, 'CREDITVOID'),
      statuses.map((status) => `SUCCESS ${status}`),
    )
    const executed = await readEffects(shop, transId)
    assert.ok(executed.slice(1).every((effect) => effect.startsWith('reverse ')))
    const left = (await shop.postings(transId)).filter((posting) => posting.startsWith('settled -> refunded'))
    assert.equal(left.length, amounts.length)
  })
}

test('a reversal above the remainder is refused, and so is any after a full reversal', async () => {
  const transId = await makeDebit()
  const tooMuch = 'Not acceptable to request the reversal for amount bigger than payment amount.'
  assertRefused(await shop.followUp('CREDITVOID', transId, { amount: '10.01' }), 208008, tooMuch)
  await shop.followUp('CREDITVOID', transId, { amount: '7.00' })
  assertRefused(await shop.followUp('CREDITVOID', transId, { amount: '3.01' }), 208008, tooMuch)
  await shop.followUp('CREDITVOID', transId)
  assertRefused(await shop.followUp('CREDITVOID', transId), 208005, 'Refund is not allowed')
})

test('a declined reversal leaves the debit settled', async () => {
  const transId = await makeDebit(expiryFields('04/2039'))
  await shop.followUp('CREDITVOID', transId)
  assert.deepEqual(await readCallbacks(shop, transId, 'CREDITVOID'), ['DECLINED SETTLED'])
})

test('a debit can be neither voided nor captured', async () => {
  const transId = await makeDebit()
  assertRefused(await shop.followUp('VOID', transId), 100000, 'Void is not allowed.')
  const notPending = 'Not acceptable to request the capture for payment not in pending status.'
  assertRefused(await shop.followUp('CAPTURE', transId), 208003, notPending)
  assert.equal(await statusOf(shop, transId), 'SETTLED')
})
