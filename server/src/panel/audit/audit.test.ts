import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { secret } from '#domain/secret.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { inTransaction } from '../../store/database/transaction.ts'
import { listAuditPage } from '../../store/people/audit-log.ts'
import { difference, note, noteAlone, verifyAudit } from './audit.ts'
import { chainBeginning, hashOf } from './audit-chain.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = { now: () => new Date('2026-03-01T12:00:00.123Z') }
const actor = { label: 'ann@example.com', address: '203.0.113.7' }
const entry = (subject: string) => ({
  action: 'test.do',
  subject,
  merchantId: null,
  before: { a: 1 },
  after: { a: 2n },
})

/** Rows as `note` writes them, for a log that has grown for years. */
function writeEntries(count: number): readonly object[] {
  let previousHash = chainBeginning
  return Array.from({ length: count }, (_, index) => {
    const texts = { actor: actor.label, action: 'test.do', subject: `old ${index}`, before: null, after: '{"a":2}' }
    const seq = BigInt(index + 1)
    const at = clock.now().toISOString()
    const previous_hash = previousHash
    previousHash = hashOf({ ...texts, seq, at, merchantId: null, address: null, previousHash })
    return { ...texts, seq: String(seq), at, previous_hash, hash: previousHash }
  })
}

test('ten thousand entries verify, and one changed byte among them is found', async () => {
  const { pool } = database
  await pool.query(`insert into audit_log select * from jsonb_populate_recordset(null::audit_log, $1)`, [
    JSON.stringify(writeEntries(9_900)),
  ])
  await inTransaction(pool, async (client) => {
    for (let index = 0; index < 100; index += 1) await note(client, clock, actor, entry(`thing ${index}`))
  })
  const sound = await verifyAudit(pool)
  assert.equal(sound.count, 10_000)
  assert.deepEqual(sound.faults, [])

  await assert.rejects(pool.query(`update audit_log set actor = 'eve' where seq = 7`), /append-only/)
  await assert.rejects(pool.query('delete from audit_log where seq = 7'), /append-only/)
  await assert.rejects(pool.query('truncate audit_log'), /append-only/)

  // An attacker who owns the database could do this.
  await pool.query('alter table audit_log disable trigger user')
  await pool.query(`update audit_log set after = replace(after, '2', '3') where seq = 4711`)
  const broken = await verifyAudit(pool)
  assert.deepEqual(
    broken.faults.map(({ seq }) => seq),
    [4711n],
  )
  await pool.query(`update audit_log set after = replace(after, '3', '2') where seq = 4711`)
  await pool.query('alter table audit_log enable trigger user')
  assert.deepEqual((await verifyAudit(pool)).faults, [])
})

test('entries written in parallel form one chain', async () => {
  const before = (await verifyAudit(database.pool)).count
  await Promise.all(Array.from({ length: 40 }, (_, index) => noteAlone(database.pool, clock, actor, entry(`${index}`))))
  const chain = await verifyAudit(database.pool)
  assert.deepEqual(chain.faults, [])
  assert.equal(chain.count, before + 40)
})

test('an entry is rolled back with its change', async () => {
  const before = (await verifyAudit(database.pool)).count
  const undone = inTransaction(database.pool, async (client) => {
    await note(client, clock, actor, entry('undone'))
    throw new Error('no')
  })
  await assert.rejects(undone, /no/)
  assert.equal((await verifyAudit(database.pool)).count, before)
})

test('neither secrets nor card numbers get into an entry', async () => {
  const details = { password: secret('hunter2'), text: 'card 4111 1111 1111 1111 it was' }
  await noteAlone(database.pool, clock, actor, { ...entry('secret'), after: details })
  const { rows } = await database.pool.query(`select after from audit_log where subject = 'secret'`)
  assert.ok(!rows[0].after.includes('hunter2'))
  assert.ok(!/4111.?1111/.test(rows[0].after))
})

test('a change is recorded by the fields that differ', () => {
  const before = { name: 'a', list: ['x'], amount: 1n, same: null }
  assert.deepEqual(difference(before, { ...before, list: ['x', 'y'], amount: 2n }), {
    before: { list: ['x'], amount: 1n },
    after: { list: ['x', 'y'], amount: 2n },
  })
})

test('a search for the command line finds all its users, and one of them by name', async () => {
  const { pool } = database
  for (const label of ['command line (ann@desk)', 'command line (bob@desk)', 'command liner'])
    await noteAlone(pool, clock, { label, address: null }, entry('filter'))
  const actors = async (wanted: string) =>
    (await listAuditPage(pool, { actor: wanted, merchantIds: null }, null, 10)).map(({ actor: found }) => found)
  assert.deepEqual(await actors('command line'), ['command line (bob@desk)', 'command line (ann@desk)'])
  assert.deepEqual(await actors('command line (ann@desk)'), ['command line (ann@desk)'])
})

test('entries are found by an action, or by what the action is on', async () => {
  const { pool } = database
  for (const action of ['found.create', 'found.change', 'foundling.change'])
    await noteAlone(pool, clock, actor, { ...entry('thing'), action })
  const actionsFor = async (action: string) =>
    (await listAuditPage(pool, { action, merchantIds: null }, null, 10)).map((row) => row.action)
  assert.deepEqual(await actionsFor('found'), ['found.change', 'found.create'])
  assert.deepEqual(await actionsFor('found.create'), ['found.create'])
})
