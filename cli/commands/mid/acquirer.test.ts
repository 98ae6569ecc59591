// Written from chapter 60 §2: the operator sees what acquirers reported, and how much was refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { systemClock } from '#server/process/clock.ts'
import { acquirerNotificationStore } from '#server/store/acquirers/notification-store.ts'
import { openTestInstance, type TestInstance } from '../../test/gatehouse.ts'

let instance: TestInstance
const paymentId = randomUUID()
const receivedAt = systemClock().now()
before(async () => {
  instance = await openTestInstance()
  const credentials = '{"mid":"main","base_url":"http://127.0.0.1:9"}'
  for (const name of ['main', 'other'])
    await instance.do('mid', 'create', name, '--connector', 'sandbox', '--side', 'test', '--credentials', credentials)
})
after(() => instance[Symbol.asyncDispose]())

const list = async (...options: readonly string[]) =>
  (await instance.do('acquirer', 'notifications', '--json', ...options)).json

test('without notifications the command says where acquirers send them', async () => {
  const { out } = await instance.do('acquirer', 'notifications')
  assert.match(out, /^No notifications\. .*\/acquirers\/NAME\/notifications/)
  assert.deepEqual(await list(), { notifications: [], refused: [] })
})

test('notifications are listed with state, age, events and payment, and refused ones are counted', async () => {
  const { pool } = instance.database
  const { rows } = await pool.query<{ id: string }>("select id from mids where name = 'main'")
  const midId = rows[0]?.id ?? ''
  const store = acquirerNotificationStore(pool)
  const event = { kind: 'lapse', reference: 'E1', paymentId, at: receivedAt } as const
  await store.store({ midId, id: 'N1', receivedAt: new Date(receivedAt.getTime() - 7_200_000), events: [] })
  await store.store({ midId, id: 'N2', receivedAt, events: [event] })
  await store.countRefused({ midId, at: receivedAt, reason: 'The signature is wrong.' })
  const { out } = await instance.do('acquirer', 'notifications')
  assert.match(
    out,
    new RegExp(
      `^RECEIVED +AGE +MID .*\\n.* main +waiting +lapse +${paymentId} +N2\\n.* 2 h +main +ignored +- +- +N1\\n`,
    ),
  )
  assert.match(out, /\n {2}main +1 +.* UTC +The signature is wrong\.$/)
  const { notifications, refused } = await list('--mid', 'main', '--state', 'waiting')
  assert.deepEqual(
    notifications.map(({ id, state }: { id: string; state: string }) => [id, state]),
    [['N2', 'waiting']],
  )
  assert.equal(notifications[0].events[0].payment_id, paymentId)
  assert.deepEqual([refused[0].mid, refused[0].count], ['main', 1])
  assert.deepEqual(await list('--mid', 'other'), { notifications: [], refused: [] })
  const recent = await list('--since', new Date(receivedAt.getTime() - 60_000).toISOString())
  assert.equal(recent.notifications.length, 1)
})

test('an unknown MID, state or time is refused with what is accepted', async () => {
  const refuse = async (...options: readonly string[]) =>
    (await instance.run(['acquirer', 'notifications', ...options])).err
  assert.match(await refuse('--mid', 'nowhere'), /nowhere/)
  assert.match(await refuse('--state', 'lost'), /waiting, entered, failed, ignored, repeated/)
  assert.match(await refuse('--since', 'yesterday'), /2026-11-01/)
})
