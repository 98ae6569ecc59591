import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { DatabaseLine } from '../../../test/hosts/database-line.ts'
import { countSecond } from '../database/connection/watched-client.ts'
import { processLockClass } from '../database/lease.ts'
import { announce, readProcessCount } from './presence.ts'

let database: TestDatabase
let line: DatabaseLine
before(async () => {
  database = await testDatabase()
  line = await DatabaseLine.open(database.url)
})
after(async () => {
  await line.close()
  await database.drop()
})

const log = { debug() {}, info() {}, warn() {}, error() {} }
const number = 4711
const tryEveryMs = 50

const holders = async (): Promise<readonly number[]> => {
  const { rows } = await database.pool.query(
    'select pid from pg_locks where classid = $1 and objid = $2 and granted order by pid',
    [processLockClass, number],
  )
  return rows.map(({ pid }) => pid)
}

async function until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await isDone()) return
    await sleep(10)
  }
  assert.fail(`It did not come about: ${what}`)
}

test('a process whose database vanished is back within 20 seconds with its lock, and reads what it was not told', async (t) => {
  let changes = 0
  const presence = await announce(line.url, number, { announceChange: () => (changes += 1), log, tryEveryMs })
  t.after(() => presence.leave())
  const [former] = await holders()
  line.fallSilent()
  await database.pool.query('notify gatehouse_configuration')

  await sleep(2 * tryEveryMs)
  for (let second = 0; second < 10; second += 1) {
    assert.equal(changes, 0, 'the notification was lost')
    countSecond()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until('everything is read again', () => changes === 1)
  const [now, ...more] = await holders()
  assert.deepEqual(more, [], 'the session that the server still held was ended')
  assert.notEqual(now, former)
  assert.equal(await readProcessCount(database.pool), 1)
  await database.pool.query('notify gatehouse_configuration')
  await until('the next notification arrives', () => changes === 2)
})

test('a connection that answers is kept, however long nothing happens', async (t) => {
  const presence = await announce(line.url, number, { announceChange: () => undefined, log, tryEveryMs })
  t.after(() => presence.leave())
  const before = await holders()
  for (let second = 0; second < 30; second += 1) {
    await sleep(tryEveryMs)
    countSecond()
  }
  assert.deepEqual(await holders(), before)
})
