/** A notification is stored once with its events, and each event is entered by one worker at a time. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { newOpening } from '../../../test/opening-rows.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import { openPool } from '../database/pool.ts'
import { paymentStore } from '../payments/payments.ts'
import { acquirerEventStore } from './acquirer-events.ts'
import { acquirerNotificationStore } from './notification-store.ts'

const database = await testDatabase()
after(() => database.drop())
const notifications = acquirerNotificationStore(database.pool)
const events = acquirerEventStore(database.pool)
const receivedAt = new Date('2026-03-01T12:00:00Z')
const soon = new Date('2026-03-01T12:00:01Z')

const decided = (reference: string): Extract<AcquirerEvent, { kind: 'decided' }> => ({
  kind: 'decided',
  reference,
  paymentId: randomUUID(),
  transactionId: '000000000001',
  at: receivedAt,
  outcome: { result: 'approved', facts: { reference: 'PSP' } },
})

const claimAll = async (now = soon) => events.claim(now, 100, 60)

test('a repeated notification counts once, however many copies come at the same time', async () => {
  const midId = randomUUID()
  const notification = { midId, id: 'N1', receivedAt, events: [decided('E1'), decided('E2')] }
  const stored = await Promise.all(Array.from({ length: 10 }, () => notifications.store(notification)))
  assert.deepEqual(stored.toSorted(), [...Array.from({ length: 9 }, () => 'known'), 'stored'])
  const due = await claimAll()
  assert.deepEqual(due.map(({ event }) => event.reference).toSorted(), ['E1', 'E2'])
  for (const one of due) await events.recordEntered(one)
  assert.deepEqual(await claimAll(new Date('2027-01-01T00:00:00Z')), [])
})

test('a notification that cannot be stored fails alone, and those that came with it are stored', async () => {
  const midId = randomUUID()
  const store = (id: string, event: AcquirerEvent) => notifications.store({ midId, id, receivedAt, events: [event] })
  const results = await Promise.allSettled([
    store('before', decided('G1')),
    store('good', decided('G2')),
    store('bad', { ...decided('B1'), paymentId: 'not an id' }),
    store('better', decided('G3')),
  ])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    ['stored', 'stored', 'failed', 'stored'],
  )
  const due = await claimAll()
  assert.deepEqual(due.map(({ event }) => event.reference).toSorted(), ['G1', 'G2', 'G3'])
  for (const one of due) await events.recordEntered(one)
})

test('a single notification is stored at once, and those of a burst wait for each other', async () => {
  const midId = randomUUID()
  let end = (): void => undefined
  const paused = new Promise<void>((resolve) => {
    end = resolve
  })
  const slowly = acquirerNotificationStore(database.pool, () => paused)
  const store = (id: string) => slowly.store({ midId, id, receivedAt, events: [] })
  await store('single')
  // What comes in the moment of an answer belongs to the burst.
  await new Promise((resolve) => setImmediate(resolve))
  const first = store('first')
  await Promise.resolve()
  const burst = [store('second')]
  await first
  burst.push(store('third'))
  end()
  await Promise.all(burst)
  const { rows } = await database.pool.query<{ ids: string }>(
    `select string_agg(id, ' ' order by id) as ids from acquirer_notifications where mid_id = $1 group by xmin::text order by ids`,
    [midId],
  )
  assert.deepEqual(
    rows.map(({ ids }) => ids),
    ['first', 'second third', 'single'],
  )
})

test('an event that another notification repeats counts once', async () => {
  const midId = randomUUID()
  const event = decided('E3')
  await notifications.store({ midId, id: 'N1', receivedAt, events: [event] })
  await notifications.store({ midId, id: 'N2', receivedAt, events: [event, decided('E4')] })
  const due = await claimAll()
  assert.deepEqual(due.map((one) => one.event.reference).toSorted(), ['E3', 'E4'])
  for (const one of due) await events.recordEntered(one)
})

test('events come back as they were stored: instants, amounts and outcomes', async () => {
  const midId = randomUUID()
  const at = new Date('2026-02-28T23:59:59.500Z')
  const paymentId = randomUUID()
  const chargeback: AcquirerEvent = {
    kind: 'chargeback',
    reference: 'C1',
    paymentId,
    amountMinor: 123456789012345678n,
    at,
    bankDate: '2026-02-28',
    reasonCode: '10.4 Fraud',
  }
  const dispute: AcquirerEvent = {
    kind: 'dispute-changed',
    reference: 'D1-1',
    dispute: 'D1',
    chargeback: 'C1',
    paymentId,
    at,
    state: 'evidence-due',
    amountMinor: null,
    evidenceDueAt: at,
    reasonCode: '10.4',
  }
  const returned: AcquirerEvent = {
    kind: 'chargeback-returned',
    reference: 'R1',
    chargeback: 'C1',
    paymentId,
    at,
    amountMinor: 123456789012345678n,
    mayBeUntaken: true,
  }
  await notifications.store({ midId, id: 'N1', receivedAt, events: [chargeback, dispute, returned] })
  const due = await claimAll()
  assert.deepEqual(
    due.map(({ event }) => event).toSorted((a, b) => (a.kind < b.kind ? -1 : 1)),
    [chargeback, returned, dispute],
  )
  for (const one of due) await events.recordEntered(one)
})

test('a postponed event is due at its time and counts its tries; a failed one is not tried again', async () => {
  const midId = randomUUID()
  await notifications.store({ midId, id: 'N1', receivedAt, events: [decided('E5')] })
  const [first] = await claimAll()
  assert.ok(first)
  assert.equal(first.tries, 1)
  assert.deepEqual(await claimAll(), [], 'claimed')
  const later = new Date('2026-03-01T12:00:05Z')
  await events.postpone(first, later, 'The payment is not known.')
  assert.deepEqual(await claimAll(new Date('2026-03-01T12:00:04Z')), [])
  const [second] = await claimAll(later)
  assert.equal(second?.tries, 2)
  await events.fail(first, 'The payment is not known.')
  assert.deepEqual(await claimAll(new Date('2027-01-01T00:00:00Z')), [])
})

test('events that end at the same time end together, and those of others stay due', async () => {
  const midId = randomUUID()
  const references = Array.from({ length: 40 }, (_, index) => `M${index}`)
  await notifications.store({ midId, id: 'N1', receivedAt, events: references.map(decided) })
  const claimed = await claimAll()
  assert.equal(claimed.length, 40)
  await Promise.all(claimed.slice(1).map((one) => events.recordEntered(one)))
  const after = new Date('2026-03-01T13:00:00Z')
  await database.pool.query('update acquirer_events set lease_until = null where mid_id = $1', [midId])
  const left = await claimAll(after)
  assert.deepEqual(
    left.map(({ event }) => event.reference),
    claimed.slice(0, 1).map(({ event }) => event.reference),
  )
  for (const one of left) await events.recordEntered(one)
})

test('payments that are looked up at the same time each come with their own transactions', async () => {
  const payments = paymentStore(database.pool)
  const opened = Array.from({ length: 5 }, () => newOpening())
  for (const one of opened) await payments.open(one)
  const unknown = newOpening()
  const found = await Promise.all(
    [...opened, unknown].map(({ payment }) => payments.readAtMid(payment.midId ?? '', payment.id)),
  )
  assert.deepEqual(
    found.map((one) => one && [one.payment.id, one.transactions.map(({ id }) => id)]),
    [...opened.map(({ payment, transaction }) => [payment.id, [transaction.id]]), null],
  )
  const [first] = opened
  assert.equal(
    await payments.readAtMid(randomUUID(), first?.payment.id ?? ''),
    null,
    'not at the MID of another acquirer',
  )
})

test('facts that arrive later are added to the transaction, and to the payment if it is the first step', async () => {
  const payments = paymentStore(database.pool)
  const one = newOpening()
  await payments.open(one)
  const { merchantId, id } = one.payment
  await payments.addFacts(one.transaction, { arn: '74537604221222132710572' })
  const [transaction] = await payments.listTransactions(merchantId, id)
  assert.equal(transaction?.facts.arn, '74537604221222132710572')
  const payment = await payments.find(merchantId, id)
  assert.equal(payment?.facts.acquirer?.arn, '74537604221222132710572')
  assert.equal(payment?.version, one.payment.version + 1, 'so that a command that read it before decides again')
})

test('the payment of an event is found by its id, however many merchants there are', async () => {
  const one = newOpening()
  await paymentStore(database.pool).open(one)
  const { id, midId } = one.payment
  const single = openPool(database.url, { max: 1, applicationName: 'test' })
  try {
    const payments = paymentStore(single)
    assert.equal((await payments.findAtMid(midId ?? '', id))?.id, id)
    assert.equal(await payments.findAtMid(randomUUID(), id), null, 'not for the acquirer of another MID')
    // The test has one payment, which is read faster without an index.
    await single.query('set enable_seqscan = off')
    const { rows } = await single.query(`explain execute "payment.at-mid" ('${midId}', '${id}')`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /^Index Scan using payments_newest on payments/)
    assert.doesNotMatch(plan, /merchants/)
  } finally {
    await single.end()
  }
})
