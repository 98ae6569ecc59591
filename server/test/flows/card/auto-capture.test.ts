/** MID setting "capture after N hours": a hold without a decision is captured in full. Chapter 10 §6, "Auto-capture". */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openAccount } from '../../account.ts'
import { expiryFields, readCallbacks, readEffects, statusOf } from '../../payments.ts'
import { type As, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const hour = 3_600_000
const merchant = await openAccount(shop, { mids: [{ autoCaptureHours: 24 }] })
const as: As = { merchant }

async function makeHold(over: RequestFields = {}): Promise<string> {
  const { body } = await shop.sale({ auth: 'Y', ...over }, as)
  assert.equal(body.status, 'PENDING')
  return body.trans_id
}

const follow = (action: string, transId: string, over: RequestFields = {}) => shop.followUp(action, transId, over, as)
const status = (transId: string) => statusOf(shop, transId, as)

test('a hold is captured in full once its hours have passed, and not before', async () => {
  const transId = await makeHold()
  await shop.advance(24 * hour - 60_000)
  assert.equal(await status(transId), 'PENDING')
  await shop.advance(60_000)
  assert.equal(await status(transId), 'SETTLED')
  assert.deepEqual(await readCallbacks(shop, transId, 'CAPTURE'), ['SUCCESS SETTLED'])
  assert.deepEqual(await readEffects(shop, transId), ['authorize 1000', 'capture 1000'])
})

// biome-ignore format: a table is read in columns.
const decidedCases = [
  // by the merchant        request                                                             status      effects
  ['captured in part',      (id: string) => follow('CAPTURE', id, { amount: '6.00' }),          'SETTLED',  ['authorize 1000', 'capture 600']],
  ['released',              (id: string) => follow('CREDITVOID', id),                           'REVERSAL', ['authorize 1000', 'reverse 1000']],
] as const

for (const [what, request, expected, executed] of decidedCases) {
  test(`a hold that the merchant has ${what} is not captured automatically`, async () => {
    const transId = await makeHold()
    await request(transId)
    await shop.advance(30 * hour)
    assert.equal(await status(transId), expected)
    assert.deepEqual(await readEffects(shop, transId), executed)
  })
}

test('a declined automatic capture is not repeated, and the merchant may capture', async () => {
  const transId = await makeHold(expiryFields('03/2038'))
  await shop.advance(25 * hour)
  await shop.advance(48 * hour)
  assert.deepEqual(await readCallbacks(shop, transId, 'CAPTURE'), ['DECLINED PENDING'])
  const { body } = await follow('CAPTURE', transId)
  assert.equal(body.result, 'DECLINED')
})

test('the capture waits while a release is open, and is dropped when the hold is released', async () => {
  const transId = await makeHold(expiryFields('10/2039'))
  await shop.advance(24 * hour - 10_000)
  await follow('CREDITVOID', transId)
  await shop.advance(10_000)
  assert.equal(await status(transId), 'PENDING')
  await shop.advance(60_000)
  await shop.advance(hour)
  assert.equal(await status(transId), 'REVERSAL')
  assert.deepEqual(await readCallbacks(shop, transId, 'CAPTURE'), [])
})

test('a zero hold is not captured', async () => {
  const transId = await makeHold({ order_amount: '0' })
  await shop.advance(30 * hour)
  assert.equal(await status(transId), 'PENDING')
})

test('switching the setting off applies to earlier payments, too', async () => {
  const transId = await makeHold()
  await shop.configure('update mids set auto_capture_hours = null where name = $1', [`${merchant}-1`])
  await shop.advance(30 * hour)
  assert.equal(await status(transId), 'PENDING')
})

test('without the setting a hold stays', async () => {
  const { body } = await shop.sale({ auth: 'Y' })
  // Less than the seven days after which the acquirer itself ends a hold.
  await shop.advance(160 * hour)
  assert.equal(await statusOf(shop, body.trans_id), 'PENDING')
})
