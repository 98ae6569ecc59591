/** What operators see of notifications: states, refusals, arrivals, and how long they are stored. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import type { AcquirerEvent } from '../../connectors/connector.ts'
import { inTransaction } from '../database/transaction.ts'
import { purges } from '../retention/purges.ts'
import { acquirerEventStore } from './acquirer-events.ts'
import { listNotificationArrivals } from './notification-arrivals.ts'
import { listNotifications, listPaymentEvents } from './notification-log.ts'
import { acquirerNotificationStore } from './notification-store.ts'
import { listRefusedSince, refusalCounter } from './refused-notifications.ts'

const database = await testDatabase()
after(() => database.drop())
const { pool } = database
const notifications = acquirerNotificationStore(pool)
const events = acquirerEventStore(pool)

const at = (minute: number): Date => new Date(Date.parse('2026-03-01T12:00:00Z') + minute * 60_000)
const everything = { midId: null, state: null, since: null, limit: 50 } as const

const lapse = (reference: string, paymentId: string = randomUUID()): AcquirerEvent => ({
  kind: 'lapse',
  reference,
  paymentId,
  at: at(0),
})

async function addMid(name: string): Promise<string> {
  const id = randomUUID()
  await pool.query(
    "insert into mids (id, name, connector, side, credentials_sealed, created_at) values ($1, $2, 'sandbox', 'test', '', now())",
    [id, name],
  )
  return id
}

/** One notification in each state. */
async function storeEach(midId: string): Promise<void> {
  const store = (id: string, minute: number, reported: readonly AcquirerEvent[]) =>
    notifications.store({ midId, id, receivedAt: at(minute), events: reported })
  await store('done', 1, [lapse('e-done')])
  await store('lost', 2, [lapse('e-lost')])
  for (const due of await events.claim(at(3), 100, 60)) {
    if (due.event.reference === 'e-lost') await events.fail(due, 'The payment is not known at this MID.')
    else await events.recordEntered(due)
  }
  await store('nothing', 4, [])
  await store('again', 5, [lapse('e-done')])
  await store('open', 6, [lapse('e-open'), lapse('e-open-2')])
}

test('every notification is listed with its state and its events, newest first', async () => {
  const midId = await addMid('states')
  await storeEach(midId)
  const states = async (filter: object) =>
    (await listNotifications(pool, { ...everything, midId, ...filter })).map(({ id, state }) => `${id} ${state}`)
  assert.deepEqual(await states({}), [
    'open waiting',
    'again repeated',
    'nothing ignored',
    'lost failed',
    'done entered',
  ])
  assert.deepEqual(await states({ state: 'waiting' }), ['open waiting'])
  assert.deepEqual(await states({ state: 'failed' }), ['lost failed'])
  assert.deepEqual(await states({ state: 'entered' }), ['done entered'])
  assert.deepEqual(await states({ since: at(4) }), ['open waiting', 'again repeated', 'nothing ignored'])
  assert.deepEqual(await states({ limit: 1 }), ['open waiting'])
  const [open, , , lost] = await listNotifications(pool, { ...everything, midId })
  assert.equal(open?.mid, 'states')
  assert.deepEqual(
    open?.events.map(({ reference, state }) => `${reference} ${state}`),
    ['e-open waiting', 'e-open-2 waiting'],
  )
  assert.equal(lost?.events[0]?.note, 'The payment is not known at this MID.')
})

test('without a MID the newest of all MIDs are listed', async () => {
  const [one, other] = [await addMid('newest-one'), await addMid('newest-other')]
  await notifications.store({ midId: one, id: 'a', receivedAt: at(100), events: [] })
  await notifications.store({ midId: other, id: 'b', receivedAt: at(101), events: [] })
  const newest = await listNotifications(pool, { ...everything, limit: 2 })
  assert.deepEqual(
    newest.map(({ mid, id }) => `${mid} ${id}`),
    ['newest-other b', 'newest-one a'],
  )
})

