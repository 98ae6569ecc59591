/** An import whose database connection ended is recognised, whenever that happened. See decisions/imports#uploads. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { openPool, type Pool } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { endImport, isEndedConnection, noteProgress, readRunningImports } from './running-imports.ts'

let pool: Pool
let drop: () => Promise<void>
before(async () => {
  const database = await testDatabase()
  drop = database.drop
  pool = openPool(database.url, { applicationName: 'test', max: 3 })
})
after(async () => {
  await pool.end()
  await drop()
})

const midId = '0b9af3ff-3ff0-4fff-bfff-fffffffffffe'
const rows = 'x'.repeat(8_000_000)

/** The error of an import whose connection ends before `work`. */
async function failureOf(
  work: (write: () => Promise<unknown>, importId: string) => Promise<unknown>,
): Promise<unknown> {
  const importId = crypto.randomUUID()
  try {
    await inTransaction(pool, async (client) => {
      await noteProgress(client, { importId, midId, phase: 'reading', rows: 0 })
      await work(() => client.query('select length($1)', [rows]), importId)
    })
  } catch (error) {
    return error
  }
  return null
}

test('an import is listed with its ids, phase and rows, and only the one that is named is ended', async () => {
  const ids: readonly string[] = [crypto.randomUUID(), crypto.randomUUID()]
  const clients = await Promise.all(ids.map(() => pool.connect()))
  for (const [index, client] of clients.entries()) {
    await client.query('begin')
    const importId = ids[index] ?? ''
    await noteProgress(client, { importId, midId, phase: 'matching', rows: 123_456_789 })
    client.on('error', () => undefined)
  }
  try {
    const listed = await readRunningImports(pool)
    assert.deepEqual(
      listed.toSorted((one, other) => ids.indexOf(one.importId) - ids.indexOf(other.importId)),
      ids.map((importId) => ({ importId, midId, phase: 'matching', rows: 123_456_789 })),
    )
    assert.equal(await endImport(pool, crypto.randomUUID()), false)
    const gone = new Promise((resolve) => clients[0]?.once('end', resolve))
    assert.equal(await endImport(pool, ids[0] ?? ''), true)
    await gone
    assert.deepEqual(
      (await readRunningImports(pool)).map(({ importId }) => importId),
      ids.slice(1),
    )
  } finally {
    for (const client of clients) client.release(true)
  }
})

test('it is recognised in a statement, between two, and while rows are sent', async () => {
  const failures = [
    await failureOf(async (write, importId) => {
      await endImport(pool, importId)
      await write()
    }),
    await failureOf(async (write, importId) => Promise.all([endImport(pool, importId), write(), write(), write()])),
    // The process does not read that the connection has ended before it writes.
    await failureOf(async (write, importId) => {
      const ended = endImport(pool, importId)
      await new Promise(setImmediate)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      await Promise.all([write(), ended])
    }),
  ]
  for (const failure of failures) assert.equal(isEndedConnection(failure), true, String(failure))
})

for (const code of ['EPIPE', 'ECONNRESET', '57P01'])
  test(`${code} is the end of a connection`, () => {
    assert.equal(isEndedConnection(Object.assign(new Error(`write ${code}`), { code })), true)
  })
