import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { NotificationRequest } from '../notification.ts'
import { FakeAcquirer } from '../testing/fake-acquirer.ts'
import { createWires, WireFault } from '../wire.ts'
import { stripe } from './index.ts'

const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const transactionId = '0199a1b2-c3d4-7e5f-8a6b-000000000001'
const captureId = '0199a1b2-c3d4-7e5f-8a6b-000000000002'
const receivedAt = new Date('2026-03-01T12:00:00Z')
const now = receivedAt.getTime() / 1000
const created = now - 5
const at = new Date(created * 1000)

const fake = new FakeAcquirer()
const wires = createWires({ clock: { now: () => receivedAt }, connect: () => fake.connect })
const accountWith = (credentials: object) =>
  stripe.open({ secret_key: 'sk_test_sample', ...credentials }, wires, 'test')
const account = accountWith({ webhook_secret: 'whsec_new', webhook_secret_previous: 'whsec_old' })

before(() => fake.listen())
after(async () => {
  await wires.close()
  fake.close()
})

const sign = (body: string, secret: string, time: number): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')

function request(body: string, { secret = 'whsec_new', time = now, header = '' } = {}): NotificationRequest {
  const signature = header || `t=${time},v1=${sign(body, secret, time)}`
  return { headers: { 'stripe-signature': signature }, query: {}, body: Buffer.from(body), receivedAt }
}

const eventText = (type: string, object: object): string =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, created, data: { object } })

const read = (notification: NotificationRequest, by = account) => {
  assert.ok(by.readNotification)
  return by.readNotification(notification)
}

const metadata = { payment_id: paymentId, transaction_id: transactionId }
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  created,
  currency: 'eur',
  amount_received: 1000,
  capture_method: 'automatic',
  metadata,
}
const refund = { id: 're_1', object: 'refund', status: 'succeeded', metadata }
const dispute = {
  id: 'dp_1',
  object: 'dispute',
  amount: 1000,
  currency: 'eur',
  created,
  reason: 'fraudulent',
  status: 'needs_response',
  payment_intent: 'pi_1',
  payment_method_details: { card: { network_reason_code: '10.4' } },
  evidence_details: { due_by: created + 86_400 },
}

const paid = eventText('payment_intent.succeeded', intent)
const decided = { kind: 'decided', reference: 'evt_1', paymentId, transactionId, at }

test('an event that Stripe signed is verified, with the new secret and with the one that ends', async () => {
  for (const secret of ['whsec_new', 'whsec_old'])
    assert.deepEqual(await read(request(paid, { secret })), { kind: 'verified', id: 'evt_1', events: [decided] })
})

test('of the two signatures that Stripe sends while it rolls a secret one suffices', async () => {
  const header = `t=${now},v1=${sign(paid, 'whsec_unknown', now)},v1=${sign(paid, 'whsec_new', now)},v0=abc`
  assert.equal((await read(request(paid, { header }))).kind, 'verified')
})

// biome-ignore format: a table is read in columns.
const forged: readonly (readonly [what: string, notification: NotificationRequest])[] = [
  ['signed by the secret of another MID',  request(paid, { secret: 'whsec_other' })],
  ['older than five minutes',              request(paid, { time: now - 301 })],
  ['from more than five minutes ahead',    request(paid, { time: now + 301 })],
  ['with another body',                    { ...request(paid), body: Buffer.from(paid.replace('1000', '1001')) }],
  ['with another time',                    request(paid, { header: `t=${now - 1},v1=${sign(paid, 'whsec_new', now)}` })],
  ['signed by the former scheme only',     request(paid, { header: `t=${now},v0=${sign(paid, 'whsec_new', now)}` })],
  ['without a signature',                  { ...request(paid), headers: {} }],
  ['with a signature of another length',   request(paid, { header: `t=${now},v1=abcdef` })],
  ['with a signature without a time',      request(paid, { header: `v1=${sign(paid, 'whsec_new', now)}` })],
  ['that is no JSON',                      request('<html>')],
  ['that is no event',                     request('{"id":"evt_1"}')],
  ['that is nothing',                      request('')],
]

