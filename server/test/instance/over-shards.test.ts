/**
 * What the panel reads over all merchants of a distributed database: the same rows, by statements that Citus can run. See
 * decisions/shards#plans-with-values.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { errors } from '#domain/errors.ts'
import { feedPage } from '#server/protocols/events/feed-page.ts'
import { callbackFeed } from '#server/store/callbacks/callback-feed.ts'
import { searchCallbacks } from '#server/store/callbacks/callback-search.ts'
import { isDistributed } from '#server/store/database/buckets.ts'
import { openPool, type Pool } from '#server/store/database/pool.ts'
import { brokenRules } from '#server/store/database/testing/citus-rules.ts'
import { lowestId } from '#server/store/months/month-bounds.ts'
import { findBeginningOfNewest } from '#server/store/payments/newest-payments.ts'
import { searchPayments } from '#server/store/payments/search/payment-search.ts'
import { readPageFunnel } from '#server/store/sessions/page-funnel.ts'
import { insertCallback, insertPayment } from '../callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../database.ts'

const merchants = Array.from({ length: 3 }, () => randomUUID())
const mid = randomUUID()
const [first = '', second = ''] = merchants
const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')]

let database: TestDatabase
let distributed: Pool
before(async () => {
  database = await testDatabase()
  const { pool, url } = database
  await pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
     select id, 'merchant-' || id, 'M', gen_random_uuid(), gen_random_uuid(), '', '', now() from unnest($1::uuid[]) as id`,
    [merchants],
  )
  for (const [index, merchantId] of [...merchants, ...merchants, first].entries()) {
    const payment = await insertPayment(pool, { merchantId })
    const [paymentId, sessionId] = [idOf(index), idOf(index, 'b')]
    const status = index % 2 === 0 ? 'SETTLED' : 'DECLINED'
    await pool.query(
      `update payments set id = $2, status = $3, session_id = $4, created_at = $5, mid_id = $6, payer = '{"last_name": "Doe"}', facts = '{"network": "VISA"}' where id = $1`,
      [payment.paymentId, paymentId, status, sessionId, momentOf(index), mid],
    )
    await insertCallback(pool, { merchantId, paymentId }, { url: 'https://shop.example/notify', at: momentOf(index) })
    await pool.query(
      `insert into sessions (merchant_id, id, kind, operation, test, order_id, request, first_payment, attempts, expires_at, created_at, updated_at)
       values ($1, $2, 'page', 'purchase', false, 'ORDER', '{}', $2, $3, $4, $4, $4)`,
      [merchantId, sessionId, index % 3 === 0 ? 0 : 1, momentOf(index)],
    )
  }
  assert.equal(await isDistributed(pool), false)
  await pool.query(`create table pg_dist_partition as select 'payments'::regclass as logicalrelid`)
  distributed = openPool(url, { max: 2, applicationName: 'distributed' })
  assert.equal(await isDistributed(distributed), true)
})
after(async () => {
  await distributed.end()
  await database.drop()
})

/** Identifiers of payments and of sessions, with the time of their moment. */
const idOf = (index: number, kind = 'a'): string => lowestId(momentOf(index)).replace(/0$/, kind)
const momentOf = (index: number): Date => new Date(Date.UTC(2026, 5, 1, index))

test('the events feed is refused, with what to use instead: transactions of several servers have no common order', async () => {
  const secrets: readonly string[] = []
  const page = {
    merchantId: first,
    mode: 'live',
    after: null,
    last: null,
    secrets,
    now: momentOf(2),
    signedAt: momentOf(2),
  } as const
  assert.ok('events' in (await feedPage(callbackFeed(database.pool), page)))
  await assert.rejects(feedPage(callbackFeed(distributed), page), {
    refusal: errors.noEventsFeed,
    message: /callbacks.*status of a payment/,
  })
})

const scopes = [null, [first], [first, second], []]
type Read = (on: Pool, merchantIds: readonly string[] | null) => Promise<unknown>

// biome-ignore format: a table is read in columns.
const reads: readonly (readonly [name: string, read: Read])[] = [
  ['payments by status',      (on, scope) => searchPayments(on, { status: 'SETTLED' }, scope, 3)],
  ['payments by several MIDs', (on, scope) => searchPayments(on, { midIds: [mid, randomUUID()] }, scope, 3)],
  ['payments by protocol',    (on, scope) => searchPayments(on, { protocol: 'S2S_CARD' }, scope, 3)],
  ['payments by last name',   (on, scope) => searchPayments(on, { lastName: 'Do' }, scope, 3)],
  ['payments by network',     (on, scope) => searchPayments(on, { network: 'VISA' }, scope, 3)],
  ['the newest payments',     (on, scope) => findBeginningOfNewest(on, { from, to, merchantIds: scope, mode: null }, 1)],
  ['callbacks',               (on, scope) => searchCallbacks(on, { merchantIds: scope, state: 'due', limit: 4 })],
  ['callbacks of a mode',     (on, scope) => searchCallbacks(on, { merchantIds: scope, test: false, limit: 2 })],
  ['the funnel of the page',  (on, scope) => readPageFunnel(on, { from, to, now: to, mode: 'live', merchantIds: scope })],
]

for (const [name, read] of reads)
  test(`${name}: a distributed database answers as one server does, by statements that Citus runs`, async (t) => {
    const sent = t.mock.method(distributed, 'query')
    const answers = []
    for (const scope of scopes) {
      const answer = await read(distributed, scope)
      assert.deepEqual(answer, await read(database.pool, scope), String(scope))
      answers.push(answer)
    }
    assert.notDeepEqual(answers[0], answers.at(-1), 'there is something to find')
    const texts = sent.mock.calls.map(({ arguments: [text] }) => String(text))
    assert.deepEqual(texts.flatMap(brokenRules), [])
  })
