import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonReply } from '../testing/json-reply.ts'
import type { WireReply } from '../wire.ts'
import { sinceOf, toEvents } from './events.ts'

const payment = '0199a1b2-c3d4-7e5f-8a6b-00000000000a'
const transaction = '0199a1b2-c3d4-7e5f-8a6b-000000000001'

const event = (sequence: number, kind: string, mid = 'MID-1') => ({
  sequence,
  kind,
  at: '2026-03-10T11:52:53.000Z',
  mid,
  transaction_id: transaction,
  payment_id: payment,
  reference: 'SBX000000000007',
})

const chargeback = (sequence: number, mid?: string) => ({
  ...event(sequence, 'chargeback', mid),
  chargeback: 2,
  bank_date: '2026-03-10',
  amount: '12345678901234567890123456789012345678',
  currency: 'ETH',
  reason_code: '1212 Fraud',
})

const reply = (...events: readonly unknown[]) => jsonReply(200, { events })
const ours = { mid: 'MID-1', since: 4, longest: 3 }
const at = new Date('2026-03-10T11:52:53.000Z')

test('a chargeback becomes an event in our words, its amount to the last unit, under its number of the chargeback list', () => {
  assert.deepEqual(toEvents(reply(chargeback(5)), ours).events, [
    {
      kind: 'chargeback',
      reference: '2',
      paymentId: payment,
      amountMinor: 12345678901234567890123456789012345678n,
      at,
      bankDate: '2026-03-10',
      reasonCode: '1212 Fraud',
    },
  ])
})

test('a lapsed hold and a late decision become events in our words', () => {
  assert.deepEqual(toEvents(reply(event(5, 'lapse'), event(6, 'decided')), ours).events, [
    { kind: 'lapse', reference: 'SBX000000000007', paymentId: payment, at },
    { kind: 'decided', reference: 'SBX000000000007', paymentId: payment, transactionId: transaction, at },
  ])
})

test('entries of other MIDs are passed over, whatever they hold, and the cursor goes on behind them', () => {
  const stranger = { ...chargeback(7, 'MID-2'), payment_id: 'not ours' }
  const { events, cursor, more } = toEvents(reply(chargeback(6), stranger), ours)
  assert.equal(events.length, 1)
  assert.deepEqual([sinceOf(cursor), more], [7, false])
})

test('an empty list leaves the cursor where it was, a full one says that there is more', () => {
  const { events, cursor, more } = toEvents(reply(), ours)
  assert.deepEqual([events, sinceOf(cursor), more], [[], 4, false])
  assert.equal(toEvents(reply(chargeback(5), chargeback(6), chargeback(7)), ours).more, true)
})

test('a new account and one whose cursor counts another list begin at the beginning', () => {
  assert.deepEqual([sinceOf(''), sinceOf('17')], [0, 0])
})

// biome-ignore format: a table is read in columns.
const strangers: readonly (readonly [what: string, reply: WireReply])[] = [
  ['an outage',                       jsonReply(503, { events: [] })],
  ['a proxy’s page',                  jsonReply(200, '<html>Welcome</html>')],
  ['nothing',                         jsonReply(200, null)],
  ['another object',                  jsonReply(200, {})],
  ['an entry without its number',     reply({ ...chargeback(5), sequence: undefined })],
  ['an entry of ours of a kind that we do not know', reply(event(5, 'a kind of the future'))],
  ['an entry of ours that lacks its payment', reply({ ...chargeback(5), payment_id: undefined })],
  ['a decision that does not name the transaction', reply({ ...event(5, 'decided'), transaction_id: undefined })],
  ['an amount below zero',            reply({ ...chargeback(5), amount: '-1' })],
  ['a date that does not exist',      reply({ ...chargeback(5), bank_date: '2026-02-30' })],
]

for (const [what, answer] of strangers) {
  test(`${what} is no report: the same question is asked again`, () => {
    assert.throws(() => toEvents(answer, ours))
  })
}
