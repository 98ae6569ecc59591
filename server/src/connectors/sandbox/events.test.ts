import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toEvents } from './events.ts'

const chargeback = (sequence: number, mid = 'MID-1') => ({
  sequence,
  at: '2026-03-10T11:52:53.000Z',
  bank_date: '2026-03-10',
  mid,
  transaction_id: '0199a1b2-c3d4-7e5f-8a6b-000000000001',
  payment_id: '0199a1b2-c3d4-7e5f-8a6b-00000000000a',
  amount: '123456789012345678',
  currency: 'EUR',
  reference: 'REF-1',
  reason_code: '1212 Fraud',
})

const reply = (...chargebacks: readonly unknown[]) => ({ status: 200, body: { chargebacks } })
const ours = { mid: 'MID-1', since: '4', longest: 3 }

test('a chargeback becomes an event in our words, its amount to the last unit', () => {
  const { events } = toEvents(reply(chargeback(5)), ours)
  assert.deepEqual(events, [
    {
      kind: 'chargeback',
      reference: '5',
      paymentId: '0199a1b2-c3d4-7e5f-8a6b-00000000000a',
      amountMinor: 123456789012345678n,
      at: new Date('2026-03-10T11:52:53.000Z'),
      bankDate: '2026-03-10',
      reasonCode: '1212 Fraud',
    },
  ])
})

test('entries of other MIDs are passed over, whatever they hold, and the cursor goes on behind them', () => {
  const stranger = { ...chargeback(7, 'MID-2'), payment_id: 'not ours' }
  const { events, cursor, more } = toEvents(reply(chargeback(6), stranger), ours)
  assert.equal(events.length, 1)
  assert.deepEqual([cursor, more], ['7', false])
})

test('an empty list leaves the cursor where it was, a full one says that there is more', () => {
  assert.deepEqual(toEvents(reply(), ours), { events: [], cursor: '4', more: false })
  assert.equal(toEvents(reply(chargeback(5), chargeback(6), chargeback(7)), ours).more, true)
})

// biome-ignore format: a table is read in columns.
const strangers: readonly (readonly [what: string, reply: { status: number; body: unknown }])[] = [
  ['an outage',                       { status: 503, body: { chargebacks: [] } }],
  ['a proxy’s page',                  { status: 200, body: '<html>Welcome</html>' }],
  ['nothing',                         { status: 200, body: null }],
  ['another object',                  { status: 200, body: {} }],
  ['an entry without its number',     reply({ ...chargeback(5), sequence: undefined })],
  ['an entry of ours that lacks its payment', reply({ ...chargeback(5), payment_id: undefined })],
  ['an amount below zero',            reply({ ...chargeback(5), amount: '-1' })],
  ['a date that does not exist',      reply({ ...chargeback(5), bank_date: '2026-02-30' })],
]

for (const [what, answer] of strangers) {
  test(`${what} is no report: the same question is asked again`, () => {
    assert.throws(() => toEvents(answer, ours))
  })
}
