/** What `migrate distribute` changes before it calls Citus, on plain PostgreSQL. See decisions/months#claims-across-months. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { monthsAhead, readParts } from '../months/parts.ts'
import { prepareMonths } from '../months/prepare.ts'
import { boundChanges } from '../months/split.ts'
import { openingIn } from '../months/testing/payments-in-months.ts'
import { paymentStore } from '../payments/payments.ts'
import { partPreparation, requireClaims } from './distribute.ts'
import { readSchemaState } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { openPool } from './pool.ts'

const [november, december] = ['2026-11-17T10:00:00Z', '2026-12-03T10:00:00Z']

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('the parts of an instance hold every rule without triggers, and have no keys between them', async () => {
  const { pool } = database
  await prepareMonths(pool, new Date(november))
  await requireClaims(pool)
  for (let times = 0; times < 2; times += 1) await pool.query(partPreparation)
  assert.match(partPreparation, /^do \$do\$[^$]+\$do\$$/, 'one statement')
  const payments = paymentStore(pool)
  const merchantId = randomUUID()
  const rules = [
    [{ merchantId, aloneInOrder: true }, {}, 'duplicate-order'],
    [{ merchantId, sessionId: randomUUID() }, {}, 'session-busy'],
    [{ merchantId }, { useId: randomUUID() }, 'idempotency-clash'],
  ] as const
  for (const [of, use, refusal] of rules) {
    assert.equal(await payments.open(openingIn(november, of, use)), 'opened')
    assert.equal(await payments.open(openingIn(december, of, use)), refusal)
  }
  const { rows } = await pool.query(
    `select conname as name from pg_constraint where contype = 'f' and connamespace = 'months'::regnamespace
     union all select tgname from pg_trigger where tgname like '%\\_claim%' and not tgisinternal`,
  )
  assert.deepEqual(rows, [])
})

/** What Citus executes on tables in parts: one command per statement, and no concurrent detachment. */
const accepted =
  /^(?:create table months\.\w+ \(like public\.\w+ including all\)|lock table [\w, ]+ in access exclusive mode|alter table [\w.]+ (?:(?:attach|detach) partition months\.\w+(?: for values from \([^()]+\) to \([^()]+\))?|drop constraint if exists \w+))$/

test('the months of a distributed database are split off by statements that Citus executes, without keys between parts', async () => {
  const { pool } = database
  const parts = await readParts(pool)
  const now = new Date('2027-01-17T10:00:00Z')
  const part = parts.at(-1) ?? assert.fail()
  const texts = boundChanges({ part, month: new Date('2027-02-01T00:00:00Z'), isDistributed: true })
  assert.deepEqual(
    texts.filter((text) => !accepted.test(text)),
    [],
  )
  assert.equal(texts.length, 5 + 1 + 4 * 5)
  await pool.query(`create table pg_dist_partition as select 'payments'::regclass as logicalrelid`)
  const distributed = openPool(database.url, { max: 3, applicationName: 'distributed' })
  try {
    await paymentStore(distributed).open(openingIn('2027-01-05T10:00:00Z'))
    assert.deepEqual((await prepareMonths(distributed, now))?.made.length, 2)
    const { rows } = await pool.query(
      `select conname from pg_constraint where contype = 'f' and connamespace = 'months'::regnamespace`,
    )
    assert.deepEqual(rows, [])
    assert.equal(monthsAhead(await readParts(pool), now), 2)
  } finally {
    await distributed.end()
  }
})

test('afterwards the release before the claims is refused', async () => {
  const claims = (await readMigrations()).find(({ name }) => name === 'claims')
  assert.equal((await readSchemaState(database.pool)).needed, claims?.number)
})

test('an instance whose claims are not all written is refused, with what to do', async () => {
  const older = await testDatabase()
  try {
    await older.pool.query('update claim_fill set filled_at = null')
    await assert.rejects(requireClaims(older.pool), /claims of earlier payments are not written yet/)
  } finally {
    await older.drop()
  }
})