for (const [what, notification] of forged) {
  test(`a notification ${what} is not believed`, async () => {
    assert.equal((await read(notification)).kind, 'unverified')
  })
}

test('at the limit of five minutes an event is still taken', async () => {
  assert.equal((await read(request(paid, { time: now - 300 }))).kind, 'verified')
})

test('without a signing secret nothing is believed', async () => {
  const refused = { kind: 'unverified', reason: 'The MID has no signing secret.' }
  assert.deepEqual(await read(request(paid), accountWith({})), refused)
  assert.deepEqual(await read(request(paid, { secret: '' }), accountWith({})), refused)
})

test('a body of one megabyte is read', async () => {
  const large = eventText('payment_intent.succeeded', { ...intent, description: 'x'.repeat(1_000_000) })
  assert.equal((await read(request(large))).kind, 'verified')
})

const held = { ...intent, capture_method: 'manual', latest_charge: 'ch_1' }
const captured = { ...held, metadata: { ...metadata, capture_transaction_id: captureId } }
const lapsed = { ...held, status: 'canceled', cancellation_reason: 'automatic' }
const about = { reference: 'evt_1', paymentId, at }
const arn = '24000006319000000000011'
const arrived = {
  ...refund,
  destination_details: { card: { reference: arn, reference_type: 'acquirer_reference_number' } },
}
const failed = { ...refund, status: 'failed', failure_reason: 'lost_or_stolen_card' }

// biome-ignore format: a table is read in columns.
const reports: readonly (readonly [type: string, object: object, events: readonly object[]])[] = [
  ['payment_intent.amount_capturable_updated', { ...held, status: 'requires_capture' },        [decided]],
  ['payment_intent.payment_failed',            { ...intent, status: 'requires_payment_method' }, [decided]],
  ['payment_intent.canceled',                  { ...held, status: 'canceled', cancellation_reason: 'requested_by_customer' }, [decided]],
  ['payment_intent.canceled',                  lapsed,                                          [{ ...about, kind: 'lapse' }]],
  ['payment_intent.canceled',                  { ...lapsed, latest_charge: null },              [decided]],
  ['payment_intent.succeeded',                 captured,                                        [{ ...decided, transactionId: captureId }]],
  ['payment_intent.succeeded',                 held,                                            [{ ...about, kind: 'captured', transactionId, amountMinor: 1000n }]],
  ['refund.updated',                           refund,                                          [decided]],
  ['refund.updated',                           arrived,                                         [decided, { ...about, kind: 'arn', reference: 'evt_1/arn', transactionId, arn }]],
  ['refund.failed',                            failed,                                          [{ ...about, kind: 'refund-failed', transactionId, reason: 'The card was lost or stolen' }]],
]

for (const [type, object, events] of reports) {
  const kinds = events.map((event) => Object.entries(event).find(([name]) => name === 'kind')?.[1]).join(' and ')
  test(`${type} reports: ${kinds}`, async () => {
    assert.deepEqual(await read(request(eventText(type, object))), { kind: 'verified', id: 'evt_1', events })
  })
}

// biome-ignore format: a table is read in columns.
const unimportant: readonly (readonly [what: string, text: string])[] = [
  ['a kind that changes no payment',     eventText('plan.created', { id: 'plan_1' })],
  ['a payment of another system',        eventText('payment_intent.succeeded', { ...intent, metadata: {} })],
  ['a refund made in the dashboard',     eventText('refund.updated', { ...refund, metadata: {} })],
  ['an object of another shape',         eventText('payment_intent.succeeded', { id: 7 })],
  ['a dispute without an intent',        eventText('charge.dispute.created', { ...dispute, payment_intent: null })],
]

for (const [what, text] of unimportant) {
  test(`${what} is taken and ignored`, async () => {
    assert.deepEqual(await read(request(text)), { kind: 'ignored', id: 'evt_1' })
  })
}

