/** `Idempotency-Key` and duplicate orders. Chapter 10 §1.4. */
import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { until } from '../../callbacks/callback-scene.ts'
import { expireExecutionTime, withoutOutcome, withRefusedRows } from '../../crash.ts'
import { assertInvalid, assertRefused, expiryFields, readEffects, statusOf } from '../../payments.ts'
import { assertViolations } from '../../refusals.ts'
import { type Answer, openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop({ DATABASE_POOL: '16' })
afterEach(() => shop.choose({}))
after(() => shop[Symbol.asyncDispose]())

let keys = 0
const newKey = (): { readonly headers: { readonly 'idempotency-key': string } } => {
  keys += 1
  return { headers: { 'idempotency-key': `key-${keys}` } }
}

const otherParameters = conflict(100000, 'Idempotency key was used with other parameters.')
const duplicateRequest = conflict(400, 'Duplicate request.')

function conflict(code: number, message: string): string {
  return JSON.stringify({ result: 'ERROR', error_code: code, error_message: message, errors: [] })
}

function assertConflict({ http, text }: Answer, body: string): void {
  assert.deepEqual([http, text], [409, body])
}

/** How many charges the acquirer made for an order. */
async function charges(orderId: string): Promise<number> {
  const { rows } = await shop.base.pool.query('select id from payments where order_id = $1', [orderId])
  const executed = await Promise.all(rows.map(({ id }) => shop.readExecuted(id)))
  return executed.flat().length
}

test('the same key with the same body gets the first answer again, byte for byte, and nothing is executed twice', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'SAME' })
  const first = await shop.raw(fields, key)
  await shop.advance(3_600_000)
  const second = await shop.raw(fields, key)
  assert.deepEqual([second.http, second.text], [200, first.text])
  assert.equal(second.headers.get('content-type'), first.headers.get('content-type'))
  assert.equal(await charges('SAME'), 1)
  assert.equal((await shop.callbacks(first.body.trans_id)).length, 1)
})

test('without the header nothing is deduplicated', async () => {
  const fields = shop.saleFields({ order_id: 'TWICE' })
  const [first, second] = [await shop.raw(fields), await shop.raw(fields)]
  assert.notEqual(first.body.trans_id, second.body.trans_id)
  assert.equal(await charges('TWICE'), 2)
})

test('the same key with another body is a conflict', async () => {
  const key = newKey()
  const { body } = await shop.sale({ order_id: 'FIRST' }, key)
  assertConflict(await shop.sale({ order_id: 'SECOND' }, key), otherParameters)
  assertConflict(await shop.followUp('CREDITVOID', body.trans_id, {}, key), otherParameters)
  assert.equal(await charges('SECOND'), 0)
  assert.equal(await statusOf(shop, body.trans_id), 'SETTLED')
})

test('a repeat while the first request runs is a conflict, with the same body and with another', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'SLOW', ...expiryFields('11/2038') })
  const running = shop.raw(fields, key)
  await until(async () => (await charges('SLOW')) === 1)
  assertConflict(await shop.raw(fields, key), duplicateRequest)
  assertConflict(await shop.sale({}, key), otherParameters)

  const first = await running
  assert.equal(first.body.result, 'SUCCESS')
  assert.equal((await shop.raw(fields, key)).text, first.text)
  assert.equal(await charges('SLOW'), 1)
})

test('of a hundred requests at once one is executed, and all others get its answer or a conflict', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'HUNDRED' })
  const answers = await Promise.all(Array.from({ length: 100 }, () => shop.raw(fields, key)))
  const succeeded = answers.filter(({ http }) => http === 200)
  assert.ok(succeeded.length >= 1)
  assert.equal(new Set(succeeded.map(({ text }) => text)).size, 1)
  for (const answer of answers.filter(({ http }) => http !== 200)) assertConflict(answer, duplicateRequest)
  assert.equal(await charges('HUNDRED'), 1)
  assert.equal((await shop.raw(fields, key)).text, succeeded[0]?.text)
})

test('a follow-up under a key is executed once, however often it is requested', async () => {
  const { body } = await shop.sale()
  const key = newKey()
  const refund = () => shop.followUp('CREDITVOID', body.trans_id, { amount: '3.00' }, key)
  const answers = [await refund(), await refund(), await refund()]
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000', 'refund 300'])
})

