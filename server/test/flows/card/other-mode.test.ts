/**
 * Nothing that was made with one of a merchant's keys can be found, changed or used with the other. Chapter 10 §10.4, chapter 20 §17.3,
 * chapter 30 §4.1.
 *
 * Each action is tried with every parameter that can name something. The tables of the protocols list these pairs; the expectation for each
 * is written here, so a new action fails this file until its row is added.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { cardFormulas } from '#domain/signature/signature.ts'
import { endpoints } from '#server/protocols/checkout/index.ts'
import { apmActions } from '#server/protocols/s2s-apm/index.ts'
import { cardActions } from '#server/protocols/s2s-card/index.ts'
import { readMigrations } from '#server/store/database/migration-files.ts'
import { Apm } from '../../apm.ts'
import { chargeChain, newSchedule, onSchedule, startChain } from '../../chains.ts'
import { type Body, buyer, CheckoutClient } from '../../pages/checkout.ts'
import { expiryFields } from '../../payments.ts'
import { type Answer, noCard, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)
const checkout = new CheckoutClient(shop)

type Mode = 'live' | 'test'
type Try = (mode: Mode) => Promise<Answer>

interface Row {
  /** The error to the key of the other mode. */
  readonly says: string
  /** Creates something with the live key, and returns how to use it with either key. */
  readonly on: () => Promise<Try>
}

/** These parameters name something that exists; all others describe something new. */
const idFields = [
  'trans_id',
  'payment_id',
  'schedule_id',
  'card_token',
  'recurring_token',
  'recurring_init_trans_id',
  'order_id',
]

const signedRequest = (action: string, pan10?: string) => async (id: string, over: RequestFields, mode: Mode) =>
  shop.followUp(action, id, over, { mode, ...(pan10 === undefined ? {} : { signedBy: { pan10 } }) })

async function transId(sent: Promise<Answer>): Promise<string> {
  const { body, text } = await sent
  assert.ok(body?.trans_id, text)
  return body.trans_id
}

const makeSale = (): Promise<string> => transId(shop.sale())
const makeHold = (): Promise<string> => transId(shop.sale({ auth: 'Y' }))
const followUpOn =
  (action: string, first: () => Promise<string>, over: RequestFields = {}) =>
  async () => {
    const id = await first()
    return (mode: Mode) => signedRequest(action)(id, over, mode)
  }

const schedules =
  (action: string, over: RequestFields = {}, before?: string) =>
  async () => {
    const id = await newSchedule(shop)
    if (before !== undefined) await onSchedule(shop, before, id)
    return (mode: Mode) => onSchedule(shop, action, id, { over, as: { mode } })
  }

const withSchedule = (over: RequestFields) => async () => {
  const schedule_id = await newSchedule(shop)
  return (mode: Mode) => shop.sale({ recurring_init: 'Y', schedule_id, ...over }, { mode })
}

async function saveCard(): Promise<string> {
  const { body } = await shop.sale({ req_token: 'Y' })
  assert.match(body.card_token, /^[0-9a-f]{64}$/)
  return body.card_token
}

const withToken = (over: RequestFields) => async () => {
  const card_token = await saveCard()
  return (mode: Mode) => shop.sale({ ...noCard, card_cvv2: '000', card_token, ...over }, { mode })
}

const chargeOnChain = (action: string) => async () => {
  const pair = await startChain(shop, action === 'RECURRING_DEBIT' ? { action: 'DEBIT' } : {})
  return (mode: Mode) => chargeChain(shop, pair, { action }, { mode })
}

/** The chain belongs to the caller's mode, the schedule does not. */
const chargeOnSchedule = (action: string) => async () => {
  const schedule_id = await newSchedule(shop)
  const first = action === 'RECURRING_DEBIT' ? { action: 'DEBIT' } : {}
  const pairs = { live: await startChain(shop, first), test: await startChain(shop, first, { mode: 'test' }) }
  return (mode: Mode) => chargeChain(shop, pairs[mode], { action, schedule_id }, { mode })
}

