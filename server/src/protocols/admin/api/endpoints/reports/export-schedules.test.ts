/** Exports are written and sent by a schedule: each period once, with the rights of its owner, to mail or to a signed HTTPS target. Chapter 70 §5. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { exportLimits } from '#domain/export/export-limits.ts'
import { firstPeriodDueAfter } from '#domain/export/export-period.ts'
import { limits } from '#domain/limits.ts'
import { webhookSignature } from '#domain/signature/signature.ts'
import { startMailHost } from '../../../../../../test/mail-host.ts'
import { makeUser, merchantId, type PanelClient, panelOf } from '../../../../../../test/panel/admin.ts'
import { type Receiver, startReceiver } from '../../../../../../test/receiver.ts'
import { openShop, type Shop } from '../../../../../../test/shop.ts'
import { openProcessContext } from '../../../../../assembly/process-context.ts'
import { dueScheduleStore } from '../../../../../store/exports/export-schedules.ts'
import { wireService } from '../../../../../wiring.ts'

const day = 86_400_000
let host: Awaited<ReturnType<typeof startMailHost>>
let receiver: Receiver
let shop: Shop
let owner: Awaited<ReturnType<typeof panelOf>>
before(async () => {
  host = await startMailHost()
  receiver = await startReceiver()
  shop = await openShop({ SMTP_URL: host.url, MAIL_FROM: 'Gatehouse <payments@example.com>' }, ['back office'])
  // At the beginning of a period: in the night, the next period to become due is yesterday's, without the payments of these tests.
  await passPeriod()
  owner = await panelOf(shop)
})
after(async () => {
  await shop[Symbol.asyncDispose]()
  await receiver.stop()
  await host.stop()
})
beforeEach(async () => {
  await shop.base.pool.query('delete from export_schedules')
  await shop.base.pool.query('delete from alerts')
  host.received.length = 0
  host.mood.now = 'takes'
  receiver.received.length = 0
  receiver.answer = () => ({ status: 200, body: 'OK' })
})

const times = { period: 'day', timeZone: 'Europe/Berlin', minuteOfDay: 360 } as const
const mailed = {
  ...times,
  name: 'Daily',
  kind: 'payments',
  filter: {},
  columns: ['id', 'order_id', 'amount', 'card'],
  target: { kind: 'mail', addresses: ['books@example.com'] },
}
const posted = () => ({ ...mailed, target: { kind: 'https', url: `${receiver.url}/secret-path` } })

async function create(body: object, by: PanelClient = owner) {
  const answer = await by.post('/export-schedules', body)
  assert.equal(answer.http, 200, answer.text)
  return answer.body as { schedule: { id: string; name: string; shownTarget: string }; secret: string | null }
}

/** Until the next period is due. */
async function passPeriod(): Promise<string> {
  const now = shop.base.clock.now()
  const { dueAt, label } = firstPeriodDueAfter(times, now)
  await shop.advance(dueAt.getTime() - now.getTime() + 1000)
  await shop.service.awaitIdle()
  return label
}

const runsOf = async (id: string, by: PanelClient = owner) =>
  (await by.get(`/export-schedules/${id}/runs`)).body.runs as readonly {
    id: string
    period: string
    state: string
    repetition: number
    rowCount: string | null
    byteCount: string | null
    attempts: number
    fault: string | null
    isStored: boolean
  }[]
const alertTexts = async (): Promise<readonly string[]> =>
  (await shop.base.pool.query(`select text from alerts where kind = 'export-failed' order by raised_at`)).rows.map(
    ({ text }) => text,
  )
const attachmentOf = (text = ''): string => {
  const [, encoded = ''] = /filename=[^\n]*\n(?:[^\n]+\n)*\n([A-Za-z0-9+/=\n]+)/.exec(text) ?? []
  return Buffer.from(encoded, 'base64').toString('utf8')
}
const startWorker = async () => {
  const base = await openProcessContext(shop.base.config, shop.base.databaseUrl, shop.base.log)
  return wireService(base, shop.sandbox.url)
}

