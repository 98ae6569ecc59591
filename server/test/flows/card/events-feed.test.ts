/** The events feed, read with the TypeScript client as a merchant would. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyWebhook, webhookSignature } from '#domain/signature/signature.ts'
import { machineMs } from '#server/process/clock.ts'
import { readCursor } from '#server/protocols/events/cursor.ts'
import { feedPage } from '#server/protocols/events/feed-page.ts'
import { callbackFeed } from '#server/store/callbacks/callback-feed.ts'
import { recoveryStore } from '#server/store/instance/recovery.ts'
import { CallbackError, type FeedEvent, Gatehouse, RefusedError } from '../../../../client/typescript/src/index.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

let merchantId = ''
let secrets: readonly string[] = []
before(async () => {
  const { rows } = await shop.base.pool.query<{ id: string }>("select id from merchants where name = 'demo'")
  merchantId = rows[0]?.id ?? assert.fail()
  const { webhookSecrets } = await shop.service.configuration.readSecrets(merchantId)
  secrets = webhookSecrets.map((secret) => secret.reveal())
})

function client(mode: 'live' | 'test' = 'live', over: object = {}): Gatehouse {
  const { key, test_key, password } = shop.merchant()
  const options = { baseUrl: shop.url, key: mode === 'live' ? key : test_key, password, webhookSecrets: secrets }
  return new Gatehouse({ ...options, retries: 0, ...over })
}

/** Another database of the same server may hold a transaction open, which delays the feed: asks until it has this many. */
async function eventsSince(cursor: string | undefined, atLeast: number, from = client()): Promise<FeedEvent[]> {
  for (let round = 0; ; round += 1) {
    const events = await readAll(from.events.since(cursor))
    if (events.length >= atLeast || round === 100) return events
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function readAll(events: AsyncIterable<FeedEvent>): Promise<FeedEvent[]> {
  const all: FeedEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const orders = (events: readonly FeedEvent[]): readonly unknown[] => events.map(({ fields }) => fields['order_id'])

test('a merchant reads its callbacks in the order of writing, with body, headers and signatures as they were delivered', async () => {
  const { body } = await shop.sale({ order_id: 'FEED-1' })
  await shop.followUp('CREDITVOID', body.trans_id, { amount: '4.00' })
  await shop.sale({ order_id: 'FEED-2' })
  const delivered = await shop.callbacks(body.trans_id)
  const events = await eventsSince(undefined, 3)
  assert.deepEqual(
    events.map(({ sequence, fields }) => [sequence, fields['action'], fields['order_id']]),
    [
      [1, 'SALE', 'FEED-1'],
      [2, 'CREDITVOID', 'FEED-1'],
      [1, 'SALE', 'FEED-2'],
    ],
  )
  assert.deepEqual(
    events.slice(0, 2).map(({ id }) => id),
    delivered.map(({ headers }) => headers['webhook-id']),
  )
  const page = await rawPage()
  assert.equal(page.events[0].body, delivered[0]?.raw)
  const { headers } = page.events[0]
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  assert.ok(
    verifyWebhook(
      secrets[0] ?? '',
      { id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], signature: headers['webhook-signature'] },
      page.events[0].body,
      { nowSeconds: Number(headers['webhook-timestamp']) },
    ),
  )
  assert.deepEqual(
    [page.events[0].payment_id, page.events[0].state, page.has_more],
    [body.trans_id, 'delivered', false],
  )
})

test('a reader continues behind a cursor, and gets nothing twice', async () => {
  const [first, , last] = await eventsSince(undefined, 3)
  assert.deepEqual(orders(await eventsSince(first?.cursor, 2)), ['FEED-1', 'FEED-2'])
  assert.deepEqual(await readAll(client().events.since(last?.cursor)), [])
})

test('a reader that wants no earlier callbacks begins with the last ones, or behind them', async () => {
  const all = await eventsSince(undefined, 3)
  const { events, cursor } = await client().events.last(2)
  assert.deepEqual(
    events.map(({ id }) => id),
    all.slice(-2).map(({ id }) => id),
  )
  const end = await client().events.last(0)
  assert.deepEqual([end.events, end.cursor], [[], cursor])
  const { body } = await shop.sale({ order_id: 'FEED-NEW' })
  const [added] = await eventsSince(end.cursor, 1)
  assert.equal(added?.fields['trans_id'], body.trans_id)
  assert.equal((await client().events.last(500)).events.length, 4)
})

test('live and test mode are apart, and so are merchants', async () => {
  await shop.sale({ order_id: 'FEED-TEST' }, { mode: 'test' })
  assert.deepEqual(orders(await eventsSince(undefined, 1, client('test'))), ['FEED-TEST'])
  assert.deepEqual(orders(await eventsSince(undefined, 4)), ['FEED-1', 'FEED-1', 'FEED-2', 'FEED-NEW'])
  assert.deepEqual(orders((await client().events.last(1)).events), ['FEED-NEW'])
  const page = await feedPage(callbackFeed(shop.base.pool), { ...pageRequest(), merchantId: crypto.randomUUID() })
  assert.deepEqual(page, { events: [], next: null, has_more: false })
})

test('a page never skips a callback whose transaction commits after later ones', async () => {
  const [before] = (await eventsSince(undefined, 4)).slice(-1)
  const writer = await shop.base.pool.connect()
  try {
    await writer.query('begin')
    await writer.query(copyRows, [merchantId, 500, 1])
    await shop.sale({ order_id: 'FEED-LATER' })
    assert.deepEqual(await readAll(client().events.since(before?.cursor)), [])
    assert.equal((await client().events.last(1)).events[0]?.id, before?.id)
    await writer.query('commit')
  } finally {
    writer.release()
  }
  const events = await eventsSince(before?.cursor, 2)
  assert.deepEqual(
    events.map(({ sequence, fields }) => [sequence, fields['order_id']]),
    [
      [500, 'FEED-1'],
      [1, 'FEED-LATER'],
    ],
  )
})

test('a feed of several pages is read to its end', async () => {
  const [before] = (await eventsSince(undefined, 6)).slice(-1)
  await shop.base.pool.query(copyRows, [merchantId, 1000, 1100])
  const events = await eventsSince(before?.cursor, 1100)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: 1100 }, (_, index) => 1000 + index),
  )
  const page = await rawPage(`?after=${before?.cursor}`)
  assert.deepEqual([page.events.length, page.has_more], [500, true])
})

