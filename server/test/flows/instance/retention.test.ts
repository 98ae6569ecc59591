/** What the gateway removes automatically, and what it keeps. Chapter 50 §5, "Retention". */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { verifyAudit } from '#server/panel/audit/audit.ts'
import { chargeChain, newSchedule, startChain } from '../../chains.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { openShop, type RequestFields } from '../../shop.ts'

const hour = 3_600_000
const day = 24 * hour

const shop = await openShop({ RETENTION_CARD_DAYS: '100', RETENTION_PAYER_DAYS: '400' }, ['back office', 'retention'])
after(() => shop[Symbol.asyncDispose]())

const { pool } = shop.base

async function one<T>(text: string, params: readonly unknown[] = []): Promise<T> {
  const { rows } = await pool.query(text, [...params])
  assert.equal(rows.length, 1, text)
  return rows[0] as T
}

const countOf = async (table: string, condition = 'true', params: readonly unknown[] = []): Promise<number> =>
  (await one<{ count: number }>(`select count(*)::int as count from ${table} where ${condition}`, params)).count

const purgesOf = async (kind: string): Promise<readonly { removed: string }[]> => {
  const { rows } = await pool.query<{ after: string }>(
    `select after from audit_log where action = 'retention.purge' and actor = 'retention' and subject = $1 order by seq`,
    [`retention ${kind}`],
  )
  return rows.map((row) => JSON.parse(row.after) as { removed: string })
}

const paySettled = async (over: RequestFields = {}): Promise<string> => {
  const { body } = await shop.sale(over)
  assert.equal(body.result, 'SUCCESS', JSON.stringify(body))
  return body.trans_id
}

const cardOf = (transId: string) =>
  one<{ card: string | null }>('select card_id as card from payments where id = $1', [transId])

test('idempotency records are removed a day after their request, and the audit log has the number', async () => {
  const key = { headers: { 'Idempotency-Key': 'K-1' } }
  await shop.sale({}, key)
  await shop.sale({}, { headers: { 'Idempotency-Key': 'K-2' } })
  await shop.advance(23 * hour)
  assert.equal(await countOf('idempotency_keys'), 2)
  await shop.advance(2 * hour)
  assert.equal(await countOf('idempotency_keys'), 0)
  assert.deepEqual(
    (await purgesOf('idempotency keys')).map(({ removed }) => removed),
    ['2'],
  )
})

test('a run that removes nothing writes no entry', async () => {
  const before = await countOf('audit_log')
  await shop.advance(2 * hour)
  assert.equal(await countOf('audit_log'), before)
})

test('limit counters and card tries are kept as long as they are needed, and not much longer', async () => {
  const now = shop.base.clock.now()
  const owner = shop.base.ids.next()
  const ago = (days: number) => new Date(now.getTime() - days * day)
  for (const days of [101, 35])
    await pool.query(`insert into limit_sums values ($1, 'mid day', $2, 'EUR', 1)`, [owner, ago(days)])
  const merchant = (await one<{ id: string }>(`select id from merchants where name = 'demo'`)).id
  const [stale, fresh] = [shop.base.ids.next(), shop.base.ids.next()]
  await pool.query('insert into card_tries values ($1, $2, $3, true)', [merchant, stale, [ago(90), ago(31)]])
  await pool.query('insert into card_tries values ($1, $2, $3, true)', [merchant, fresh, [ago(90), ago(27)]])
  await shop.advance(day)
  assert.equal(await countOf('limit_sums', 'owner = $1', [owner]), 1)
  assert.deepEqual((await pool.query('select card_id as id from card_tries')).rows, [{ id: fresh }])
})

test('a card number is removed when it was not used for its time, and the same card can pay again', async () => {
  const transId = await paySettled({ card_number: '5555555555554444' })
  const { card } = await cardOf(transId)
  await shop.advance(93 * day)
  assert.equal(await countOf('cards', 'id = $1', [card]), 1)
  await shop.advance(14 * day)
  assert.equal(await countOf('cards', 'id = $1', [card]), 0)
  assert.ok((await purgesOf('cards')).length > 0)
  const again = await paySettled({ card_number: '5555555555554444' })
  assert.deepEqual(await cardOf(again), { card })
  assert.equal(await countOf('cards', 'id = $1', [card]), 1)
})

