/** Stripe's lists of events and refunds as our record of what was executed. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FakeAcquirer } from '../testing/fake-acquirer.ts'
import { createWires } from '../wire.ts'
import { stripe } from './index.ts'

const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const first = '0199a1b2-c3d4-7e5f-8a6b-000000000001'
const later = '0199a1b2-c3d4-7e5f-8a6b-000000000002'
const now = new Date('2026-03-01T12:00:00Z')
const created = now.getTime() / 1000 - 60
const at = new Date(created * 1000)

const fake = new FakeAcquirer()
const wires = createWires({ clock: { now: () => now }, connect: () => fake.connect })
const account = stripe.open({ secret_key: 'sk_test_sample' }, wires, 'test')
before(() => fake.listen())
after(async () => {
  await wires.close()
  fake.close()
})

const effects = (cursor = '', since: Date | null = null) => {
  assert.ok(account.effects)
  return account.effects({ cursor, since })
}

const metadata = { payment_id: paymentId, transaction_id: first, order_id: 'ORDER-1' }
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  created: created - 86_400,
  amount: 1000,
  amount_capturable: 0,
  amount_received: 1000,
  currency: 'eur',
  capture_method: 'automatic',
  latest_charge: 'ch_1',
  metadata,
}
const hold = { ...intent, capture_method: 'manual' }
const captured = { ...hold, amount_received: 700, metadata: { ...metadata, capture_transaction_id: later } }
const canceled = { ...hold, status: 'canceled', amount_received: 0, cancellation_reason: 'requested_by_customer' }
const event = (type: string, object: object, key: string | null = null) => ({
  id: 'evt_1',
  object: 'event',
  type,
  created,
  request: key === null ? null : { id: 'req_1', idempotency_key: key },
  data: { object },
})
const refund = {
  id: 're_1',
  object: 'refund',
  status: 'succeeded',
  amount: 300,
  currency: 'eur',
  created,
  metadata: { payment_id: paymentId, transaction_id: later },
}
const effect = (
  kind: string,
  transactionId: string,
  amountMinor: bigint,
  { reference = 'pi_1', orderId = 'ORDER-1' }: { reference?: string; orderId?: string | null } = {},
) => ({
  transactionId,
  paymentId,
  kind,
  amountMinor,
  currency: 'EUR',
  reference,
  orderId,
  at,
})
const ofRefund = { reference: 're_1', orderId: null }

const answer = (data: readonly object[], hasMore = false) =>
  fake.answer({ status: 200, body: { object: 'list', has_more: hasMore, data } })

// biome-ignore format: a table is read in columns.
const events: readonly (readonly [what: string, listed: object, effects: readonly object[]])[] = [
  ['a sale',                                   event('payment_intent.succeeded', intent),                             [effect('sale', first, 1000n)]],
  ['a sale whose order was deleted there',     event('payment_intent.succeeded', { ...intent, metadata: { ...metadata, order_id: undefined } }), [effect('sale', first, 1000n, { orderId: null })]],
  ['a hold',                                   event('payment_intent.amount_capturable_updated', { ...hold, status: 'requires_capture', amount_received: 0, amount_capturable: 1000 }), [effect('authorize', first, 1000n)]],
  ['a capture',                                event('payment_intent.succeeded', captured),                           [effect('capture', later, 700n)]],
  ['a released hold',                          event('payment_intent.canceled', canceled, later),                     [effect('reverse', later, 1000n)]],
  ['a hold that ended by itself',              event('payment_intent.canceled', { ...canceled, cancellation_reason: 'automatic' }), []],
  ['a cancelled payment that held nothing',    event('payment_intent.canceled', { ...canceled, latest_charge: null }, later), []],
  ['a capture in the dashboard',               event('payment_intent.succeeded', hold),                               []],
  ['a payment of another program',             event('payment_intent.succeeded', { ...intent, metadata: {} }),        []],
  ['a payment with ids that are not ours',     event('payment_intent.succeeded', { ...intent, metadata: { payment_id: '7', transaction_id: '8' } }), []],
]

for (const [what, listed, expected] of events)
  test(`${what} is listed as ${expected.length === 0 ? 'nothing' : 'an effect'}`, async () => {
    answer([listed])
    assert.deepEqual(await effects(), { effects: expected, cursor: 'refunds/', more: true })
  })

// biome-ignore format: a table is read in columns.
const refunds: readonly (readonly [what: string, listed: object, effects: readonly object[]])[] = [
  ['a refund',                     refund,                                                             [effect('refund', later, 300n, ofRefund)]],
  ['one that waits',               { ...refund, status: 'pending' },                                   [effect('refund', later, 300n, ofRefund)]],
  ['one that failed',              { ...refund, status: 'failed' },                                    []],
  ['a void',                       { ...refund, metadata: { ...refund.metadata, operation: 'void' } }, [effect('void', later, 300n, ofRefund)]],
  ['a refund in the dashboard',    { ...refund, metadata: {} },                                        []],
]

for (const [what, listed, expected] of refunds)
  test(`of the list of refunds ${what} is ${expected.length === 0 ? 'nothing' : 'an effect'}`, async () => {
    answer([listed])
    assert.deepEqual(await effects('refunds/'), { effects: expected, cursor: 'refunds/re_1', more: false })
  })

test('both lists are read page by page, events first, and from the time that is asked about', async () => {
  const since = new Date('2026-02-28T00:00:00.500Z')
  const types =
    'types[0]=payment_intent.succeeded&types[1]=payment_intent.amount_capturable_updated&types[2]=payment_intent.canceled'
  answer([event('payment_intent.succeeded', intent)], true)
  assert.equal((await effects('', since)).cursor, 'events/evt_1')
  assert.equal(fake.last().path, `/v1/events?limit=100&${types}&created[gte]=1772236800`)
  answer([])
  assert.deepEqual(await effects('events/evt_1', since), { effects: [], cursor: 'refunds/', more: true })
  assert.equal(fake.last().path, `/v1/events?limit=100&${types}&created[gte]=1772236800&starting_after=evt_1`)
  answer([refund], true)
  const page = await effects('refunds/', since)
  assert.deepEqual([page.cursor, page.more], ['refunds/re_1', true])
  assert.equal(fake.last().path, '/v1/refunds?limit=100&created[gte]=1772236800')
  answer([])
  assert.equal((await effects('refunds/re_1', since)).more, false)
  assert.equal(fake.last().path, '/v1/refunds?limit=100&created[gte]=1772236800&starting_after=re_1')
})

test('what cannot be listed completely is a failure and not an empty record', async () => {
  fake.answer({ status: 403, body: { error: { type: 'invalid_request_error' } } })
  await assert.rejects(effects(), /403 instead of its record/)
  answer([{ id: 'evt_1' }])
  await assert.rejects(effects())
  answer([event('payment_intent.succeeded', { id: 'pi_1' })])
  await assert.rejects(effects(), /no readable intent/)
  answer([event('payment_intent.succeeded', { ...intent, currency: 'xxq' })])
  await assert.rejects(effects(), /has no exact form/)
  answer([], true)
  await assert.rejects(effects(), /goes on without an entry/)
  await assert.rejects(effects('', new Date('2026-01-15T00:00:00Z')), /30 days/)
})
