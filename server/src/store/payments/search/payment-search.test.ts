import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { readPaymentFigures } from '../payment-figures.ts'
import type { PaymentFilter } from './payment-conditions.ts'
import { countPayments, paymentSearch, searchPayments } from './payment-search.ts'

const minute = 60_000
const hour = 60 * minute
/** A third of the payments are of the month before. */
const start = Date.parse('2026-02-28T00:00:00Z')
const merchantIds = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
const midIds = [5, 6, 7].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

/**
 * One payment every quarter of an hour, with values derived from its number. Every fifth is a session's first payment, made hours after its
 * id.
 */
const rows = Array.from({ length: 300 }, (_, n) => {
  const at = start + n * 15 * minute
  const isOfSession = n % 5 === 3
  return {
    id: `${at
      .toString(16)
      .padStart(12, '0')
      .replace(/^(.{8})/, '$1-')}-7000-8000-${n.toString().padStart(12, '0')}`,
    merchantId: merchantIds[n % 7 < 4 ? 0 : n % 3],
    midId: midIds[n % 11 === 0 ? 1 : 0],
    status: n % 13 === 0 ? 'CHARGEBACK' : n % 2 === 0 ? 'SETTLED' : 'DECLINED',
    currency: n % 7 < 4 && n % 3 === 0 ? 'JPY' : 'EUR',
    amountMinor: BigInt(100 * (n % 17)),
    orderId: `ORDER-${Math.floor(n / 2)}`,
    payerEmail: `Payer${n % 40}@example.com`,
    cardMask: `411111******000${n % 10}`,
    lastName: `Doe${n % 20}`,
    payerIp: `203.0.113.${n % 5}`,
    tag: n % 6 === 0 ? 'called' : null,
    createdAt: new Date(at + (isOfSession ? (n % 12) * hour : 0)),
    isOfSession,
  }
})

let database: TestDatabase
before(async () => {
  database = await testDatabase()
  await database.pool.query(
    `insert into merchants (id, name, title, key, test_key, password_sealed, webhook_secrets_sealed, created_at)
     select id, 'merchant-' || id, 'M', gen_random_uuid(), gen_random_uuid(), '', '', now() from unnest($1::uuid[]) as id`,
    [merchantIds],
  )
  for (const row of rows) {
    await database.pool.query(
      `insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor,
         amount_decimals, currency, mid_id, first_transaction, created_at, updated_at, session_id, payer_email,
         card_mask, payer, payer_ip)
       values ($1, $2, 'S2S_CARD', 'SALE', 'sale', $3, false, false, $4, 'x', $5, 2, $6, $7, $2, $8, $8, case when $9 then $2::uuid end, $10,
         $11, jsonb_build_object('last_name', $12::text), $13)`,
      [
        row.merchantId,
        row.id,
        row.status,
        row.orderId,
        row.amountMinor,
        row.currency,
        row.midId,
        row.createdAt,
        row.isOfSession,
        row.payerEmail,
        row.cardMask,
        row.lastName,
        row.payerIp,
      ],
    )
    if (row.tag)
      await database.pool.query(
        `insert into payment_tags (merchant_id, payment_id, tag, author, tagged_at) values ($1, $2, $3, 'test', $4)`,
        [row.merchantId, row.id, row.tag, row.createdAt],
      )
  }
})
after(() => database.drop())

const moment = fc.integer({ min: -20, max: 95 }).map((hours) => new Date(start + hours * hour))
const amount = fc.integer({ min: 0, max: 17 }).map((n) => BigInt(n * 100))
const values = fc.record({
  merchantId: fc.constantFrom(...merchantIds),
  midId: fc.constantFrom(...midIds),
  midIds: fc.subarray(midIds),
  status: fc.constantFrom('CHARGEBACK', 'SETTLED', 'VOID'),
  currency: fc.constantFrom('EUR', 'JPY'),
  orderId: fc.constantFrom('ORDER-7', 'order-10', 'ORDER_7', '%'),
  lastFour: fc.constantFrom('0003', '0099'),
  lastName: fc.constantFrom('DOE1', 'doe', 'Do%'),
  payerIp: fc.constantFrom('203.0.113.2', '203.0.113.9'),
  tag: fc.constantFrom('called', 'never-used'),
  protocol: fc.constantFrom('S2S_CARD', 'S2S_APM'),
  amountBy: fc.constantFrom('{"EUR":"1200","JPY":"300"}', '{"EUR":"1"}'),
  amountMinBy: fc.constantFrom('{"EUR":"1200","JPY":"300"}'),
  payerEmail: fc.constantFrom('payer7@example.com', 'PAYER8@example.com'),
  amountFrom: amount,
  amountTo: amount,
  from: moment,
  to: moment,
})
const names = [
  'merchantId',
  'midId',
  'midIds',
  'status',
  'currency',
  'orderId',
  'lastFour',
  'lastName',
  'payerIp',
  'tag',
  'protocol',
  'amountBy',
  'amountMinBy',
  'payerEmail',
  'amountFrom',
  'amountTo',
  'from',
  'to',
] as const
/** Few filters at once, because many would leave hardly any payment. */
const filters: fc.Arbitrary<PaymentFilter> = fc
  .tuple(values, fc.subarray([...names], { maxLength: 3 }))
  .map(([all, chosen]) => Object.fromEntries(chosen.map((name) => [name, all[name]])))
