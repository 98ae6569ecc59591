import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { purges } from '../retention/purges.ts'
import { traceNumberStore } from './trace-numbers.ts'

const database = await testDatabase()
after(() => database.drop())
const numbers = traceNumberStore(database.pool)

test('of many transactions that want one number at the same time exactly one gets it, and gets it again', async () => {
  const ids = Array.from({ length: 20 }, () => randomUUID())
  const first = await Promise.all(ids.map((id) => numbers.reserve('host T1 260301115959 000001', id)))
  assert.equal(first.filter((isReserved) => isReserved).length, 1)
  const again = await Promise.all(ids.map((id) => numbers.reserve('host T1 260301115959 000001', id)))
  assert.deepEqual(again, first)
  assert.equal(await numbers.reserve('host T2 260301115959 000001', randomUUID()), true)
})

test('numbers that are wanted at the same time are reserved by few statements, each for its own transaction', async () => {
  const keys = Array.from({ length: 20 }, (_, index) => `host T3 260301115959 0000${index + 10}`)
  const [taken = ''] = keys
  await numbers.reserve(taken, randomUUID())
  const reserved = await Promise.all(keys.map((key) => numbers.reserve(key, randomUUID())))
  assert.deepEqual(
    reserved,
    keys.map((key) => key !== taken),
  )
  const { rows } = await database.pool.query<{ statements: number }>(
    `select count(distinct xmin::text)::int as statements from trace_numbers where key like 'host T3 %'`,
  )
  assert.ok((rows[0]?.statements ?? 0) <= 4, `${rows[0]?.statements} statements`)
})

test('retention frees a number that is older than its period, and no other', async () => {
  const [old, fresh] = ['host T1 260301115959 000002', 'host T1 260301115959 000003']
  for (const key of [old, fresh]) await numbers.reserve(key, randomUUID())
  await database.pool.query(`update trace_numbers set reserved_at = '2026-01-01T00:00:00Z' where key = $1`, [old])
  const before = new Date('2026-01-02T00:00:00Z')
  const batch = { before, cursor: '', limit: 10, now: before }
  const { removed } = await inTransaction(database.pool, (client) => purges['trace numbers'](client, batch))
  assert.equal(removed, 1)
  assert.equal(await numbers.reserve(old, randomUUID()), true)
  assert.equal(await numbers.reserve(fresh, randomUUID()), false)
})