describe('by mail', () => {
  test('a period is mailed with its file once, also with a second worker, and its run is listed', async () => {
    const { schedule } = await create(mailed)
    await shop.sale({ order_id: 'SCHEDULED-1' })
    const second = await startWorker()
    const label = await passPeriod()
    await second.awaitIdle()
    await second.stop()
    assert.deepEqual(
      host.received.map(({ to }) => to),
      [['books@example.com']],
    )
    const file = attachmentOf(host.received[0]?.text)
    assert.match(file, /^id,order_id,amount,card\r\n/)
    assert.match(file, /SCHEDULED-1,10\.00,411111\*+1111\r\n/)
    const [run, ...others] = await runsOf(schedule.id)
    assert.deepEqual([others.length, run?.period, run?.state, run?.attempts], [0, label, 'sent', 1])
    assert.deepEqual([run?.rowCount, run?.byteCount], ['1', String(Buffer.byteLength(file))])
  })

  test('an address that was not accepted is tried again, and the others get the file once', async () => {
    const { schedule } = await create({
      ...mailed,
      target: { kind: 'mail', addresses: ['a@example.com', 'b@example.com'] },
    })
    host.mood.now = 'refuses'
    await passPeriod()
    assert.equal(
      (await runsOf(schedule.id))[0]?.fault,
      'The mail server did not accept the e-mail to 2 of 2 addresses.',
    )
    await shop.base.pool.query(`update export_runs set delivered = '{a@example.com}'`)
    host.mood.now = 'takes'
    await shop.advance(61_000)
    await shop.service.awaitIdle()
    assert.deepEqual(
      host.received.map(({ to }) => to),
      [['b@example.com']],
    )
  })

  test('a file that is too large for a mail is announced with a link, and can be downloaded there', async () => {
    const { schedule } = await create(mailed)
    host.mood.now = 'refuses'
    await passPeriod()
    await shop.base.pool.query(
      `insert into export_file_parts (file_id, part, content, written_at)
       select file_id, 2, convert_to(repeat('x', $1), 'UTF8'), $2 from export_runs`,
      [exportLimits.attachedBytes, shop.base.clock.now()],
    )
    await shop.base.pool.query(
      `insert into export_file_parts (file_id, part, content, written_at)
       select file_id, 1, 'row', $1 from export_runs on conflict do nothing`,
      [shop.base.clock.now()],
    )
    host.mood.now = 'takes'
    await shop.advance(61_000)
    await shop.service.awaitIdle()
    const text = host.received[0]?.text.replaceAll(/=\n/g, '') ?? ''
    assert.match(text, new RegExp(`/admin/export-schedules\\?schedule=(3D)?${schedule.id}`))
    assert.doesNotMatch(text, /attachment/)
    const [run] = await runsOf(schedule.id)
    const download = await owner.get(`/export-schedules/${schedule.id}/runs/${run?.id}/content`)
    assert.deepEqual([download.http, download.text.slice(0, 12)], [200, 'id,order_id,'])
    assert.ok(download.text.length > exportLimits.attachedBytes)
    const name = download.headers.get('content-disposition')
    assert.equal(name, `attachment; filename="payments-${run?.period}.csv"`)
  })
})

