/**
 * Payments that wait for the payer's money or for a provider: crypto, vouchers, approvals, payouts. Chapter 20 §5.1, §6.3, §6.6, §10, §11,
 * §15.
 */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { apmFormulas } from '#domain/signature/signature.ts'
import { Apm, type SignedBy } from '../../apm.ts'
import { crashBeforeArrival, crashDuring } from '../../crash.ts'
import { assertRefused, readEffects } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
const apm = new Apm(shop)
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const bitcoin: RequestFields = {
  brand: 'crypto-pay',
  order_amount: '0.001',
  order_currency: 'BTC',
  identifier: undefined,
}
const voucher: RequestFields = { brand: 'voucher-cash', order_currency: 'USD', identifier: 'jane@example.com' }
const approval: RequestFields = {
  brand: 'upi-like',
  order_currency: 'INR',
  payer_country: 'IN',
  identifier: 'jane',
  'parameters[virtual_address]': 'jane@bank',
}

async function beginPayment(over: RequestFields): Promise<string> {
  const { body } = await apm.sale(over)
  return body.trans_id
}

/** The payer acts, and the acquirer reports it to the gateway. */
async function payer(transId: string, report: string, amount?: string): Promise<void> {
  const reply = await fetch(`${shop.sandbox.url}/trigger/${transId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ report, ...(amount === undefined ? {} : { amount }) }),
  })
  assert.equal(reply.status, 200, await reply.text())
  await shop.advance(20 * second)
}

const byCrypto: SignedBy = { formula: apmFormulas.cryptoCallback }
const byPayout: SignedBy = { formula: apmFormulas.payoutCallback }

/** As `result status`, in the order of their arrival. */
async function readCallbacks(transId: string, signedBy: SignedBy = {}): Promise<readonly string[]> {
  const callbacks = await apm.callbacks(transId, signedBy)
  return callbacks.map(({ fields }) => `${fields['result']} ${fields['status']}`)
}

async function lookUp(transId: string): Promise<readonly string[]> {
  const { body } = await apm.status(transId)
  return [body.status, body.decline_reason].filter((value) => value !== undefined)
}

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ kind: string }>(
    'select kind from alerts where payment_id = $1 order by raised_at',
    [transId],
  )
  return rows.map(({ kind }) => kind)
}

// biome-ignore format: a table is read in columns.
const reports = [
  // brand               sent      report                     status                             effect            ledger
  ['crypto, exact',     bitcoin,  ['paid'],                  ['SETTLED'],                        ['sale 100000'],  ['payer -> settled 100000']],
  ['crypto, more',      bitcoin,  ['more', '0.0015'],        ['SETTLED'],                        ['sale 150000'],  ['payer -> settled 150000']],
  ['crypto, less',      bitcoin,  ['less', '0.0009'],        ['DECLINED', 'Amount mismatch'],    [],               []],
  ['crypto, expired',   bitcoin,  ['expired'],               ['DECLINED', 'Expired'],            [],               []],
  ['voucher, paid',     voucher,  ['paid'],                  ['SETTLED'],                        ['sale 1000'],    ['payer -> settled 1000']],
  ['voucher, expired',  voucher,  ['expired'],               ['DECLINED', 'Expired'],            [],               []],
] as const

for (const [title, sent, [report, amount], expected, executed, postings] of reports) {
  test(`${title}: INIT and PENDING, then ${expected.join(', ')}`, async () => {
    const { body } = await apm.sale(sent)
    assert.deepEqual([body.result, body.status], ['SUCCESS', 'PENDING'])
    await payer(body.trans_id, report, amount)
    assert.deepEqual(await lookUp(body.trans_id), expected)
    const last = expected[0] === 'SETTLED' ? 'SUCCESS SETTLED' : 'DECLINED DECLINED'
    const signedBy = sent === bitcoin ? byCrypto : {}
    assert.deepEqual(await readCallbacks(body.trans_id, signedBy), ['INIT PENDING', last])
    assert.deepEqual(await readEffects(shop, body.trans_id), executed)
    assert.deepEqual(await shop.postings(body.trans_id), postings)
  })
}

test('the callback of an overpaid payment contains the received amount', async () => {
  const transId = await beginPayment(bitcoin)
  await payer(transId, 'more', '0.0015')
  const callbacks = await apm.callbacks(transId, byCrypto)
  assert.deepEqual(
    callbacks.map(({ fields }) => fields['amount']),
    ['0.00100000', '0.00150000'],
  )
})

test('an open amount is not reported before the money arrives, and then it is the received amount', async () => {
  const { body } = await apm.sale({ ...bitcoin, order_amount: undefined })
  assert.deepEqual([body.status, body.amount], ['PENDING', undefined])
  await payer(body.trans_id, 'paid', '0.25')
  const callbacks = await apm.callbacks(body.trans_id, byCrypto)
  assert.deepEqual(
    callbacks.map(({ fields }) => fields['amount']),
    [undefined, '0.25000000'],
  )
  assert.deepEqual(await shop.postings(body.trans_id), ['payer -> settled 25000000'])
})

test('a payment that waits for money can be neither captured nor released', async () => {
  const transId = await beginPayment(voucher)
  const notPending = 'Not acceptable to request the capture for payment not in pending status.'
  assertRefused(await apm.followUp('CAPTURE', transId), 208003, notPending)
  assertRefused(await apm.followUp('CREDITVOID', transId), 208005, 'Refund is not allowed')
  assert.deepEqual(await lookUp(transId), ['PENDING'])
})

test('the payment waits until the end of the brand’s time, and the expiry is called back once', async () => {
  const transId = await beginPayment(voucher)
  await shop.advance(2 * day)
  await shop.advance(23 * hour)
  assert.deepEqual(await lookUp(transId), ['PENDING'])
  await shop.advance(hour)
  assert.deepEqual(await lookUp(transId), ['DECLINED', 'Expired'])
  assert.deepEqual(await readCallbacks(transId), ['INIT PENDING', 'DECLINED DECLINED'])
})

test('if the provider does not answer at the end, the payment stays PENDING and polling continues', async () => {
  const transId = await beginPayment(voucher)
  await shop.scenario({ down: true })
  await shop.advance(3 * day)
  await shop.advance(2 * day)
  assert.deepEqual(await lookUp(transId), ['PENDING'])
  assert.deepEqual(await alerts(transId), [])
  await shop.clearScenario()
  await shop.advance(day)
  assert.deepEqual(await lookUp(transId), ['DECLINED', 'Expired'])
})

test('a payment that the payer approves in an app waits in PREPARE', async () => {
  const { body } = await apm.sale(approval)
  assert.deepEqual([body.result, body.status], ['UNDEFINED', 'PREPARE'])
  await shop.advance(5 * second)
  await shop.advance(20 * second)
  assert.deepEqual(await readCallbacks(body.trans_id), ['UNDEFINED PREPARE', 'SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
})

test('a crypto order that did not arrive before a crash is sent again; one that did is found waiting', async () => {
  for (const crash of [crashBeforeArrival, crashDuring]) {
    const order = `CRASHED-${crash.name}`
    await crash(shop, () => apm.sale({ ...bitcoin, order_id: order }))
    await shop.service.awaitIdle()
    const { body } = await apm.byOrder(order)
    assert.equal(body.status, 'PENDING')
    assert.deepEqual(await readCallbacks(body.trans_id, byCrypto), ['INIT PENDING'])
    await payer(body.trans_id, 'paid')
    assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 100000'])
  }
})

// biome-ignore format: a table is read in columns.
const payouts = [
  // payout                 sent                                                              answered                after 30 s and a report
  ['to a bank account',     {},                                                               'SUCCESS SETTLED',      ['SUCCESS SETTLED']],
  ['that is refused',       { 'parameters[account_holder]': 'FAIL Jane' },                    'DECLINED DECLINED',    ['DECLINED DECLINED']],
  ['that takes its time',   { 'parameters[account_holder]': 'WAIT Jane' },                    'UNDEFINED PREPARE',    ['UNDEFINED PREPARE', 'SUCCESS SETTLED']],
] as const

for (const [title, sent, answered, callbacks] of payouts) {
  test(`a payout ${title}: ${answered}`, async () => {
    const { body } = await apm.payout(sent)
    assert.equal(`${body.result} ${body.status}`, answered)
    await shop.advance(30 * second)
    await shop.advance(20 * second)
    assert.deepEqual(await readCallbacks(body.trans_id, byPayout), callbacks)
    assertRefused(await apm.followUp('CREDITVOID', body.trans_id), 208005, 'Refund is not allowed')
  })
}

test('a payout to a blockchain is INIT and PENDING until it is confirmed', async () => {
  const { body } = await apm.cryptoPayout({ 'parameters[address]': `WAIT${'x'.repeat(30)}` })
  assert.deepEqual([body.result, body.status], ['INIT', 'PENDING'])
  await shop.advance(30 * second)
  await shop.advance(20 * second)
  assert.deepEqual(await readCallbacks(body.trans_id, byPayout), ['INIT PENDING', 'SUCCESS SETTLED'])
  assert.deepEqual(await shop.postings(body.trans_id), ['settled -> payee 150000'])
})

test('a payout that never reached the provider is not sent a second time', async () => {
  await crashBeforeArrival(shop, () => apm.payout({ order_id: 'LOST-PAYOUT' }), { minutesAgo: 2 })
  await shop.service.awaitIdle()
  const { body } = await apm.byOrder('LOST-PAYOUT')
  assert.equal(body.status, 'DECLINED')
  assert.deepEqual(await readEffects(shop, body.trans_id), [])
})