test('a receiver that sees a gap gets the missing callbacks of the payment first', async () => {
  const { body } = await shop.sale({ order_id: 'FEED-GAP' })
  for (const amount of ['1.00', '2.00']) {
    await shop.followUp('CREDITVOID', body.trans_id, { amount })
    await shop.service.awaitIdle()
  }
  const received = await shop.callbacks(body.trans_id)
  const gatehouse = client()
  const [, , last] = received
  const third = await gatehouse.verifyCallback({ headers: last?.headers ?? {}, body: last?.raw ?? '' })
  await eventsSince(undefined, 1109)
  const inOrder = await gatehouse.events.withMissing(third, 0)
  assert.deepEqual(
    inOrder.map(({ sequence }) => sequence),
    [1, 2, 3],
  )
  assert.equal((await gatehouse.events.withMissing(third, 2)).length, 1)
  const beyond = { ...third, sequence: 9 }
  await assert.rejects(gatehouse.events.withMissing(beyond, 3), CallbackError)
})

test('callbacks older than thirty days are left out', async () => {
  const days = 24 * 3_600_000
  const later = (age: number) => ({ ...pageRequest(), now: new Date(shop.base.clock.now().getTime() + age * days) })
  const feed = callbackFeed(shop.base.pool)
  assert.deepEqual(await feedPage(feed, later(31)), { events: [], next: null, has_more: false })
  assert.match(JSON.stringify(await feedPage(feed, later(29))), /FEED-1/)
})

