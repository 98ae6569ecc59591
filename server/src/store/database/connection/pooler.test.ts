import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { emptyTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { openPool } from '../pool.ts'
import { requireSessions } from './pooler.ts'

const program = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))
const skip = program === undefined && 'pgbouncer is not installed'

test('a direct connection to the server is accepted, also for many parallel checks', async (t) => {
  const { url } = await database(t)
  const pools = Array.from({ length: 4 }, () => openPool(url, { max: 2, applicationName: 'direct' }))
  await Promise.all(pools.map(requireSessions))
  await Promise.all(pools.map((pool) => pool.end()))
})

test('a pooler in session mode is accepted', { skip }, async (t) => {
  const pool = openPool(await pooled(t, 'session'), { max: 2, applicationName: 'pooled' })
  await requireSessions(pool)
  await pool.end()
})

test('a pooler in transaction mode is refused with the setting to use instead', { skip }, async (t) => {
  const pool = openPool(await pooled(t, 'transaction'), { max: 2, applicationName: 'pooled' })
  await assert.rejects(requireSessions(pool), {
    name: 'StartupError',
    message: /connection pooler in transaction mode/,
    remedy: /the database server, or use session mode/,
  })
  await pool.end()
})

async function database(t: TestContext): Promise<TestDatabase> {
  const testDatabase = await emptyTestDatabase()
  t.after(() => testDatabase.drop())
  return testDatabase
}

/** The address of a database behind pgbouncer. */
async function pooled(t: TestContext, mode: 'session' | 'transaction'): Promise<string> {
  const { url } = await database(t)
  const [, user = '', password = '', name = '', query = ''] =
    /^postgres:\/\/([^:@]+):?([^@]*)@\/(\w+)\?(.*)$/.exec(url) ?? []
  const server = new URLSearchParams(query).get('host') ?? assert.fail('The server of the tests has no socket.')
  const folder = mkdtempSync(join(tmpdir(), 'gh-pooler-'))
  const settings = `[databases]
${name} = host=${server} dbname=${name} user=${user} password=${password}
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
`
  writeFileSync(join(folder, 'pgbouncer.ini'), settings)
  // pgbouncer does not run as root, and the server's socket is open to the server's own account alone.
  const { uid, gid } = statSync(server)
  const account = process.getuid?.() === 0 ? { uid, gid } : {}
  if (process.getuid?.() === 0) for (const path of [folder, join(folder, 'pgbouncer.ini')]) chownSync(path, uid, gid)
  const child = spawn(program ?? '', [join(folder, 'pgbouncer.ini')], { ...account, stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  for (let tries = 0; !existsSync(join(folder, '.s.PGSQL.6432')); tries += 1) {
    assert.ok(tries < 500 && child.exitCode === null, 'pgbouncer does not start.')
    await sleep(20)
  }
  return `postgres://${user}@/${name}?host=${encodeURIComponent(folder)}&port=6432`
}