describe('to an HTTPS target', () => {
  test('the file is signed, names its schedule and period, and the address stays secret', async () => {
    const { schedule, secret } = await create(posted())
    assert.match(schedule.shownTarget, /^http:\/\/127\.0\.0\.1:\d+\/…$/)
    assert.doesNotMatch((await owner.get('/export-schedules')).text, /secret-path|whsec/)
    await shop.sale({ order_id: 'SCHEDULED-2' })
    const label = await passPeriod()
    const [received] = receiver.received
    assert.ok(received)
    const { headers, raw } = received
    assert.equal(headers['idempotency-key'], `${schedule.id}:${label}`)
    assert.match(headers['content-disposition'] ?? '', new RegExp(`payments-${label}\\.csv`))
    const [id, at] = [String(headers['webhook-id']), Number(headers['webhook-timestamp'])]
    assert.equal(headers['webhook-signature'], webhookSignature(secret ?? '', id, at, raw))
    assert.match(raw, /SCHEDULED-2/)
  })

  test('an attempt that failed is repeated with the same bytes under the same key, whatever happened to the payment', async () => {
    const { schedule } = await create({ ...posted(), columns: ['id', 'status', 'refunded'] })
    const { trans_id } = (await shop.sale({})).body
    receiver.answer = () => ({ status: 500, body: '' })
    await passPeriod()
    const [failing] = await runsOf(schedule.id)
    assert.deepEqual([failing?.state, failing?.fault], ['waiting', 'The answer was HTTP 500.'])
    await shop.followUp('CREDITVOID', trans_id)
    receiver.answer = () => ({ status: 204, body: '' })
    await shop.advance(61_000)
    await shop.service.awaitIdle()
    const mine = receiver.received.filter(({ headers }) => headers['idempotency-key'] !== undefined)
    assert.equal(mine.length, 2)
    assert.equal(mine[0]?.raw, mine[1]?.raw)
    for (const name of ['idempotency-key', 'webhook-id']) assert.equal(mine[0]?.headers[name], mine[1]?.headers[name])
    assert.equal((await runsOf(schedule.id))[0]?.state, 'sent')
  })

  test('a process that dies after the receiver accepted sends once more under the same key, and no period is lost', async () => {
    const { schedule } = await create(posted())
    await shop.base.pool.query(`
      create or replace function not_recorded() returns trigger language plpgsql as $$ begin raise 'Out of order.'; end $$;
      create trigger not_recorded before update on export_runs for each row when (new.state = 'sent') execute function not_recorded()`)
    await passPeriod()
    assert.equal(receiver.received.length, 1)
    assert.equal((await runsOf(schedule.id))[0]?.state, 'waiting')
    await shop.base.pool.query('drop trigger not_recorded on export_runs')
    await shop.base.pool.query('update export_runs set leased_by = -1')
    await shop.service.awaitIdle()
    await passPeriod()
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
    assert.deepEqual([keys.length, new Set(keys).size, keys[0]], [3, 2, keys[1]])
    assert.equal(receiver.received[0]?.raw, receiver.received[1]?.raw)
    assert.deepEqual(
      (await runsOf(schedule.id)).map(({ state }) => state),
      ['sent', 'sent'],
    )
  })

  test('a receiver that never accepts is given up after all attempts, with an alert; it can be run again', async () => {
    const { schedule } = await create(posted())
    receiver.answer = () => ({ status: 503, body: '' })
    const label = await passPeriod()
    await owner.post(`/export-schedules/${schedule.id}/pause`)
    await shop.base.pool.query(`update export_runs set asked_by = 'a test', attempts = $1, next_at = created_at`, [
      limits.mail.retrySeconds.length,
    ])
    await shop.service.awaitIdle()
    const [run] = await runsOf(schedule.id)
    assert.deepEqual([run?.state, run?.fault], ['failed', 'The answer was HTTP 503.'])
    assert.deepEqual(await alertTexts(), [
      `The export Daily of ${label} was not delivered. The answer was HTTP 503. Correct it, then press Run again.`,
    ])
    receiver.answer = () => ({ status: 200, body: '' })
    receiver.received.length = 0
    assert.equal((await owner.post(`/export-schedules/${schedule.id}/run`, { day: label })).http, 200)
    await shop.service.awaitIdle()
    assert.equal(receiver.received[0]?.headers['idempotency-key'], `${schedule.id}:${label}:1`)
  })
})