test('a wrong key, signature, time or cursor is refused', async () => {
  const refusal = async (gatehouse: Gatehouse, cursor?: string) => {
    const error: unknown = await readAll(gatehouse.events.since(cursor)).catch((one: unknown) => one)
    return error instanceof RefusedError ? error.violations.map(({ message }) => message) : error
  }
  const wrong = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
  assert.deepEqual(await refusal(client('live', { key: crypto.randomUUID() })), [
    'webhook-key: This value is not correct.',
  ])
  assert.deepEqual(await refusal(client('live', { webhookSecrets: [wrong] })), [
    'webhook-signature: Hash is not valid.',
  ])
  assert.deepEqual(await refusal(client(), 'x'), ['after: This value is not valid.'])
  for (const query of [
    '?last=501',
    '?last=-1',
    '?last=',
    '?last=x',
    `?last=1&after=${(await client().events.last(0)).cursor}`,
  ]) {
    const { http, body } = await shop.send({ path: `/events${query}`, method: 'GET', headers: signedHeaders(query) })
    assert.deepEqual([http, body.errors[0].error_message], [400, 'last: This value is not valid.'], query)
  }
  const bare = await shop.send({ path: '/events', method: 'GET' })
  assert.deepEqual(
    [bare.http, bare.body.errors[0].error_message],
    [400, 'webhook-key: This value should not be blank.'],
  )
  const old = { ...signedHeaders(''), 'webhook-timestamp': '1700000000' }
  assert.equal((await shop.send({ path: '/events', method: 'GET', headers: old })).http, 400)
})

test('after a restore earlier cursors start over, and callbacks of the earlier server are still read', async () => {
  const [last] = (await eventsSince(undefined, 1109)).slice(-1)
  const feed = callbackFeed(shop.base.pool)
  const behindLast = { ...pageRequest(), after: readCursor(last?.cursor ?? '') }
  const bodies = async (): Promise<string> => JSON.stringify(await feedPage(feed, behindLast))
  await shop.base.pool.query("update callbacks set written_in = '9000000000'::xid8 where merchant_id = $1", [
    merchantId,
  ])
  assert.doesNotMatch(await bodies(), /FEED-1/)
  await recoveryStore(shop.base.pool).begin('The database was restored.', shop.base.clock.now())
  await recoveryStore(shop.base.pool).end(shop.base.clock.now())
  assert.match(await bodies(), /FEED-1.*FEED-2/)
})

/** Copies of the callback of FEED-1, with the next identifiers, as if the payment had had more of them. */
const copyRows = `
  insert into callbacks (merchant_id, payment_id, sequence, id, transaction_id, url, content_type, body, state, attempts, retry_seconds,
    created_at, ended_at)
  select merchant_id, payment_id, $2::int + n, uuidv7(), transaction_id, url, content_type, body, state, attempts, retry_seconds,
    created_at, ended_at
  from callbacks, generate_series(0, $3::int - 1) as n
  where merchant_id = $1 and sequence = 1 and body like '%order_id=FEED-1&%' order by n`

const pageRequest = () => ({
  merchantId,
  mode: 'live' as const,
  after: null,
  last: null,
  secrets,
  now: shop.base.clock.now(),
  signedAt: shop.base.clock.now(),
})

function signedHeaders(query: string): Readonly<Record<string, string>> {
  const { key } = shop.merchant()
  const seconds = Math.floor(machineMs() / 1000)
  const signature = webhookSignature(secrets[0] ?? '', key, seconds, `GET /events${query}`)
  return { 'webhook-key': key, 'webhook-timestamp': String(seconds), 'webhook-signature': signature }
}

async function rawPage(query = '') {
  const { body } = await shop.send({ path: `/events${query}`, method: 'GET', headers: signedHeaders(query) })
  return body
}
