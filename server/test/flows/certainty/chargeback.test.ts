/** Chargebacks that the acquirer reports. Chapter 10 §6, §6.2, §7.16, §11.2, §12. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { reachAcquirerAt } from '../../crash.ts'
import { callbackHash, expiryFields, readCallbacks, statusOf } from '../../payments.ts'
import { assertRefused } from '../../refusals.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({}, ['back office', 'chargebacks'])
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const minute = 60_000
const disputedExpiry = expiryFields('04/2040')

async function makeDisputedSale(over: RequestFields = {}): Promise<string> {
  const { body } = await shop.sale({ ...disputedExpiry, ...over })
  return body.trans_id
}

async function chargebacks(transId: string) {
  return (await shop.callbacks(transId)).filter(({ fields }) => fields['action'] === 'CHARGEBACK')
}

async function alerts(transId: string): Promise<readonly string[]> {
  const { rows } = await shop.base.pool.query<{ text: string }>('select text from alerts where payment_id = $1', [
    transId,
  ])
  return rows.map(({ text }) => text)
}

test('04/2040: after 60 s the whole amount is charged back, and the callback has the documented fields', async () => {
  const transId = await makeDisputedSale({ order_id: 'DISPUTED', 'custom_data[cart]': '778' })
  await shop.advance(45_000)
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  await shop.advance(45_000)
  assert.equal(await statusOf(shop, transId), 'CHARGEBACK')
  const [callback, ...more] = await chargebacks(transId)
  assert.equal(more.length, 0)
  const { chargeback_date, bank_date, ...rest } = callback?.fields ?? {}
  assert.match(chargeback_date, /^\d{4}-\d\d-\d\d 12:\d\d:\d\d$/)
  assert.equal(bank_date, chargeback_date.slice(0, 10))
  assert.deepEqual(rest, {
    action: 'CHARGEBACK',
    result: 'SUCCESS',
    status: 'CHARGEBACK',
    order_id: 'DISPUTED',
    trans_id: transId,
    hash: callbackHash(shop, transId),
    amount: '10.00',
    reason_code: '1212 Fraud',
    'custom_data[cart]': '778',
  })
  assert.equal(
    Object.keys(callback?.fields ?? {}).join(' '),
    'action result status order_id trans_id hash amount chargeback_date bank_date reason_code custom_data[cart]',
  )
  assert.deepEqual(await shop.postings(transId), ['payer -> settled 1000', 'settled -> charged_back 1000'])
})

test('a look-up lists the chargeback', async () => {
  const transId = await makeDisputedSale()
  await shop.advance(90_000)
  const { body } = await shop.followUp('GET_TRANS_DETAILS', transId)
  const listed = body.transactions.map(({ type, status, amount }: Record<string, string>) => [type, status, amount])
  assert.deepEqual(listed, [
    ['SALE', 'success', '10.00'],
    ['CHARGEBACK', 'success', '10.00'],
  ])
})

test("its date is in the merchant's time zone", async () => {
  const merchant = await openAccount(shop, { merchant: { timeZone: 'Asia/Tokyo' } })
  const { body } = await shop.sale(disputedExpiry, { merchant })
  await shop.advance(90_000)
  const [callback] = await chargebacks(body.trans_id)
  assert.match(callback?.fields['chargeback_date'], / 21:\d\d:\d\d$/)
})

test('a report that is read twice counts once', async () => {
  const transId = await makeDisputedSale()
  await shop.advance(90_000)
  await shop.base.pool.query("update acquirer_cursors set cursor = ''")
  await shop.advance(minute)
  assert.equal((await chargebacks(transId)).length, 1)
  assert.deepEqual(await alerts(transId), [])
  assert.deepEqual(await shop.postings(transId), ['payer -> settled 1000', 'settled -> charged_back 1000'])
})

test('reports made while the acquirer could not be reached are read afterwards', async () => {
  const transId = await makeDisputedSale()
  await reachAcquirerAt(shop, 'http://127.0.0.1:9')
  await shop.advance(90_000)
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  await reachAcquirerAt(shop, shop.sandbox.url)
  await shop.advance(minute)
  assert.equal(await statusOf(shop, transId), 'CHARGEBACK')
})

// biome-ignore format: a table is read in columns.
const before_: readonly (readonly [what: string, over: RequestFields, later: string | null, amount: string | undefined, disputed: string])[] = [
  // the payment was             made by              then            amount      disputed
  ['partly refunded',            {},                  'CREDITVOID',   '4.00',     '10.00'],
  ['refunded',                   {},                  'CREDITVOID',   undefined,  '10.00'],
  ['held and captured in part',  { auth: 'Y' },       'CAPTURE',      '6.00',     '6.00'],
  ['a debit',                    { action: 'DEBIT' }, null,           undefined,  '10.00'],
]

for (const [what, over, later, amount, total] of before_) {
  test(`a payment that was ${what} is charged back by ${total}`, async () => {
    const transId = await makeDisputedSale(over)
    if (later) await shop.followUp(later, transId, { amount })
    await shop.advance(90_000)
    assert.equal(await statusOf(shop, transId), 'CHARGEBACK')
    const [callback] = await chargebacks(transId)
    assert.equal(callback?.fields['amount'], total)
  })
}

test('a chargeback applies while a refund is open, which then ends without changing the status', async () => {
  const transId = await makeDisputedSale()
  await shop.scenario({ types: ['refund'], drop_reply: { count: 1, of: 1 } })
  await shop.followUp('CREDITVOID', transId, { amount: '4.00' })
  await shop.scenario({ down: true })
  await shop.advance(90_000)
  assert.equal(await statusOf(shop, transId), 'CHARGEBACK')
  await shop.clearScenario()
  await shop.advance(10 * minute)
  assert.deepEqual(await readCallbacks(shop, transId, 'CREDITVOID'), ['UNDEFINED SETTLED', 'SUCCESS CHARGEBACK'])
})

test('a status that allows no chargeback is not changed, and an alert is raised', async () => {
  const transId = await makeDisputedSale()
  await shop.base.pool.query("update payments set status = 'DECLINED' where id = $1", [transId])
  await shop.advance(90_000)
  assert.equal(await statusOf(shop, transId), 'DECLINED')
  assert.deepEqual(await chargebacks(transId), [])
  assert.deepEqual(await alerts(transId), ['A chargeback arrived for a payment in status DECLINED.'])
})

test('a chargeback above the captured amount changes nothing, and an alert is raised', async () => {
  const transId = await makeDisputedSale()
  await shop.base.pool.query('update payments set captured_minor = 900 where id = $1', [transId])
  await shop.advance(90_000)
  assert.equal(await statusOf(shop, transId), 'SETTLED')
  const tooMuch = "Not acceptable to request the chargeback for amount bigger than payment's amount."
  assert.deepEqual(await alerts(transId), [`A chargeback was refused: ${tooMuch}`])
})

test('after a full chargeback every command is refused', async () => {
  const transId = await makeDisputedSale()
  await shop.advance(90_000)
  const notPending = 'Not acceptable to request the capture for payment not in pending status.'
  assertRefused(await shop.followUp('CAPTURE', transId), 208003, notPending)
  assertRefused(await shop.followUp('CREDITVOID', transId), 208005, 'Refund is not allowed')
  assertRefused(await shop.followUp('VOID', transId), 100000, 'Void is not allowed.')
  assertRefused(await shop.followUp('RETRY', transId), 100000, 'Retry is not allowed.')
})

test('callback_url of the payment receives it', async () => {
  const transId = await makeDisputedSale({ callback_url: `${shop.receiver.url}/own` })
  await shop.advance(90_000)
  const [callback] = await chargebacks(transId)
  assert.equal(callback?.path, '/notify/own')
})