test('a payment shows the events of its own MIDs alone', async () => {
  const [own, foreign] = [await addMid('own'), await addMid('foreign')]
  const paymentId = randomUUID()
  await notifications.store({ midId: own, id: 'n', receivedAt: at(1), events: [lapse('mine', paymentId)] })
  await notifications.store({ midId: foreign, id: 'n', receivedAt: at(1), events: [lapse('theirs', paymentId)] })
  const shown = await listPaymentEvents(pool, paymentId, [own])
  assert.deepEqual(
    shown.map(({ reference, state }) => `${reference} ${state}`),
    ['mine waiting'],
  )
})

test('refusals of a flood are counted exactly, by a few statements', async () => {
  const [one, other] = [await addMid('flood'), await addMid('trickle')]
  let statements = 0
  const counted = new Proxy(pool, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name === 'connect') statements += 1
      return member.bind(target)
    },
  })
  const count = refusalCounter(counted)
  const refusal = { midId: one, at: at(0), reason: 'The signature is wrong.' }
  await Promise.all([
    ...Array.from({ length: 1000 }, () => count(refusal)),
    count({ midId: other, at: at(1), reason: 'The signature is missing.' }),
  ])
  await count({ ...refusal, at: at(2), reason: 'The signature is too old.' })
  const [last, first] = await listRefusedSince(pool, at(0), null)
  assert.deepEqual([last?.midId, last?.refused, last?.reason], [one, 1001, 'The signature is too old.'])
  assert.deepEqual([first?.midId, first?.refused], [other, 1])
  assert.ok(statements > 0 && statements <= 3, `${statements} statements`)
})

test('a count that fails is reported to its callers, and the next one is written', async () => {
  const midId = await addMid('away')
  const count = refusalCounter(pool)
  const refusal = { midId, at: at(0), reason: 'The signature is wrong.' }
  await assert.rejects(count({ ...refusal, midId: 'not an id' }))
  await count(refusal)
  assert.equal((await listRefusedSince(pool, at(0), midId))[0]?.refused, 1)
})

test('arrivals tell the last one, the longest of the newest gaps and the payments approved since', async () => {
  const midId = await addMid('arrivals')
  for (const [index, minute] of [0, 1, 3, 8, 9].entries())
    await notifications.store({
      midId,
      id: `n${index}`,
      receivedAt: at(minute),
      events: index === 4 ? [lapse('x')] : [],
    })
  await pool.query(
    `insert into mid_answers (minute, mid_id, network, country, currency, approved, declined)
     values ($2, $1, 'visa', '', 'EUR', 7, 1), ($3, $1, 'visa', '', 'EUR', 4, 1), ($3, $1, 'visa', 'DE', 'EUR', 1, 0)`,
    [midId, at(8), at(10)],
  )
  const own = (await listNotificationArrivals(pool)).find((one) => one.midId === midId)
  assert.deepEqual(own, {
    midId,
    lastAt: at(9),
    gaps: 4,
    longestGapMs: 300_000,
    approvedSince: 5,
    waiting: 1,
    failed: 0,
  })
  const empty = await addMid('arrivals-none')
  const none = (await listNotificationArrivals(pool)).find((one) => one.midId === empty)
  assert.deepEqual([none?.lastAt, none?.gaps, none?.longestGapMs, none?.approvedSince], [null, 0, null, 0])
})

test('a notification is removed with its events after its time, a younger one stays', async () => {
  const midId = await addMid('old')
  await notifications.store({ midId, id: 'old', receivedAt: at(-60), events: [lapse('old')] })
  await notifications.store({ midId, id: 'young', receivedAt: at(200), events: [lapse('young')] })
  const batch = { before: at(150), cursor: '', limit: 100, now: at(300) }
  await inTransaction(pool, (client) => purges['acquirer notifications'](client, batch))
  const { rows } = await pool.query('select notification_id from acquirer_events where mid_id = $1', [midId])
  assert.deepEqual(rows, [{ notification_id: 'young' }])
  assert.deepEqual(
    (await listNotifications(pool, { ...everything, midId })).map(({ id }) => id),
    ['young'],
  )
})