describe('periods', () => {
  test('periods that passed while no worker ran are sent, oldest first, each with its own payments', async () => {
    const { schedule } = await create(posted())
    for (const worker of shop.service.workers) if (worker.name.startsWith('export')) worker.hold()
    const labels: string[] = []
    for (const order of ['MISSED-1', 'MISSED-2', 'MISSED-3']) {
      await shop.sale({ order_id: order })
      labels.push(await passPeriod())
    }
    assert.equal(receiver.received.length, 0)
    for (const worker of shop.service.workers) if (worker.name.startsWith('export')) worker.resume()
    await shop.service.awaitIdle()
    const files = receiver.received.filter(({ headers }) => headers['idempotency-key'] !== undefined)
    assert.deepEqual(
      files.map(({ headers, raw }) => [headers['idempotency-key'], raw.match(/MISSED-\d/g)]),
      labels.map((label, index) => [`${schedule.id}:${label}`, [`MISSED-${index + 1}`]]),
    )
  })

  test('a clock that was set back repeats no period, and of two workers one plans it', async () => {
    const { schedule } = await create(posted())
    const label = await passPeriod()
    const { pool, ids, clock } = shop.base
    const store = dueScheduleStore(pool, { ids, now: () => clock.now() })
    const earlier = new Date(clock.now().getTime() - 2 * day)
    assert.deepEqual(await store.list(earlier, 10), [])
    const [due] = await store.list(new Date(clock.now().getTime() + day), 10)
    assert.ok(due)
    const [one, next] = [
      firstPeriodDueAfter(times, clock.now()),
      firstPeriodDueAfter(times, new Date(clock.now().getTime() + day)),
    ]
    await Promise.all([store.plan(due, one, next), store.plan(due, one, next)])
    assert.deepEqual((await runsOf(schedule.id)).map(({ period }) => period).toSorted(), [label, one.label])
  })

  test('a paused export is not sent; resumed, it goes on with the next period', async () => {
    const { schedule } = await create(posted())
    assert.equal((await owner.post(`/export-schedules/${schedule.id}/pause`)).http, 200)
    await passPeriod()
    await passPeriod()
    assert.equal(receiver.received.length, 0)
    assert.equal((await owner.post(`/export-schedules/${schedule.id}/resume`)).http, 200)
    await shop.service.awaitIdle()
    assert.equal(receiver.received.length, 0)
    const label = await passPeriod()
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['idempotency-key']),
      [`${schedule.id}:${label}`],
    )
  })

  test('a period is run at once when a person asks, but not before it is over', async () => {
    const { schedule } = await create(posted())
    const ran = await owner.post(`/export-schedules/${schedule.id}/run`, {})
    assert.equal(ran.http, 200, ran.text)
    await shop.service.awaitIdle()
    assert.equal(receiver.received[0]?.headers['idempotency-key'], `${schedule.id}:${ran.body.period}`)
    const today = shop.base.clock.now().toISOString().slice(0, 10)
    const early = await owner.post(`/export-schedules/${schedule.id}/run`, { day: today })
    assert.equal(early.http, 422)
    assert.match(early.body.error.fields[0].text, /is not over/)
    receiver.answer = () => ({ status: 500, body: '' })
    await owner.post(`/export-schedules/${schedule.id}/run`, {})
    await shop.service.awaitIdle()
    assert.equal((await owner.post(`/export-schedules/${schedule.id}/run`, {})).http, 409, 'one is under way')
  })
})

