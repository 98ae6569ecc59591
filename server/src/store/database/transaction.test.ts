import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import type { PoolClient } from './pool.ts'
import { inTransaction } from './transaction.ts'

const database = await testDatabase()
const { pool } = database
after(() => database.drop())

await pool.query('create table notes (text text primary key)')

async function notes(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ text: string }>('select text from notes order by text')
  return rows.map(({ text }) => text)
}

test('statements of a transaction become visible together, and its result is returned', async () => {
  const result = await inTransaction(pool, async (client) => {
    await client.query("insert into notes values ('a'), ('b')")
    await client.query("delete from notes where text = 'b'")
    return 'done'
  })
  assert.equal(result, 'done')
  assert.deepEqual(await notes(), ['a'])
})

for (const [what, fail] of [
  ['an error of ours', () => Promise.reject(new Error('No.'))],
  ['a refusal by the database', () => pool.query("insert into notes values ('a')")],
] as const) {
  test(`${what} rolls back, and the connection can be used again`, async () => {
    const before = await notes()
    await assert.rejects(
      inTransaction(pool, async (client) => {
        await client.query("insert into notes values ('half')")
        await fail()
      }),
    )
    assert.deepEqual(await notes(), before)
    assert.equal(await inTransaction(pool, async () => 1), 1)
  })
}

test('a connection that breaks inside a transaction is not used again', async () => {
  await assert.rejects(
    inTransaction(pool, async (client) => {
      await client.query("insert into notes values ('lost')")
      await client.query('select pg_terminate_backend(pg_backend_pid())')
    }),
  )
  assert.equal(pool.totalCount - pool.idleCount, 0)
  assert.deepEqual(await notes(), ['a'])
})

test('a nested transaction is part of the outer one, and can be rolled back alone', async () => {
  const add = (text: string) => (client: Pick<PoolClient, 'query'>) =>
    client.query('insert into notes values ($1)', [text])
  const before = await notes()
  await inTransaction(pool, async (client) => {
    await add('outer')(client)
    await inTransaction(client, async (inner) => {
      await inTransaction(inner, add('innermost'))
      await assert.rejects(inTransaction(inner, add('innermost')), /duplicate key/)
    })
    await assert.rejects(
      inTransaction(client, async (inner) => {
        await add('lost')(inner)
        await inTransaction(inner, add('lost with it'))
        throw new Error('No.')
      }),
    )
  })
  assert.deepEqual(await notes(), [...before, 'innermost', 'outer'].toSorted())
  await assert.rejects(
    inTransaction(pool, async (client) => {
      await inTransaction(client, add('gone'))
      throw new Error('No.')
    }),
  )
  assert.ok(!(await notes()).includes('gone'))
})