test('an answer without an outcome stays the answer, even when the outcome is known later', async () => {
  const key = newKey()
  const fields = shop.saleFields(expiryFields('04/2038'))
  const first = await shop.raw(fields, key)
  assert.equal(first.body.result, 'UNDEFINED')
  await shop.advance(31_000)
  assert.equal(await statusOf(shop, first.body.trans_id), 'SETTLED')
  assert.equal((await shop.raw(fields, key)).text, first.text)
})

test('a decline is an answer, too', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'NO', ...expiryFields('02/2038') })
  const first = await shop.raw(fields, key)
  assert.equal(first.body.result, 'DECLINED')
  assert.equal((await shop.raw(fields, key)).text, first.text)
})

test('a refusal by the rules is stored: the same request stays refused under its key', async () => {
  const { body } = await shop.sale({ auth: 'Y', ...expiryFields('04/2038') })
  const key = newKey()
  const capture = (as = {}) => shop.followUp('CAPTURE', body.trans_id, {}, as)
  const notPending = 'Not acceptable to request the capture for payment not in pending status.'
  assertRefused(await capture(key), 208003, notPending)
  await shop.advance(31_000)
  assertRefused(await capture(key), 208003, notPending)
  assert.equal((await capture()).body.status, 'SETTLED')
})

test('keys of different merchants are independent', async () => {
  const key = newKey()
  const ours = await shop.sale({}, key)
  const theirs = await shop.sale({}, { ...key, merchant: 'demo-no-moto' })
  assert.deepEqual([ours.http, theirs.http], [200, 200])
  assert.notEqual(ours.body.trans_id, theirs.body.trans_id)
})

test('a caller without the password learns nothing about a key and cannot occupy it', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'SECRET' })
  assertInvalid(await shop.raw({ ...fields, hash: '0'.repeat(32) }, key), 'hash: Hash is not valid.')
  const first = await shop.raw(fields, key)
  assert.equal(first.http, 200)
  assertInvalid(await shop.raw({ ...fields, hash: '0'.repeat(32) }, key), 'hash: Hash is not valid.')
})

test('after 24 hours a key may be reused, with the same body and with another', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'DAILY' })
  const first = await shop.raw(fields, key)
  await shop.advance(23 * 3_600_000)
  assert.equal((await shop.raw(fields, key)).text, first.text)
  await shop.advance(3_700_000)
  const second = await shop.raw(fields, key)
  assert.notEqual(second.body.trans_id, first.body.trans_id)
  assert.equal(await charges('DAILY'), 2)
  assertConflict(await shop.sale({}, key), otherParameters)
  await shop.advance(25 * 3_600_000)
  assert.equal((await shop.sale({}, key)).http, 200)
})

test('a key may have up to 255 characters', async () => {
  const longest = { headers: { 'idempotency-key': 'k'.repeat(255) } }
  assert.equal((await shop.sale({}, longest)).http, 200)
  for (const key of ['k'.repeat(256), ''])
    assertViolations(await shop.sale({}, { headers: { 'idempotency-key': key } }), [
      'Idempotency-Key: This value should have 1 to 255 characters.',
    ])
})

test('a key of /post is not repeated on /v2/post, whose answers have another form', async () => {
  const fields = shop.saleFields({ order_id: 'TWO-ADDRESSES', ...expiryFields('05/2038') })
  const key = newKey()
  const first = await shop.raw(fields, key)
  assert.equal(first.body.result, 'REDIRECT')
  assertConflict(await shop.raw(fields, { ...key, path: '/v2/post' }), otherParameters)
  assert.equal(await charges('TWO-ADDRESSES'), 0)
  assert.equal((await shop.raw(fields, key)).text, first.text)
})

test('an answer with 429 leaves the key free', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'RATE' }, { merchant: 'demo-no-wallet' })
  await shop.configure("update merchants set rate_per_second = 1 where name = 'demo-no-wallet'")
  const answers = await Promise.all(Array.from({ length: 5 }, () => shop.raw(fields)))
  assert.ok(answers.some(({ http }) => http === 429))
  assert.equal((await shop.raw(fields, key)).http, 429)
  await shop.advance(10_000)
  assert.equal((await shop.raw(fields, key)).body.result, 'SUCCESS')
})

const internal = JSON.stringify({ result: 'ERROR', error_code: 100000, error_message: 'Internal error.', errors: [] })