const payoutToToken = async (): Promise<Try> => {
  const card_token = await saveCard()
  return (mode) => {
    const { key, test_key, password } = shop.merchant()
    const fields = {
      action: 'CREDIT2CARD',
      client_key: mode === 'live' ? key : test_key,
      order_id: randomUUID(),
      order_amount: '5.00',
      order_currency: 'EUR',
      order_description: 'Winnings',
      card_token,
    }
    return shop.raw({ ...fields, hash: shop.sign(cardFormulas.creditWithToken, { card_token }, password) })
  }
}

const lookUp = async (): Promise<Try> => {
  const order_id = randomUUID()
  await shop.sale({ order_id })
  return (mode) => shop.byOrder(order_id, { mode })
}

const noTransaction = '101000 Transaction does not exist.'
const noOrder = '101000 Order does not exist.'
const noPayment = '100000 Payment not found.'
const noSchedule = '100000 Schedule not found'
const noChain = '100000 Incorrect transaction'
const noToken = '205005 Card token is invalid or not found.'
/** A new order: its name is the merchant's own choice, and both modes may use the same one. */
const names = 'new'

// biome-ignore format: a table is read in columns.
const cardRows: Readonly<Record<string, Row | typeof names>> = {
  'SALE card_token':                         { says: noToken,       on: withToken({}) },
  'SALE schedule_id':                        { says: noSchedule,    on: withSchedule({}) },
  'SALE order_id':                           names,
  'CAPTURE trans_id':                        { says: noTransaction, on: followUpOn('CAPTURE', makeHold, { amount: '10.00' }) },
  'CREDITVOID trans_id':                     { says: noPayment,     on: followUpOn('CREDITVOID', makeSale, { amount: '1.00' }) },
  'VOID trans_id':                           { says: noPayment,     on: followUpOn('VOID', makeSale) },
  'DEBIT card_token':                        { says: noToken,       on: withToken({ action: 'DEBIT' }) },
  'DEBIT schedule_id':                       { says: noSchedule,    on: withSchedule({ action: 'DEBIT' }) },
  'DEBIT order_id':                          names,
  'RECURRING_SALE recurring_token':          { says: noChain,       on: chargeOnChain('RECURRING_SALE') },
  'RECURRING_SALE recurring_init_trans_id':  { says: noChain,       on: chargeOnChain('RECURRING_SALE') },
  'RECURRING_SALE schedule_id':              { says: noSchedule,    on: chargeOnSchedule('RECURRING_SALE') },
  'RECURRING_SALE order_id':                 names,
  'RECURRING_DEBIT recurring_token':         { says: noChain,       on: chargeOnChain('RECURRING_DEBIT') },
  'RECURRING_DEBIT recurring_init_trans_id': { says: noChain,       on: chargeOnChain('RECURRING_DEBIT') },
  'RECURRING_DEBIT schedule_id':             { says: noSchedule,    on: chargeOnSchedule('RECURRING_DEBIT') },
  'RECURRING_DEBIT order_id':                names,
  'RETRY trans_id':                          { says: noPayment,     on: followUpOn('RETRY', () => transId(shop.sale(expiryFields('02/2038')))) },
  'CREDIT2CARD card_token':                  { says: noToken,       on: payoutToToken },
  'CREDIT2CARD order_id':                    names,
  'CARD2CARD order_id':                      names,
  'GET_TRANS_STATUS trans_id':               { says: noTransaction, on: followUpOn('GET_TRANS_STATUS', makeSale) },
  'GET_TRANS_DETAILS trans_id':              { says: noTransaction, on: followUpOn('GET_TRANS_DETAILS', makeSale) },
  'GET_TRANS_STATUS_BY_ORDER order_id':      { says: noOrder,       on: lookUp },
  'CREATE_SCHEDULE':                         names,
  'UPDATE_SCHEDULE schedule_id':             { says: noSchedule,    on: schedules('UPDATE_SCHEDULE', { name: 'Other' }) },
  'PAUSE_SCHEDULE schedule_id':              { says: noSchedule,    on: schedules('PAUSE_SCHEDULE') },
  'RUN_SCHEDULE schedule_id':                { says: noSchedule,    on: schedules('RUN_SCHEDULE', {}, 'PAUSE_SCHEDULE') },
  'DELETE_SCHEDULE schedule_id':             { says: noSchedule,    on: schedules('DELETE_SCHEDULE') },
  'SCHEDULE_INFO schedule_id':               { says: noSchedule,    on: schedules('SCHEDULE_INFO') },
  'DESCHEDULE schedule_id':                  { says: noSchedule,    on: schedules('DESCHEDULE') },
  'DESCHEDULE recurring_token':              { says: noChain,       on: deschedule },
}

