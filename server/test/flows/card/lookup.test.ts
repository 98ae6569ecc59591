/** GET_TRANS_STATUS, GET_TRANS_DETAILS and GET_TRANS_STATUS_BY_ORDER. Chapter 10 §7.10, §10.4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { paymentIn, waysInto } from '../../payments.ts'
import { assertRefused, assertViolations, says } from '../../refusals.ts'
import { type Answer, type As, openShop, type RequestFields, type SignedBy } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const unknownTransaction = (answer: Answer) => assertRefused(answer, 101000, 'Transaction does not exist.')
const unknownOrder = (answer: Answer) => assertRefused(answer, 101000, 'Order does not exist.')

const status = (transId: string, as: As & { signedBy?: SignedBy } = {}) =>
  shop.followUp('GET_TRANS_STATUS', transId, {}, as)
const details = (transId: string, as: As & { signedBy?: SignedBy } = {}) =>
  shop.followUp('GET_TRANS_DETAILS', transId, {}, as)

/** The three look-ups of one payment, by the name of their action. */
async function lookUps({ trans_id, order_id }: RequestFields, as: As & { signedBy?: SignedBy } = {}) {
  return {
    GET_TRANS_STATUS: await status(trans_id ?? '', as),
    GET_TRANS_STATUS_BY_ORDER: await shop.byOrder(order_id ?? '', as),
    GET_TRANS_DETAILS: await details(trans_id ?? '', as),
  }
}

test('a status has five fields, and more only if there is more to report', async () => {
  const { body } = await shop.sale()
  const { trans_id, order_id } = body
  const { GET_TRANS_STATUS, GET_TRANS_STATUS_BY_ORDER } = await lookUps(body)
  for (const [action, answer] of Object.entries({ GET_TRANS_STATUS, GET_TRANS_STATUS_BY_ORDER })) {
    assert.equal(answer.http, 200)
    assert.equal(answer.text, JSON.stringify({ action, result: 'SUCCESS', status: 'SETTLED', order_id, trans_id }))
  }
})

test('details contain payer, amount, card and every transaction', async () => {
  const { body } = await shop.sale()
  const { trans_id, order_id, trans_date: date } = body
  const answer = await details(trans_id)
  assert.deepEqual(answer.body, {
    action: 'GET_TRANS_DETAILS',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id,
    trans_id,
    name: 'John Doe',
    mail: 'doe@example.com',
    ip: '203.0.113.7',
    amount: '10.00',
    currency: 'EUR',
    card: '411111******1111',
    transactions: [{ date, type: 'SALE', status: 'success', amount: '10.00' }],
  })
  assert.deepEqual(Object.keys(answer.body).slice(0, 5), ['action', 'result', 'status', 'order_id', 'trans_id'])
})

for (const name of Object.keys(waysInto)) {
  test(`the look-up of a payment in status ${name} succeeds and returns the status`, async () => {
    const transId = await paymentIn(shop, name)
    for (const { body } of [await status(transId), await details(transId)])
      assert.deepEqual([body.result, body.status], ['SUCCESS', name])
  })
}

test('only a declined payment has a reason, in all three look-ups', async () => {
  const { body } = await shop.sale({ card_exp_month: '09' })
  for (const answer of Object.values(await lookUps(body)))
    assert.deepEqual([answer.body.result, answer.body.decline_reason], ['SUCCESS', 'Stolen card'])

  const held = await shop.sale({ auth: 'Y', card_exp_month: '03' })
  assert.equal((await shop.followUp('CAPTURE', held.body.trans_id)).body.result, 'DECLINED')
  for (const answer of Object.values(await lookUps(held.body))) {
    assert.equal(answer.body.status, 'PENDING')
    assert.equal('decline_reason' in answer.body, false)
  }
})

test('moto_type is returned if it was sent', async () => {
  const { body } = await shop.sale({ moto_type: 'ecommerce' })
  for (const answer of Object.values(await lookUps(body))) assert.equal(answer.body.moto_type, 'ecommerce')
})

