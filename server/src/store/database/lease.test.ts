/** Leases end with their process. See decisions/processes#leases. */
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { testDatabase } from '../../../test/database.ts'
import { mailStore } from '../instance/mails.ts'
import { processLockClass } from './lease.ts'

const database = await testDatabase()
after(() => database.drop())

const now = new Date('2026-03-01T12:00:00Z')
const parts = { clock: { now: () => now }, ids: { next: () => randomUUID(), random: () => '' } }
const mailsOf = (holder: number | null) => mailStore(database.pool, { ...parts, holder })
const leaseSeconds = 60

/** A process as the others see it: the advisory lock of its number. */
async function living(number: number): Promise<Client> {
  const client = new Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('select pg_advisory_lock($1, $2)', [processLockClass, number])
  return client
}

const claimedBy = async (holder: number | null): Promise<number> =>
  (await mailsOf(holder).claim(now, 10, leaseSeconds)).length

test('a lease holds while its process lives and ends at once when the process is gone', async () => {
  const [one, other] = [randomInt(1, 2 ** 30), randomInt(2 ** 30, 2 ** 31 - 1)]
  const process = await living(one)
  await mailsOf(null).add({ to: 'a@example.com', subject: 'S', text: 'T' })
  assert.equal(await claimedBy(one), 1)
  assert.equal(await claimedBy(other), 0, 'its process lives')
  await process.end()
  for (let tries = 0; (await isHeld(one)) && tries < 100; tries += 1) await database.pool.query('select pg_sleep(0.02)')
  assert.equal(await claimedBy(other), 1, 'its process is gone')
  await database.pool.query('delete from mails')
})

test('a lease without a process holds until it expires', async () => {
  await mailsOf(null).add({ to: 'a@example.com', subject: 'S', text: 'T' })
  assert.equal(await claimedBy(null), 1)
  assert.equal(await claimedBy(7), 0)
  await database.pool.query("update mails set lease_until = clock_timestamp() - interval '1 second'")
  assert.equal(await claimedBy(7), 1)
})

async function isHeld(number: number): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    "select from pg_locks where locktype = 'advisory' and classid = $1 and objid = $2",
    [processLockClass, number],
  )
  return (rowCount ?? 0) > 0
}