describe('rights', () => {
  const restricted = async () => {
    const demo = await merchantId(shop, 'demo')
    const other = await merchantId(shop, 'demo-dms')
    const person = await panelOf(shop, { role: 'finance', allMerchants: false, merchantIds: [demo, other] })
    return { person, demo, other }
  }

  test('a file has the payments of the owner’s merchants only', async () => {
    const demo = await merchantId(shop, 'demo')
    const person = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    await create(posted(), person)
    await shop.sale({ order_id: 'OWN' })
    await shop.sale({ order_id: 'FOREIGN' }, { merchant: 'demo-dms' })
    await passPeriod()
    const [file] = receiver.received.filter(({ headers }) => headers['idempotency-key'] !== undefined)
    assert.deepEqual([/OWN/.test(file?.raw ?? ''), /FOREIGN/.test(file?.raw ?? '')], [true, false])
  })

  const losses: readonly (readonly [string, string, RegExp])[] = [
    ['is disabled', `update users set status = 'disabled' where id = $1`, /is disabled/],
    ['lost the permission', `update users set role = 'support' where id = $1`, /may no longer export payments/],
    [
      'lost a merchant',
      'delete from user_merchants where ctid in (select ctid from user_merchants where user_id = $1 limit 1)',
      /no longer has access to all of its merchants/,
    ],
  ]
  for (const [what, statement, reason] of losses)
    test(`an owner who ${what} gets nothing: the run is refused, the schedule paused, and an alert raised`, async () => {
      const { person } = await restricted()
      const { schedule } = await create(posted(), person)
      await shop.base.pool.query(statement, [person.person.id])
      await passPeriod()
      await passPeriod()
      assert.equal(receiver.received.length, 0)
      const runs = await runsOf(schedule.id)
      assert.deepEqual([runs.length, runs[0]?.state], [1, 'refused'])
      assert.match(runs[0]?.fault ?? '', reason)
      const { schedules } = (await owner.get('/export-schedules')).body
      assert.match(schedules[0].pauseReason, reason)
      const [alert = '', ...more] = await alertTexts()
      assert.deepEqual([more.length, /was refused, and its schedule is paused/.test(alert)], [0, true])
    })

  test('another user’s export looks like none at all; with all merchants it can be seen and removed', async () => {
    const { person, demo } = await restricted()
    const { schedule } = await create(posted(), person)
    const neighbour = await panelOf(shop, { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] })
    assert.deepEqual((await neighbour.get('/export-schedules')).body.schedules, [])
    const paths = ['pause', 'resume', 'run'].map(
      (verb) => ['POST', `/export-schedules/${schedule.id}/${verb}`] as const,
    )
    for (const [method, path] of [...paths, ['DELETE', `/export-schedules/${schedule.id}`] as const])
      assert.equal((await neighbour.send(method, path, {})).http, 404, path)
    assert.equal((await neighbour.get(`/export-schedules/${schedule.id}/runs`)).http, 404)
    assert.equal((await neighbour.send('PUT', `/export-schedules/${schedule.id}`, posted())).http, 404)
    assert.equal((await owner.send('DELETE', `/export-schedules/${schedule.id}`)).http, 200)
    assert.deepEqual((await person.get('/export-schedules')).body.schedules, [])
  })

  test('a stored file is no longer given to an owner who lost one of its merchants', async () => {
    const { person } = await restricted()
    const { schedule } = await create(posted(), person)
    await passPeriod()
    const [run] = await runsOf(schedule.id, person)
    const path = `/export-schedules/${schedule.id}/runs/${run?.id}/content`
    assert.equal((await person.get(path)).http, 200)
    await shop.base.pool.query(losses[2]?.[1] ?? '', [person.person.id])
    assert.equal((await person.get(path)).http, 404)
  })
})

test('a stored filter with which no search can be made any more is refused with the reason, and nothing is sent', async () => {
  for (const kind of ['payments', 'transactions']) {
    const { schedule } = await create({ ...posted(), kind, name: `Old filter of ${kind}` })
    // As an earlier release saved it, which looked for a stored card alone.
    const filter = `'{"cardId": "0198f7a1-5a0e-7c3e-9d55-0242ac1f0007"}'::jsonb`
    await shop.base.pool.query(`update export_schedules set filter = ${filter} where id = $1`, [schedule.id])
    receiver.received.length = 0
    await passPeriod()
    const [run] = await runsOf(schedule.id)
    assert.equal(run?.state, 'refused')
    assert.match(run?.fault ?? '', /no longer understood: cardId: Give the card’s digits/)
    assert.equal(receiver.received.length, 0)
  }
})