/** Everything that a SALE can contain, and the selectable fields that return it. */
const full: RequestFields = {
  payer_birth_date: '1970-02-28',
  payer_address: 'High Street',
  payer_address2: 'Back door',
  payer_house_number: '12a',
  payer_phone_country_code: '44',
  payer_country: 'GB',
  payer_state: 'Kent',
  payer_city: 'Dover',
  payer_district: 'Port',
  payer_zip: 'CT16',
  req_token: 'Y',
  'mpi_data[eci]': '05',
  'mpi_data[authentication_value]': 'A'.repeat(28),
  'mpi_data[ds_trans_id]': 'f38e6948-5388-41a6-bca4-b49723c19437',
  'mpi_data[3ds_version]': '2.2.0',
  'mpi_data[trans_status]': 'Y',
  'mpi_data[xid]': 'an-xid',
}

const selectedFields: Readonly<Record<string, string>> = {
  checkout_payment_method: 'card',
  brand: 'payment_document_card',
  initiator: 'cardholder',
  sequence: 'initial',
  source: 'card_token',
  card: '411111******1111',
  card_expiration_date: '01/2038',
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_birth_date: '1970-02-28',
  payer_address: 'High Street',
  payer_address2: 'Back door',
  payer_house_number: '12a',
  payer_phone_country_code: '44',
  payer_country: 'GB',
  payer_state: 'Kent',
  payer_city: 'Dover',
  payer_district: 'Port',
  payer_zip: 'CT16',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  dsTransID: 'f38e6948-5388-41a6-bca4-b49723c19437',
  xid: 'an-xid',
  transStatus: 'Y',
  eci: '05',
  protocolVersion: '2.2.0',
}

test('the fields that the mapping selects for status answers, and no others, are in all three look-ups', async () => {
  const merchant = await openAccount(shop, { options: { addToStatus: [...Object.keys(selectedFields), 'arn', 'rrn'] } })
  const { body } = await shop.sale(full, { merchant })
  assert.equal('payer_city' in body, false)
  for (const [action, { body: answer }] of Object.entries(await lookUps(body, { merchant }))) {
    const values = Object.fromEntries(Object.keys(selectedFields).map((name) => [name, answer[name]]))
    assert.deepEqual(values, selectedFields, action)
    for (const name of ['arn', 'rrn']) assert.match(answer[name], /^[0-9A-Za-z]+$/, `${action} ${name}`)
    assert.equal('authentication_value' in answer, false)
  }

  await shop.choose({ addToStatus: ['payer_city'], addToCallback: ['eci', 'payer_zip'] }, merchant)
  const { GET_TRANS_STATUS } = await lookUps(body, { merchant })
  const { trans_id, order_id } = body
  const heading = { action: 'GET_TRANS_STATUS', result: 'SUCCESS', status: 'SETTLED', order_id, trans_id }
  assert.deepEqual(GET_TRANS_STATUS.body, { ...heading, payer_city: 'Dover' })
})

test('a selected field without a value is left out, also arn', async () => {
  const names = ['arn', 'initiator', 'payer_state', 'acsTransID', 'browser_language', 'payer_city']
  const merchant = await openAccount(shop, { options: { addToStatus: names } })
  const { body } = await shop.sale({ card_exp_month: '02', payer_city: 'Dover' }, { merchant })
  const { body: answer } = await status(body.trans_id, { merchant })
  assert.deepEqual(Object.keys(answer).slice(5), ['decline_reason', 'payer_city'])
})

const never = '00000000-0000-4000-8000-000000000000'