test('an answer with 500 leaves the key free, for the same body and for another', async () => {
  for (const order_id of ['BROKEN', 'OTHER']) {
    const key = newKey()
    const fields = shop.saleFields({ order_id: 'BROKEN' })
    const failed = await withRefusedRows(shop, 'payments', () => shop.raw(fields, key))
    assert.deepEqual([failed.http, failed.text], [500, internal])
    const { http, body } = await shop.raw(order_id === 'BROKEN' ? fields : shop.saleFields({ order_id }), key)
    assert.deepEqual([http, body.result], [200, 'SUCCESS'])
  }
})

test('if the outcome could not be written, a repeat under the same key does not charge again', async () => {
  const key = newKey()
  const fields = shop.saleFields({ order_id: 'UNWRITTEN' })
  const failed = await withoutOutcome(shop, () => shop.raw(fields, key))
  assert.equal(failed.http, 500)
  assert.equal(await charges('UNWRITTEN'), 1)
  const { http, body } = await shop.raw(fields, key)
  assert.deepEqual([http, body.result, body.status], [200, 'UNDEFINED', 'PREPARE'])
  await expireExecutionTime(shop)
  await shop.advance(61_000)
  assert.equal(await statusOf(shop, body.trans_id), 'SETTLED')
  assert.equal(await charges('UNWRITTEN'), 1)
})

const duplicate = 'order_id: Duplicate payment.'
const notCompleted = [100000, 'Previous payment not completed.'] as const

test('by default several payments may share an order_id', async () => {
  const answers = [await shop.sale({ order_id: 'SHARED' }), await shop.sale({ order_id: 'SHARED' })]
  assert.deepEqual(
    answers.map(({ body }) => body.result),
    ['SUCCESS', 'SUCCESS'],
  )
})

// biome-ignore format: a table is read in columns.
const earlier: readonly (readonly [what: string, sale: RequestFields, later: string | null, answer: 'duplicate' | 'not completed' | 'taken'])[] = [
  // earlier payment  SALE                 later         the next SALE of the order
  ['SETTLED',         {},                  null,         'duplicate'],
  ['PENDING',         { auth: 'Y' },       null,         'duplicate'],
  ['REFUND',          {},                  'CREDITVOID', 'duplicate'],
  ['REVERSAL',        { auth: 'Y' },       'CREDITVOID', 'duplicate'],
  ['VOID',            {},                  'VOID',       'duplicate'],
  ['PREPARE',         expiryFields('08/2039'), null,         'not completed'],
  ['3DS',             expiryFields('05/2038'), null,         'not completed'],
  ['REDIRECT',        expiryFields('12/2038'), null,         'not completed'],
  ['DECLINED',        expiryFields('02/2038'), null,         'taken'],
]

for (const [status, over, later, expected] of earlier) {
  test(`with "Reject duplicate orders" on, an order that is ${status} is ${expected}`, async () => {
    await shop.choose({ rejectDuplicateOrders: true })
    const order_id = `ORDER-${status}`
    const { body } = await shop.sale({ order_id, ...over })
    if (later) await shop.followUp(later, body.trans_id)
    assert.equal(await statusOf(shop, body.trans_id), status)
    const next = await shop.sale({ order_id })
    if (expected === 'duplicate') assertInvalid(next, duplicate)
    else if (expected === 'not completed') assertRefused(next, ...notCompleted)
    else assert.equal(next.body.result, 'SUCCESS')
  })
}

test('an order that was paid stays a duplicate, even if its newest payment was declined', async () => {
  await shop.sale({ order_id: 'PAID' })
  await shop.sale({ order_id: 'PAID', ...expiryFields('02/2038') })
  await shop.choose({ rejectDuplicateOrders: true })
  assertInvalid(await shop.sale({ order_id: 'PAID' }), duplicate)
})

test('orders of another merchant and of the other mode are no duplicates', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  await shop.sale({ order_id: 'MINE' })
  assert.equal((await shop.sale({ order_id: 'MINE' }, { merchant: 'demo-no-moto' })).body.result, 'SUCCESS')
  assert.equal((await shop.sale({ order_id: 'MINE' }, { mode: 'test' })).body.result, 'SUCCESS')
})

test('of concurrent payments of one order at most one is accepted', async () => {
  await shop.choose({ rejectDuplicateOrders: true })
  const answers = await Promise.all(Array.from({ length: 10 }, () => shop.sale({ order_id: 'TOGETHER' })))
  assert.equal(answers.filter(({ http }) => http === 200).length, 1)
  assert.equal(await charges('TOGETHER'), 1)
})