/** The schedule belongs to the caller's mode, the chain does not. */
async function deschedule(): Promise<Try> {
  const ids = { live: await newSchedule(shop), test: await newSchedule(shop, {}, { mode: 'test' }) }
  const { recurring_token } = await startChain(shop, { schedule_id: ids.live })
  return (mode) => onSchedule(shop, 'DESCHEDULE', ids[mode], { over: { recurring_token }, as: { mode } })
}

const apmPaid = (): Promise<string> => transId(apm.sale())
const apmHeld = (): Promise<string> => transId(apm.hold())
const apmFollowing =
  (action: string, first: () => Promise<string>, over: RequestFields = {}) =>
  async () => {
    const id = await first()
    return (mode: Mode) => apm.followUp(action, id, over, { mode })
  }

const apmLookUp = async (): Promise<Try> => {
  const order_id = randomUUID()
  await apm.sale({ order_id })
  return (mode) => apm.byOrder(order_id, { mode })
}

// biome-ignore format: a table is read in columns.
const apmRows: Readonly<Record<string, Row | typeof names>> = {
  'SALE order_id':                      names,
  'CAPTURE trans_id':                   { says: noTransaction, on: apmFollowing('CAPTURE', apmHeld) },
  'CREDITVOID trans_id':                { says: noPayment,     on: apmFollowing('CREDITVOID', apmPaid, { amount: '1.00' }) },
  'VOID trans_id':                      { says: noPayment,     on: apmFollowing('VOID', apmPaid) },
  'CREDIT2VIRTUAL order_id':            names,
  'CREDIT2CRYPTO order_id':             names,
  'DEBIT2VIRTUAL order_id':             names,
  'DEBIT2VIRTUAL_CALC order_id':        names,
  'DEBIT2VIRTUAL_COMPLETE trans_id':    { says: noTransaction, on: apmFollowing('DEBIT2VIRTUAL_COMPLETE', () => transId(apm.calculate())) },
  'GET_TRANS_STATUS trans_id':          { says: noTransaction, on: apmFollowing('GET_TRANS_STATUS', apmPaid) },
  'GET_TRANS_STATUS_BY_ORDER order_id': { says: noOrder,       on: apmLookUp },
}

async function checkoutPaid(over: Body & { order?: Body } = {}, expiry?: string, mode: Mode = 'live'): Promise<string> {
  const { payment } = await checkout.makePayment(over, expiry, { mode })
  return payment.id
}

const return_url = 'https://shop.example/return'

const sessionOnSchedule = (path: string) => async () => {
  const { id: schedule_id } = await checkout.schedule()
  return (mode: Mode) =>
    checkout.post(path, 'session', checkout.purchase({ recurring_init: true, schedule_id, return_url }), { mode })
}

/** A session leaves out cards that it cannot offer; the answer is the number of cards that the payer may choose from. */
const sessionWithTokens = (path: string) => async () => {
  const card_token = [await saveCard()]
  return async (mode: Mode) => {
    const creation = await checkout.post(path, 'session', checkout.purchase({ card_token, return_url }), { mode })
    assert.equal(creation.http, 200, creation.text)
    const token = creation.body.session_token ?? creation.body.token ?? creation.body.redirect_url.split('/auth/')[1]
    const session = await checkout.byToken(token)
    const { merchant } = shop.service.configuration.byKey(shop.merchant().key) ?? assert.fail('No merchant.')
    const offered = await shop.service.operations.sessions.listSavedCards(merchant, session)
    return { ...creation, body: { error_code: 'offered', error_message: offered.length } }
  }
}