for (const action of ['GET_TRANS_STATUS', 'GET_TRANS_DETAILS']) {
  test(`${action} of an unknown payment is answered as unknown, well-formed or not; above 255 characters it is not correct`, async () => {
    for (const transId of [never, 'x', `${never}0`, "' or 1=1 --", 'é'.repeat(255)])
      unknownTransaction(await shop.followUp(action, transId))
    assertViolations(await shop.followUp(action, 'x'.repeat(256)), [`trans_id: ${says.notCorrect}`])
  })

  test(`${action} reports missing parameters in their order`, async () => {
    const rows = [`client_key: ${says.blank}`, `trans_id: ${says.blank}`, `hash: ${says.blank}`]
    assertViolations(await shop.raw({ action }), rows)
    assertViolations(await shop.raw({ action, client_key: shop.merchant().key }), rows.slice(1))
  })
}

test('GET_TRANS_STATUS_BY_ORDER of an unknown order, an over-long one and none is refused', async () => {
  const action = 'GET_TRANS_STATUS_BY_ORDER'
  unknownOrder(await shop.byOrder('NO-SUCH-ORDER'))
  unknownOrder(await shop.byOrder('x'.repeat(255)))
  assertViolations(await shop.byOrder('x'.repeat(256)), [`order_id: ${says.notCorrect}`])
  const rows = [`client_key: ${says.blank}`, `order_id: ${says.blank}`, `hash: ${says.blank}`]
  assertViolations(await shop.raw({ action }), rows)
})

test("another merchant's payment is unknown", async () => {
  const { body } = await shop.sale()
  const as = { merchant: 'demo-no-moto' }
  unknownTransaction(await status(body.trans_id, as))
  unknownTransaction(await details(body.trans_id, as))
  unknownOrder(await shop.byOrder(body.order_id, as))
})

test('test payments are found only with the test key, live ones only with the live key', async () => {
  for (const [own, other] of [
    ['live', 'test'],
    ['test', 'live'],
  ] as const) {
    const { body } = await shop.sale({}, { mode: own })
    for (const answer of Object.values(await lookUps(body, { mode: own }))) assert.equal(answer.body.result, 'SUCCESS')
    unknownTransaction(await status(body.trans_id, { mode: other }))
    unknownTransaction(await details(body.trans_id, { mode: other }))
    unknownOrder(await shop.byOrder(body.order_id, { mode: other }))
  }
})

const madeOn = (protocol: string, transId: string) =>
  shop.base.pool.query('update payments set protocol = $1 where id = $2', [protocol, transId])

test('a payment of Checkout is found, one of S2S APM is unknown', async () => {
  const { body } = await shop.sale()
  await madeOn('CHECKOUT', body.trans_id)
  for (const answer of Object.values(await lookUps(body))) assert.equal(answer.body.result, 'SUCCESS')
  await madeOn('S2S_APM', body.trans_id)
  unknownTransaction(await status(body.trans_id))
  unknownTransaction(await details(body.trans_id))
  unknownOrder(await shop.byOrder(body.order_id))
})

test('a look-up by order returns the newest payment, and is signed with its data', async () => {
  const order_id = 'ORDER-OF-THREE'
  const first = await shop.sale({ order_id, card_exp_month: '02' })
  assert.equal((await shop.byOrder(order_id)).body.trans_id, first.body.trans_id)
  const second = await shop.sale({ order_id, payer_email: 'ann@example.com', card_number: '5555555555554444' })
  assertViolations(await shop.byOrder(order_id), [`hash: ${says.wrongHash}`])
  const answer = await shop.byOrder(order_id, { signedBy: { email: 'ann@example.com', pan10: '5555554444' } })
  assert.deepEqual([answer.body.trans_id, answer.body.status], [second.body.trans_id, 'SETTLED'])
})

test('newer payments of the order that are unknown here do not hide an older one that is known', async () => {
  const order_id = 'ORDER-OF-BOTH-SIDES'
  const known = await shop.sale({ order_id })
  await shop.sale({ order_id }, { mode: 'test' })
  const apm = await shop.sale({ order_id })
  await madeOn('S2S_APM', apm.body.trans_id)
  assert.equal((await shop.byOrder(order_id)).body.trans_id, known.body.trans_id)
})
