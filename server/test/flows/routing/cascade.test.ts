/** Cascading on S2S CARD: which outcomes cascade to the next MID, and what the merchant sees. Chapter 10 §6.2, chapter 50 §4. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { type AccountMid, openAccount } from '../../account.ts'
import { attemptPath, attemptsOf, outage, resultsCalledBack, setFaults, softDeclines } from '../../cascades.ts'
import { expiryFields, readEffects } from '../../payments.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const shop = await openShop()
afterEach(() => shop.clearScenario())
after(() => shop[Symbol.asyncDispose]())

const two: readonly AccountMid[] = [{}, {}]

async function account(faults: Readonly<Record<number, object>>, mids = two, options = {}): Promise<string> {
  const merchant = await openAccount(shop, { mids, options })
  await setFaults(shop, merchant, faults)
  return merchant
}

test('03/2040: fails on the first MID and succeeds on the next, and the answer is that of the last attempt', async () => {
  const merchant = await openAccount(shop, { mids: two })
  const { body } = await shop.sale({ order_id: 'CASCADE', ...expiryFields('03/2040') }, { merchant })
  const [first, last] = await attemptsOf(shop, 'CASCADE')
  assert.deepEqual(await attemptPath(shop, 'CASCADE'), ['1 DECLINED', '2 SETTLED'])
  assert.deepEqual([body.result, body.status, body.order_id], ['SUCCESS', 'SETTLED', 'CASCADE'])
  assert.equal(body.trans_id, last?.id)
  assert.deepEqual([first?.attempt, first?.cascade_id, first?.cascading], [1, null, 'continued'])
  assert.deepEqual([last?.attempt, last?.cascade_id, last?.cascading], [2, first?.id, null])
  assert.deepEqual(await readEffects(shop, body.trans_id), ['sale 1000'])
  assert.deepEqual(await shop.readExecuted(first?.id ?? ''), [])
})

// biome-ignore format: a table is read in columns.
const cascadeReasons: readonly (readonly [string, object])[] = [
  ['a soft decline',                        softDeclines],
  ['a failure known not to be executed',    outage],
]

for (const [what, faults] of cascadeReasons) {
  test(`${what} cascades to the next MID, and only the final attempt is called back`, async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: faults })
    const { body } = await shop.sale({ order_id }, { merchant })
    assert.equal(body.result, 'SUCCESS')
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
    assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 SUCCESS'])
  })
}

test('one MID that declines softly and one that is down: the last attempt is answered and called back, once', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines, 2: outage })
  const { body } = await shop.sale({ order_id }, { merchant })
  assert.deepEqual([body.result, body.status], ['DECLINED', 'DECLINED'])
  assert.equal(body.trans_id, (await attemptsOf(shop, order_id))[1]?.id)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 DECLINED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 DECLINED'])
})

test('three attempts are made unless a rule says otherwise', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines, 2: softDeclines, 3: softDeclines }, [{}, {}, {}, {}, {}])
  await shop.sale({ order_id }, { merchant })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 DECLINED', '3 DECLINED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['3 DECLINED'])
})

for (const maximumAttempts of [1, 2, 5]) {
  test(`a rule allows a cascade of ${maximumAttempts} attempts`, async () => {
    const order_id = randomUUID()
    const mids = Array.from({ length: 6 }, () => ({}))
    const merchant = await account(Object.fromEntries(mids.map((_, index) => [index + 1, softDeclines])), mids)
    await publish(merchant, { action: { kind: 'exclude', mids: [] }, maximumAttempts })
    await shop.sale({ order_id }, { merchant })
    assert.equal((await attemptsOf(shop, order_id)).length, maximumAttempts)
  })
}

// biome-ignore format: a table is read in columns.
const endReasons: readonly (readonly [string, RequestFields, object, string])[] = [
  ['a hard decline',                    expiryFields('09/2038'),  {},                                   'DECLINED'],
  ['an outcome that is not decided',    expiryFields('04/2038'),  {},                                   'PREPARE' ],
  ['a request that got no answer',      {},                   { drop_reply: { count: 1, of: 1 } },  'PREPARE' ],
  ['a failure after the execution',     {},                   { fail_after: { count: 1, of: 1 } },  'PREPARE' ],
]

for (const [what, card, faults, status] of endReasons) {
  test(`${what} never cascades`, async () => {
    const order_id = randomUUID()
    const merchant = await account({ 1: faults })
    const { body } = await shop.sale({ order_id, ...card }, { merchant })
    assert.equal(body.status, status)
    assert.deepEqual(await attemptPath(shop, order_id), [`1 ${status}`])
  })
}

test('an attempt that is resolved later as a soft decline is final', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: { ...softDeclines, drop_reply: { count: 1, of: 1 } } })
  const { body } = await shop.sale({ order_id }, { merchant })
  assert.equal(body.status, 'PREPARE')
  await shop.clearScenario()
  await shop.advance(10_000)
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED'])
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['1 UNDEFINED', '1 DECLINED'])
})

test('a later attempt with an unknown outcome is reported as such, and ends the cascade', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines, 2: { drop_reply: { count: 1, of: 1 } } }, [{}, {}, {}])
  const { body } = await shop.sale({ order_id }, { merchant })
  assert.equal(body.result, 'UNDEFINED')
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 PREPARE'])
  await shop.advance(10_000)
  assert.deepEqual(await resultsCalledBack(shop, order_id), ['2 UNDEFINED', '2 SUCCESS'])
})

test('a MID that was dropped by a filter is not tried next', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines }, [{}, { currencies: ['USD'] }, {}])
  await shop.sale({ order_id }, { merchant })
  assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '3 SETTLED'])
})

test('each attempt is a hold or a sale by the mode of its own MID', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines }, [{}, { paymentMode: 'DMS' }])
  const { body } = await shop.sale({ order_id }, { merchant })
  assert.equal(body.status, 'PENDING')
  assert.deepEqual(await readEffects(shop, body.trans_id), ['authorize 1000'])
})

test('a look-up by trans_id returns each attempt, by order the newest', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  const { body } = await shop.sale({ order_id }, { merchant })
  const [first] = await attemptsOf(shop, order_id)
  const status = await shop.followUp('GET_TRANS_STATUS', first?.id ?? '', {}, { merchant })
  assert.deepEqual([status.body.status, status.body.trans_id], ['DECLINED', first?.id])
  const newest = await shop.byOrder(order_id, { merchant })
  assert.deepEqual([newest.body.status, newest.body.trans_id], ['SETTLED', body.trans_id])
})

test('with "Cascading context for get status" any attempt’s trans_id returns the newest', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines, 2: softDeclines }, [{}, {}, {}], { cascadingContext: true })
  const { body } = await shop.sale({ order_id }, { merchant })
  for (const { id } of await attemptsOf(shop, order_id)) {
    const status = await shop.followUp('GET_TRANS_STATUS', id, {}, { merchant })
    assert.deepEqual([status.body.status, status.body.trans_id], ['SETTLED', body.trans_id])
  }
})

test('a repeat with the same Idempotency-Key is answered with the final attempt', async () => {
  const merchant = await account({ 1: softDeclines })
  const headers = { 'idempotency-key': randomUUID() }
  const sent = shop.saleFields({}, { merchant })
  const answers = [await shop.raw(sent, { headers }), await shop.raw(sent, { headers })]
  assert.equal(answers[0]?.body.result, 'SUCCESS')
  assert.equal(answers[1]?.text, answers[0]?.text)
})

test('attempts are exempt from "Reject duplicate orders", and another payment of the order is not', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines }, two, { rejectDuplicateOrders: true })
  assert.equal((await shop.sale({ order_id }, { merchant })).body.result, 'SUCCESS')
  const again = await shop.sale({ order_id }, { merchant })
  assert.equal(again.body.errors[0].error_message, 'order_id: Duplicate payment.')
})

test('an attempt explains why the cascade chose its MID', async () => {
  const order_id = randomUUID()
  const merchant = await account({ 1: softDeclines })
  const { body } = await shop.sale({ order_id }, { merchant })
  const { rows } = await shop.base.pool.query('select routing from payments where id = $1', [body.trans_id])
  const { ordered, dropped } = rows[0].routing
  assert.deepEqual(
    ordered.map(({ midName }: { midName: string }) => midName),
    [`${merchant}-2`],
  )
  assert.deepEqual(dropped.at(-1), {
    midName: `${merchant}-1`,
    filter: 0,
    name: 'cascade',
    reason: 'Attempt 1 was declined there: soft.',
  })
})

test('transfers and debits cascade like sales', async () => {
  for (const over of [{ action: 'DEBIT' }, { action: 'CARD2CARD', payee_card_number: '4601541833776519' }]) {
    const order_id = randomUUID()
    const merchant = await account({ 1: softDeclines })
    const { body } = await shop.sale({ order_id, ...over }, { merchant })
    assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
    assert.deepEqual(await attemptPath(shop, order_id), ['1 DECLINED', '2 SETTLED'])
  }
})

/** A rule of the merchant, as if it had been drafted and published. */
async function publish(merchant: string, rule: object): Promise<void> {
  const all = { name: 'test', enabled: true, conditions: [], maximumAttempts: null, final: false, ...rule }
  await shop.configure(
    `insert into routing_sets (id, merchant_id, version, rules, note, drafted_by, published_by, published_at)
     select gen_random_uuid(), id, 1, $2, '', 'a', 'b', now() from merchants where name = $1`,
    [merchant, JSON.stringify([all])],
  )
}