test('a card that was used within its time stays, however long ago it was first seen', async () => {
  const { card } = await cardOf(await paySettled({ card_number: '5555555555554444' }))
  for (const _ of [1, 2, 3]) {
    await shop.advance(60 * day)
    await paySettled({ card_number: '5555555555554444' })
  }
  assert.equal(await countOf('cards', 'id = $1', [card]), 1)
})

test('saved cards, chains and plans keep their numbers, because they are charged for years', async () => {
  const saved = await shop.sale({ req_token: 'Y', card_number: '4601541833776519' })
  assert.ok(saved.body.card_token)
  const chain = await startChain(shop, { card_number: '4111111111111111' })
  const plan = await startChain(shop, {
    card_number: '4111111111111111',
    schedule_id: await newSchedule(shop, { interval_unit: 'year', payments_count: '9' }),
  })
  await shop.advance(300 * day)
  assert.equal((await shop.sale({ card_token: saved.body.card_token })).body.result, 'SUCCESS')
  assert.equal((await chargeChain(shop, chain)).body.result, 'SUCCESS')
  await shop.advance(100 * day)
  const paid = await pool.query('select status from payments where chain_id = $1 and plan_date is not null', [
    plan.recurring_token,
  ])
  assert.deepEqual(paid.rows, [{ status: 'SETTLED' }])
})

test('a payment loses its payer’s data when its time is over, and keeps its amounts', async () => {
  const transId = await paySettled({ payer_country: 'DE', custom_data: undefined })
  const postings = await shop.postings(transId)
  await shop.advance(399 * day)
  assert.equal(
    (await one<{ email: string | null }>('select payer_email as email from payments where id = $1', [transId])).email,
    'doe@example.com',
  )
  await shop.advance(4 * day)
  const row = await one<Record<string, unknown>>('select * from payments where id = $1', [transId])
  assert.deepEqual(
    [row['payer_email'], row['payer_ip'], row['payer'], row['card_id'], row['card_expiry']],
    [null, null, { country: 'DE' }, null, null],
  )
  assert.deepEqual([row['status'], row['card_mask']], ['SETTLED', '411111******1111'])
  assert.ok(row['erased_at'])
  assert.deepEqual(await shop.postings(transId), postings)
  assert.equal(await countOf('callbacks', 'payment_id = $1', [transId]), 0)
  const texts = await pool.query(
    `select payments::text || coalesce((select string_agg(t::text, '') from transactions t where t.payment_id = payments.id), '') as text
     from payments where id = $1`,
    [transId],
  )
  assert.doesNotMatch(String(texts.rows[0]?.text), /Doe|John|199999999|203\.0\.113\.7/)
  assert.ok((await purgesOf('payers')).length > 0)
})

test('unfinished business keeps its payer: an undelivered callback, a chain that is still charged', async () => {
  const chain = await startChain(shop)
  const untold = await paySettled()
  await shop.service.awaitIdle()
  await pool.query(`update callbacks set state = 'due', next_at = $2 where payment_id = $1`, [
    untold,
    new Date(shop.base.clock.now().getTime() + 3650 * day),
  ])
  const emailOf = async (id: string) =>
    (await one<{ email: string | null }>('select payer_email as email from payments where id = $1', [id])).email
  for (const _ of [1, 2]) {
    await shop.advance(250 * day)
    assert.equal((await chargeChain(shop, chain)).body.result, 'SUCCESS')
  }
  assert.equal(await emailOf(untold), 'doe@example.com')
  assert.equal(await emailOf(chain.recurring_init_trans_id), 'doe@example.com')
  // Once delivered, it is found when the next pass begins.
  await pool.query(`update callbacks set state = 'delivered', next_at = null where payment_id = $1`, [untold])
  await shop.advance(95 * day)
  assert.equal(await emailOf(untold), null)
})

test('an unpaid session is removed, and a card number entered into its fields is removed much earlier', async () => {
  const client = new CheckoutClient(shop)
  const { body } = await client.session()
  assert.ok(body.redirect_url, JSON.stringify(body))
  const { id } = await one<{ id: string }>('select id from sessions order by created_at desc limit 1')
  await pool.query(`update sessions set fields_sealed = '\\x01' where id = $1`, [id])
  await shop.advance(2 * day)
  assert.equal(await countOf('sessions', 'id = $1 and fields_sealed is null', [id]), 1)
  await shop.advance(90 * day)
  assert.equal(await countOf('sessions', 'id = $1', [id]), 0)
})

test('the hash chain of the audit log is intact after all of it', async () => {
  assert.deepEqual((await verifyAudit(pool)).faults, [])
})