async function checkoutPair(mode: Mode = 'live') {
  const id = await checkoutPaid({ recurring_init: true, customer: buyer }, '01/38', mode)
  const { fields } = await checkout.lastCallback(id)
  return {
    recurring_init_trans_id: fields['recurring_init_trans_id'] ?? id,
    recurring_token: fields['recurring_token'] ?? '',
  }
}

const checkoutOrder = () => ({ number: randomUUID(), amount: '5.00', description: 'Month 2' })

const checkoutCharge = async (): Promise<Try> => {
  const pair = await checkoutPair()
  return (mode) => checkout.recurring({ ...pair, order: checkoutOrder() }, { mode })
}

const noCheckoutPayment = '101000 Payment does not exist.'

// biome-ignore format: a table is read in columns.
const checkoutRows: Readonly<Record<string, Row | typeof names>> = {
  'session schedule_id':               { says: noSchedule, on: sessionOnSchedule('/api/v1/session') },
  'session card_token':                { says: 'offered 0', on: sessionWithTokens('/api/v1/session') },
  'session-token schedule_id':         { says: noSchedule, on: sessionOnSchedule('/api/v1/session/token') },
  'session-token card_token':          { says: 'offered 0', on: sessionWithTokens('/api/v1/session/token') },
  'status payment_id':                 { says: noCheckoutPayment, on: async () => { const payment_id = await checkoutPaid(); return (mode) => checkout.status({ payment_id }, { mode }) } },
  'status order_id':                   { says: noOrder, on: async () => { const number = randomUUID(); await checkoutPaid({ order: { number } }); return (mode) => checkout.status({ order_id: number }, { mode }) } },
  'capture payment_id':                { says: noPayment, on: async () => { const id = await checkoutPaid({ auth: 'Y' }); return (mode) => checkout.capture(id, '10.00', { mode }) } },
  'refund payment_id':                 { says: noPayment, on: async () => { const id = await checkoutPaid(); return (mode) => checkout.refund(id, '1.00', { mode }) } },
  'void payment_id':                   { says: noPayment, on: async () => { const id = await checkoutPaid(); return (mode) => checkout.void(id, { mode }) } },
  'recurring recurring_init_trans_id': { says: noChain,   on: checkoutCharge },
  'recurring recurring_token':         { says: noChain,   on: checkoutCharge },
  'recurring schedule_id':             { says: noSchedule, on: checkoutChargeOn },
  'retry payment_id':                  { says: noPayment, on: async () => { const id = await checkoutPaid({}, '02/38'); return (mode) => checkout.retry(id, { mode }) } },
  'card-credit card_token':            { says: noToken,   on: checkoutCredit },
  'card-credit order_id':              names,
}

/** The chain belongs to the caller's mode, the schedule does not. */
async function checkoutChargeOn(): Promise<Try> {
  const { id: schedule_id } = await checkout.schedule()
  const pairs = { live: await checkoutPair(), test: await checkoutPair('test') }
  return (mode) => checkout.recurring({ ...pairs[mode], order: checkoutOrder(), schedule_id }, { mode })
}

async function checkoutCredit(): Promise<Try> {
  const card_token = await saveCard()
  const order = { order_amount: '5.00', order_currency: 'EUR', order_description: 'Winnings' }
  return (mode) =>
    checkout.credit(
      { order_id: randomUUID(), ...order, card_token, payee_first_name: 'J', payee_last_name: 'R' },
      { mode },
    )
}

const protocols = [
  { name: 'S2S CARD', rows: cardRows, offered: cardActions.map((one) => [one.names[0] ?? '', one.params] as const) },
  { name: 'S2S APM', rows: apmRows, offered: apmActions.map((one) => [one.names[0] ?? '', one.params] as const) },
  { name: 'Checkout', rows: checkoutRows, offered: endpoints.map((one) => [one.name, one.params] as const) },
]

