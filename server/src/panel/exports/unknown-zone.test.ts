/** A scheduled export whose time zone became unknown is set aside, and the others go on. Chapter 70 §5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { panelOf } from '../../../test/panel/admin.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { openShop, type Shop } from '../../../test/shop.ts'

let receiver: Receiver
let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
before(async () => {
  receiver = await startReceiver()
  shop = await openShop({}, ['back office'])
  owner = await panelOf(shop)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await receiver.stop()
})

const wishes = (name: string, timeZone = 'UTC') => ({
  name,
  kind: 'payments',
  filter: {},
  columns: ['id'],
  period: 'day',
  timeZone,
  minuteOfDay: 0,
  target: { kind: 'https', url: receiver.url },
})

async function schedule(name: string): Promise<string> {
  const { http, body, text } = await owner.post('/export-schedules', wishes(name))
  assert.equal(http, 200, text)
  return body.schedule.id
}

test('it is paused with its reason and an alert, the others are sent, and with a known zone it goes on', async () => {
  const lost = await schedule('Lost')
  const sound = await schedule('Sound')
  await shop.base.pool.query(`update export_schedules set time_zone = 'Mars/Olympus' where id = $1`, [lost])
  await shop.advance(2 * 86_400_000)
  await shop.service.awaitIdle()

  const { schedules } = (await owner.get('/export-schedules')).body
  const reason = 'Its time zone Mars/Olympus is unknown. Choose another one, then resume it.'
  const reasons = schedules.map((one: { name: string; pauseReason: string | null }) => [one.name, one.pauseReason])
  assert.deepEqual(reasons, [
    ['Lost', reason],
    ['Sound', null],
  ])
  const { rows } = await shop.base.pool.query(`select text from alerts where kind = 'export-failed'`)
  assert.deepEqual(rows, [{ text: `The export Lost is paused. ${reason}` }])
  const keys = receiver.received.map(({ headers }) => String(headers['idempotency-key']))
  assert.ok(keys.length > 0 && keys.every((key) => key.startsWith(sound)), keys.join(' '))

  for (const [act, body] of [
    ['resume', undefined],
    ['run', {}],
  ] as const) {
    const { http, body: answer } = await owner.post(`/export-schedules/${lost}/${act}`, body)
    assert.deepEqual([http, answer.error.message], [409, reason], act)
  }
  assert.equal((await owner.get(`/export-schedules/${lost}/runs`)).http, 200)

  assert.equal((await owner.send('PUT', `/export-schedules/${lost}`, wishes('Lost'))).http, 200)
  assert.equal((await owner.post(`/export-schedules/${lost}/resume`)).http, 200)
  await shop.advance(86_400_000)
  await shop.service.awaitIdle()
  assert.ok(receiver.received.some(({ headers }) => String(headers['idempotency-key']).startsWith(lost)))
})
