import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { readCheckoutNotification } from './notification.ts'

const key = 'b0d1f6c2a4b84c1f9f0e'
const paymentId = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const reference = `${paymentId}.000000000002`

const sign = (body: Buffer, secret = key): string => createHmac('sha256', secret).update(body).digest('hex')

function read(body: Buffer, headers: Record<string, string>, keys: object = { webhook_secret: key }) {
  const receivedAt = new Date('2026-03-01T12:00:00Z')
  return readCheckoutNotification({ headers, query: {}, body, receivedAt }, keys)
}

function report(type: string, data: object, changes: object = {}) {
  const body = Buffer.from(
    JSON.stringify({ id: 'evt_1', type, timestamp: '2026-03-01T11:59:58.357+00:00', data, ...changes }),
  )
  return read(body, { 'cko-signature': sign(body) })
}

const captured = {
  id: 'pay_vti5layihapu5bhbn5tjtk6eem',
  action_id: 'act_uqlj3642dyyuroivzdwfg2fysq',
  reference,
  amount: 400,
  currency: 'EUR',
  response_code: '10000',
  processing: { acquirer_reference_number: '10754814874042406789848' },
}
const at = new Date('2026-03-01T11:59:58.357Z')
const transaction = { paymentId, transactionId: '000000000002', at }

test('a signed webhook leads back to the transaction and gives its ARN', () => {
  assert.deepEqual(report('payment_captured', captured), {
    kind: 'verified',
    id: 'evt_1',
    events: [
      { kind: 'decided', reference: 'evt_1', ...transaction },
      { kind: 'arn', reference: 'evt_1.arn', ...transaction, arn: '10754814874042406789848' },
    ],
  })
})

test('every kind of decision is reported, also under the older name of its time', () => {
  const kinds = `payment_approved payment_declined payment_canceled payment_expired payment_paid payment_capture_declined payment_refunded
    payment_refund_declined payment_voided payment_void_declined payment_returned card_verified card_verification_declined`
  const decided = { kind: 'verified', id: 'evt_1', events: [{ kind: 'decided', reference: 'evt_1', ...transaction }] }
  for (const type of kinds.split(/\s+/))
    assert.deepEqual(
      report(type, { reference }, { timestamp: undefined, created_on: '2026-03-01T11:59:58.357Z' }),
      decided,
      type,
    )
})

test('reports that decide nothing, payments of another shop and kinds of the future are taken and ignored', () => {
  for (const type of ['payment_capture_pending', 'payment_refund_pending', 'balance_changed', 'dispute_of_the_future'])
    assert.deepEqual(report(type, captured), { kind: 'ignored', id: 'evt_1' }, type)
  assert.deepEqual(report('payment_captured', { reference: 'ORD-5023-4E89' }), { kind: 'ignored', id: 'evt_1' })
  assert.deepEqual(report('payment_captured', {}), { kind: 'ignored', id: 'evt_1' })
})

const dispute = {
  id: 'dsp_9rjdlsd4epepfjyyf9vl',
  date: '2026-02-28T15:20:31.504+00:00',
  category: 'fraudulent',
  amount: 8150,
  currency: 'GBP',
  reason_code: '10.4',
  payment_reference: `${paymentId}.000000000001`,
  evidence_required_by: '2026-03-31T18:00:00+00:00',
}

test('a dispute that needs evidence is a chargeback with its deadline', () => {
  const reasonCode = '10.4 fraudulent'
  const money = { paymentId, amountMinor: 8150n, at, reasonCode }
  assert.deepEqual(report('dispute_evidence_required', dispute), {
    kind: 'verified',
    id: 'evt_1',
    events: [
      { kind: 'chargeback', reference: dispute.id, ...money, bankDate: '2026-02-28' },
      {
        kind: 'dispute-changed',
        reference: 'evt_1',
        dispute: dispute.id,
        chargeback: dispute.id,
        ...money,
        state: 'evidence-due',
        evidenceDueAt: new Date('2026-03-31T18:00:00Z'),
      },
    ],
  })
})