const money = { chargeback: 'dp_1', amountMinor: 1000n }
const change = {
  ...about,
  ...money,
  kind: 'dispute-changed',
  dispute: 'dp_1',
  reasonCode: '10.4 fraudulent',
  isInquiry: false,
}
const inquiry = { ...change, isInquiry: true }
const returned = { ...about, ...money, kind: 'chargeback-returned', mayBeUntaken: false }
const evidenceDueAt = new Date((created + 86_400) * 1000)
const chargeback = {
  kind: 'chargeback',
  reference: 'dp_1',
  paymentId,
  amountMinor: 1000n,
  at,
  bankDate: '2026-03-01',
  reasonCode: '10.4 fraudulent',
}

// biome-ignore format: a table is read in columns.
const disputes: readonly (readonly [type: string, status: string, event: object])[] = [
  ['charge.dispute.created',         'needs_response', { ...change, evidenceDueAt, state: 'opened' }],
  ['charge.dispute.updated',         'needs_response', { ...change, evidenceDueAt, state: 'evidence-due' }],
  ['charge.dispute.updated',         'under_review',   { ...change, evidenceDueAt, state: 'under-review' }],
  ['charge.dispute.closed',          'won',            { ...change, evidenceDueAt, state: 'won' }],
  ['charge.dispute.closed',          'lost',           { ...change, evidenceDueAt, state: 'lost' }],
  ['charge.dispute.created',         'warning_needs_response', { ...inquiry, evidenceDueAt, state: 'opened' }],
  ['charge.dispute.updated',         'warning_under_review',   { ...inquiry, evidenceDueAt, state: 'under-review' }],
  ['charge.dispute.closed',          'warning_closed',         { ...inquiry, evidenceDueAt, state: 'won' }],
  ['charge.dispute.funds_withdrawn', 'needs_response', chargeback],
  ['charge.dispute.funds_reinstated', 'won',           returned],
]

for (const [type, status, event] of disputes) {
  test(`${type}, ${status}: the payment is found by its intent`, async () => {
    fake.answer({ status: 200, body: intent })
    const reading = await read(request(eventText(type, { ...dispute, status })))
    assert.deepEqual(reading, { kind: 'verified', id: 'evt_1', events: [event] })
    assert.equal(fake.last().path, '/v1/payment_intents/pi_1?expand[0]=latest_charge')
  })
}

test('an inquiry that is accepted is lost, and no money went', async () => {
  fake.answer({ status: 200, body: intent })
  const inquiry = { ...dispute, status: 'lost', payment_method_details: { card: { case_type: 'inquiry' } } }
  const reading = await read(request(eventText('charge.dispute.closed', inquiry)))
  const [event] = reading.kind === 'verified' ? reading.events : []
  assert.ok(event?.kind === 'dispute-changed')
  assert.deepEqual([event.state, event.isInquiry], ['lost', true])
})

test('a dispute whose payment cannot be fetched is not answered, so that Stripe sends it again', async () => {
  fake.answer({ status: 503, text: 'unavailable' })
  await assert.rejects(() => read(request(eventText('charge.dispute.created', dispute))), WireFault)
})

test('an unsigned dispute fetches nothing', async () => {
  fake.answer({ status: 200, body: intent })
  await read({ ...request(eventText('charge.dispute.created', dispute)), headers: {} })
  assert.equal(fake.requests, 0)
})

// biome-ignore format: a table is read in columns.
const checks = [
  [200, {},                        { kind: 'accepted' }],
  [401, {},                        { kind: 'refused', field: 'secret_key', text: 'Stripe does not know the secret key, or it was rolled.' }],
  [403, {},                        { kind: 'refused', field: 'secret_key', text: 'The key may not read the balance. Give it that permission.' }],
  [403, { account_id: 'acct_1' },  { kind: 'refused', field: 'account_id', text: 'The key may not act for the connected account.' }],
  [500, {},                        { kind: 'no-answer', text: 'Stripe answered 500.' }],
] as const

for (const [status, credentials, expected] of checks) {
  test(`the check of credentials after ${status} says: ${'field' in expected ? expected.field : expected.kind}`, async () => {
    fake.answer({ status, body: {} })
    const { check } = accountWith(credentials)
    assert.deepEqual(await check?.(null), expected)
    assert.equal(fake.last().path, '/v1/balance')
    assert.equal(
      fake.last().headers['stripe-account'],
      'account_id' in credentials ? credentials.account_id : undefined,
    )
  })
}