const scopes = fc.option(fc.subarray(merchantIds))

/** The same search, written in the plainest way. */
function expected(filter: PaymentFilter, scope: readonly string[] | null): readonly string[] {
  const {
    merchantId,
    midId,
    midIds: among,
    status,
    currency,
    orderId,
    lastFour,
    lastName,
    payerIp,
    tag,
    protocol,
    amountBy,
    amountMinBy,
    payerEmail,
    amountFrom,
    amountTo,
    from,
    to,
  } = filter
  return rows
    .filter((row) => scope === null || scope.includes(row.merchantId ?? ''))
    .filter((row) => merchantId === undefined || row.merchantId === merchantId)
    .filter((row) => midId === undefined || row.midId === midId)
    .filter((row) => !Array.isArray(among) || among.includes(row.midId))
    .filter((row) => status === undefined || row.status === status)
    .filter((row) => currency === undefined || row.currency === currency)
    .filter((row) => typeof orderId !== 'string' || row.orderId.toLowerCase().startsWith(orderId.toLowerCase()))
    .filter((row) => typeof lastFour !== 'string' || row.cardMask.endsWith(lastFour))
    .filter((row) => typeof lastName !== 'string' || row.lastName.toLowerCase().startsWith(lastName.toLowerCase()))
    .filter((row) => typeof payerIp !== 'string' || row.payerIp === payerIp)
    .filter((row) => tag === undefined || row.tag === tag)
    .filter(() => protocol === undefined || protocol === 'S2S_CARD')
    .filter((row) => typeof amountBy !== 'string' || String(row.amountMinor) === JSON.parse(amountBy)[row.currency])
    .filter(
      (row) => typeof amountMinBy !== 'string' || row.amountMinor >= BigInt(JSON.parse(amountMinBy)[row.currency]),
    )
    .filter((row) => typeof payerEmail !== 'string' || row.payerEmail.toLowerCase() === payerEmail.toLowerCase())
    .filter((row) => typeof amountFrom !== 'bigint' || row.amountMinor >= amountFrom)
    .filter((row) => typeof amountTo !== 'bigint' || row.amountMinor <= amountTo)
    .filter((row) => !(from instanceof Date) || row.createdAt >= from)
    .filter((row) => !(to instanceof Date) || row.createdAt < to)
    .map(({ id }) => id)
    .toReversed()
}

// So few payments are all among the newest of the usual sizes; with smaller ones the months are read.
for (const [sizes, search] of [
  ['usual sizes', searchPayments],
  ['small sizes', paymentSearch({ recent: 20, fewOfMonth: 5, rare: 5 })],
] as const)
  test(`${sizes}: any combination of filters and merchants finds exactly the matching payments, newest first, across pages`, async () => {
    await fc.assert(
      fc.asyncProperty(filters, scopes, fc.integer({ min: 3, max: 60 }), async (filter, scope, limit) => {
        const found: string[] = []
        for (;;) {
          const last = found.at(-1)
          const page = await search(database.pool, { ...filter, before: last }, scope, limit)
          found.push(...page.map(({ id }) => id))
          if (page.length < limit) break
        }
        assert.deepEqual(found, expected(filter, scope))
        assert.equal(await countPayments(database.pool, filter, scope), BigInt(found.length))
      }),
      { numRuns: 150 },
    )
  })

test('a search inside a transaction leaves the planner as it was', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await paymentSearch({ recent: 1, fewOfMonth: 1, rare: 1 })(client, { payerIp: '203.0.113.2' }, null, 10)
    const { rows } = await client.query(
      `select name from pg_settings where name like 'enable\\_%scan' and setting = 'off'`,
    )
    assert.deepEqual(rows, [])
    await client.query('rollback')
  } finally {
    client.release()
  }
})

test('the figures of a range count the payments that the search finds in it', async () => {
  await fc.assert(
    fc.asyncProperty(moment, moment, scopes, async (from, to, scope) => {
      const range = { from, to, merchantIds: scope, mode: null, bucket: 'hour', zone: 'UTC' } as const
      const figures = await readPaymentFigures(database.pool, range)
      const totals = figures.filter(({ kind }) => kind === 'total').reduce((sum, { payments }) => sum + payments, 0)
      assert.equal(totals, expected({ from, to }, scope).length)
    }),
    { numRuns: 40 },
  )
})