describe('saving', () => {
  test('what cannot be understood is refused, and nothing is saved', async () => {
    const url = (address: string) => ({ kind: 'https', url: address })
    const wrong: readonly (readonly [object, string])[] = [
      [{ filter: { colour: 'red' } }, 'filter'],
      [{ filter: { status: 'PAID' } }, 'filter.status'],
      [{ filter: { amount: '1.999', currency: 'EUR' } }, 'amount'],
      [{ filter: { from: '2026-03-01T00:00:00Z' } }, 'filter.from'],
      [{ columns: ['id', 'card_number'] }, 'columns'],
      [{ columns: [] }, 'columns'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ minuteOfDay: 1440 }, 'minuteOfDay'],
      [{ name: 'Two\nlines' }, 'name'],
      [{ target: { kind: 'mail', addresses: ['books'] } }, 'target'],
      [{ target: { kind: 'mail', addresses: [] } }, 'target'],
      [{ target: url('ftp://files.example.com') }, 'target'],
      [{ target: { kind: 'https' } }, 'target'],
    ]
    for (const [change, field] of wrong) {
      const answer = await owner.post('/export-schedules', { ...mailed, ...change })
      assert.deepEqual([answer.http, answer.body.error.fields[0]?.field], [422, field], JSON.stringify(change))
    }
    assert.deepEqual((await owner.get('/export-schedules')).body.schedules, [])
    await create(mailed)
    assert.equal((await owner.post('/export-schedules', mailed)).body.error.fields[0].field, 'name')
  })

  test('a change keeps the secret and goes on with the same period; each change is in the audit log without the address', async () => {
    const { schedule } = await create(posted())
    const before = (await owner.get('/export-schedules')).body.schedules[0]
    const changed = await owner.send('PUT', `/export-schedules/${schedule.id}`, {
      ...posted(),
      name: 'Every day',
      kind: 'transactions',
      columns: ['type', 'id'],
      target: { kind: 'https' },
    })
    assert.equal(changed.http, 200, changed.text)
    assert.deepEqual(
      [changed.body.secret, changed.body.schedule.nextAt, changed.body.schedule.columns],
      [null, before.nextAt, ['id', 'type']],
    )
    const { trans_id } = (await shop.sale({ auth: 'Y' })).body
    await shop.followUp('CAPTURE', trans_id)
    await passPeriod()
    const [file] = receiver.received.filter(({ headers }) => headers['idempotency-key'] !== undefined)
    assert.deepEqual(
      [...(file?.raw.matchAll(/,(\w+)\r\n/g) ?? [])].map(([, type]) => type),
      ['type', 'AUTH', 'CAPTURE'],
    )
    const { rows } = await shop.base.pool.query(
      `select action, coalesce(before, '') || coalesce(after, '') as text from audit_log where subject = $1 order by seq`,
      [`export-schedule ${schedule.id}`],
    )
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['export-schedule.create', 'export-schedule.change', 'payment.export'],
    )
    assert.ok(rows.every(({ text }) => !/secret-path|whsec/.test(text)))
  })

  test('an owner has a limited number of exports', async () => {
    const { id } = await makeUser(shop)
    const [first] = [await create(mailed)]
    await shop.base.pool.query(
      `insert into export_schedules (id, user_id, name, kind, filter, columns, period, time_zone, minute_of_day, target_kind, addresses,
         shown_target, next_day, next_at, created_at)
       select gen_random_uuid(), user_id, name || n, kind, filter, columns, period, time_zone, minute_of_day, target_kind, addresses,
         shown_target, next_day, next_at, created_at from export_schedules, generate_series(2, $2) n where id = $1`,
      [first?.schedule.id, exportLimits.schedules],
    )
    assert.equal((await owner.post('/export-schedules', { ...mailed, name: 'One more' })).http, 409)
    assert.ok(id)
  })
})