// biome-ignore format: a table is read in columns.
const disputes = [
  [ 'dispute_received', 'opened' ],
  [ 'dispute_evidence_submitted', 'under-review' ],
  [ 'dispute_won', 'won' ], [ 'dispute_canceled', 'won' ], [ 'dispute_resolved', 'won' ], [ 'dispute_arbitration_won', 'won' ],
  [ 'dispute_lost', 'lost' ], [ 'dispute_accepted', 'lost' ], [ 'dispute_expired', 'lost' ], [ 'dispute_arbitration_lost', 'lost' ],
] as const

for (const [type, state] of disputes) {
  test(`${type}: the dispute is ${state}, and no second chargeback`, () => {
    const reading = report(type, dispute)
    assert.ok(reading.kind === 'verified')
    const changes = reading.events.filter(({ kind }) => kind !== 'chargeback-returned')
    assert.deepEqual(
      changes.map((event) => [event.kind, 'state' in event && event.state]),
      [['dispute-changed', state]],
    )
    const [returned, ...more] = reading.events.filter(({ kind }) => kind === 'chargeback-returned')
    assert.equal(more.length, 0)
    // A dispute that is cancelled or resolved may never have taken money.
    const mayBeUntaken = type === 'dispute_canceled' || type === 'dispute_resolved'
    const money = { chargeback: dispute.id, paymentId, at, amountMinor: 8150n, mayBeUntaken }
    const expected = { kind: 'chargeback-returned', reference: 'evt_1', ...money }
    assert.deepEqual(returned, state === 'won' ? expected : undefined)
  })
}

test('a dispute in a currency that is not known here is still reported', () => {
  const reading = report('dispute_evidence_required', { ...dispute, currency: 'XYZ' })
  assert.ok(reading.kind === 'verified')
  assert.deepEqual(
    reading.events.map(({ kind }) => kind),
    ['dispute-changed'],
  )
})

test('while the signature key is replaced, either key is accepted', () => {
  const body = Buffer.from(
    JSON.stringify({ id: 'evt_1', type: 'payment_captured', timestamp: at.toISOString(), data: captured }),
  )
  const keys = { webhook_secret: 'the-new-signature-key', webhook_secret_previous: key }
  assert.equal(read(body, { 'cko-signature': sign(body) }, keys).kind, 'verified')
  assert.equal(read(body, { 'cko-signature': sign(body, 'the-new-signature-key') }, keys).kind, 'verified')
  assert.equal(read(body, { 'cko-signature': sign(body, 'a-third-key-of-nobody') }, keys).kind, 'unverified')
})

test('nothing is believed without the right signature: missing, forged, of another MID, shortened, of another body', () => {
  const body = Buffer.from(
    JSON.stringify({ id: 'evt_1', type: 'payment_captured', timestamp: at.toISOString(), data: captured }),
  )
  const right = sign(body)
  assert.equal(read(body, { 'cko-signature': right.toUpperCase() }).kind, 'verified')
  const wrong = [
    '',
    'x',
    right.slice(0, 62),
    `${right}00`,
    sign(body, 'another-mids-key'),
    sign(Buffer.from('{}')),
    'é'.repeat(64),
  ]
  for (const signature of wrong) assert.equal(read(body, { 'cko-signature': signature }).kind, 'unverified', signature)
  assert.equal(read(body, {}).kind, 'unverified')
  for (const signature of [right, sign(body, '')])
    assert.equal(read(body, { 'cko-signature': signature }, {}).kind, 'unverified', 'without a key')
})

test('a signed body that is no webhook is refused, whatever it is, and one of a megabyte is read', () => {
  const bodies = [
    '',
    'null',
    '[]',
    '{',
    '{"id":1}',
    '{"id":"evt_1","type":"payment_captured","data":{}}',
    '\u0000',
    '"text"',
  ]
  for (const text of [...bodies, JSON.stringify({ id: 'evt_1', type: 'x', timestamp: 'yesterday' })]) {
    const body = Buffer.from(text)
    assert.equal(read(body, { 'cko-signature': sign(body) }).kind, 'unverified', text)
  }
  const long = report('payment_captured', { ...captured, metadata: { filler: 'x'.repeat(1_000_000) } })
  assert.equal(long.kind, 'verified')
})