for (const { name, rows, offered } of protocols) {
  test(`${name}: every action has a row for every parameter that names something`, () => {
    const pairs = offered.flatMap(([action, table]) => {
      const named = Object.keys(table).filter((one) => idFields.includes(one))
      return named.length === 0 ? [action] : named.map((one) => `${action} ${one}`)
    })
    assert.deepEqual(Object.keys(rows).sort(), pairs.sort())
  })

  describe(`${name} with the test key does not find what the live key made`, () => {
    for (const [what, row] of Object.entries(rows)) {
      if (row === names) continue
      test(what, async () => {
        const attempt = await row.on()
        const other = await attempt('test')
        assert.equal(refusal(other), row.says, other.text)
        const own = await attempt('live')
        assert.notEqual(refusal(own), row.says, own.text)
      })
    }
  })
}

const refusal = ({ body }: Answer): string => `${body?.error_code} ${body?.error_message}`

test('an order whose duplicates are refused may be paid in the other mode', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const order_id = randomUUID()
  assert.equal((await shop.sale({ order_id })).body.result, 'SUCCESS')
  assert.match((await shop.sale({ order_id })).text, /Duplicate payment/)
  assert.equal((await shop.sale({ order_id }, { mode: 'test' })).body.result, 'SUCCESS')
  await shop.choose({})
})

test('an idempotency key of one mode is free in the other, however long it is', async () => {
  for (const key of [randomUUID(), 'k'.repeat(255)]) {
    const headers = { 'idempotency-key': key }
    const fields = shop.saleFields()
    const first = await shop.raw(fields, { headers })
    assert.equal(first.http, 200, first.text)
    const other = await shop.sale({}, { mode: 'test', headers })
    assert.equal(other.http, 200, other.text)
    assert.equal((await shop.raw(fields, { headers })).text, first.text)
    assert.equal((await shop.sale({}, { headers })).http, 409)
  }
})

test('a schedule of the other mode is unchanged by all these attempts', async () => {
  const schedule_id = await newSchedule(shop)
  await startChain(shop, { schedule_id })
  const count = async () =>
    (
      await shop.base.pool.query(
        "select count(*)::int as n from subscriptions where schedule_id = $1 and state = 'running'",
        [schedule_id],
      )
    ).rows[0].n
  assert.equal(await count(), 1)
  for (const action of ['PAUSE_SCHEDULE', 'DESCHEDULE', 'DELETE_SCHEDULE']) {
    assert.equal(refusal(await onSchedule(shop, action, schedule_id, { as: { mode: 'test' } })), noSchedule)
  }
  assert.equal((await onSchedule(shop, 'SCHEDULE_INFO', schedule_id)).body.paused, 'N')
  assert.equal(await count(), 1)
})

test('schedules from before the separation of modes get the mode of the payments that started plans on them', async () => {
  const [live, both, tested, unused] = await Promise.all(Array.from({ length: 4 }, () => newSchedule(shop)))
  const onlyTest = await newSchedule(shop, {}, { merchant: 'demo-no-moto' })
  assert.ok(live && both && tested && unused)
  const { pool } = shop.base
  await startChain(shop, { schedule_id: live })
  await startChain(shop, { schedule_id: both })
  // Before, a payment could name a schedule of the other mode.
  for (const id of [both, tested]) {
    await pool.query("update schedules set side = 'test' where id = $1", [id])
    await startChain(shop, { schedule_id: id }, { mode: 'test' })
  }
  await pool.query("update merchants set test_only = true where name = 'demo-no-moto'")
  await pool.query('alter table schedules drop column side')

  const migration = (await readMigrations()).find(({ name }) => name === 'sides_of_schedules')
  await pool.query(migration?.text ?? assert.fail('There is no such migration.'))
  const { rows } = await pool.query<{ id: string; side: string }>('select id, side from schedules')
  const modes = new Map(rows.map(({ id, side }) => [id, side]))
  const expected = { live: 'live', both: 'live', tested: 'test', unused: 'live', onlyTest: 'test' }
  const found = { live, both, tested, unused, onlyTest }
  assert.deepEqual(Object.fromEntries(Object.entries(found).map(([name, id]) => [name, modes.get(id)])), expected)
})
