/** Dumps on a server whose client programs are installed: a dump of one database restored into another, and verified. */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '#server/store/database/pool.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { readStandbyState } from '#server/store/instance/replication.ts'
import { ArchivedServer, missingServer } from '../../../campaigns/releases/archived-server.ts'
import { withDatabase } from '../../backup/verification.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

test('a dump is verified, restored into an empty database, and begins recovery', {
  skip: missingServer() ?? false,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-dump-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const server = await ArchivedServer.open(folder)
  t.after(() => server.close())
  const pool = openPool(server.url, { max: 1, applicationName: 'gatehouse test' })
  t.after(() => pool.end())
  await instanceStore(pool).claimMode('sandbox')
  await pool.query('create database elsewhere')
  const backups = join(folder, 'dumps')
  await mkdir(backups)
  const run = async (url: string, ...words: readonly string[]) => {
    const ran = await runGatehouse(words, { environment: { DATABASE_URL: url, DATA_DIR: folder, PORT: '0' } })
    return { ...ran, text: `${ran.out}\n${ran.err}` }
  }
  const succeed = async (...words: Parameters<typeof run>) => {
    const ran = await run(...words)
    assert.equal(ran.code, 0, ran.text)
    return ran
  }
  const key = join(folder, 'dump.key')
  const { out: recipient } = await succeed(server.url, 'backup', 'key', key)
  await succeed(server.url, 'merchant', 'create', 'acme', '--title', 'Acme')
  await pool.query(
    `insert into session_codes (merchant_id, session_id, sealed, expires_at) values (gen_random_uuid(), gen_random_uuid(), 'code', now())`,
  )
  await succeed(server.url, 'backup', 'create', backups, '--to', recipient)
  const [name = ''] = await readdir(backups)
  const file = join(backups, name)
  const verified = await succeed(server.url, 'backup', 'verify', file, '--key', key, '--json')
  assert.deepEqual([verified.json.payments, verified.json.faults], [0, []])
  const { rows } = await pool.query<{ datname: string }>(
    `select datname from pg_database where datname like '%verify%'`,
  )
  assert.deepEqual(rows, [], 'the temporary database is dropped')

  await t.test('a replication slot whose standby is gone is a missing standby', async () => {
    const none = { connected: 0, missing: 0, lost: 0, secondsBehind: null, isHidden: false }
    assert.deepEqual(await readStandbyState(pool), none)
    await pool.query(`select pg_create_physical_replication_slot('gone')`)
    assert.deepEqual(await readStandbyState(pool), { ...none, missing: 1 })
    await pool.query(`select pg_drop_replication_slot('gone')`)
  })

  await t.test('a damaged dump is refused and leaves the database empty', async () => {
    const bytes = await readFile(file)
    const damaged = join(folder, 'damaged.age')
    await writeFile(damaged, bytes.subarray(0, bytes.length - 20))
    const { code, text } = await run(withDatabase(server.url, 'elsewhere'), 'restore', 'load', damaged, '--key', key)
    assert.equal(code, 1)
    assert.match(text, /changed or ends too early/)
  })

  const target = withDatabase(server.url, 'elsewhere')
  await succeed(target, 'restore', 'load', file, '--key', key)
  assert.match((await succeed(target, 'merchant', 'list')).out, /acme/)
  const status = await succeed(target, 'restore', 'status', '--json')
  assert.deepEqual(status.json.state, 'recovery')
  assert.match((await succeed(target, 'audit', 'export')).out, /recovery\.load/)
  const copy = openPool(target, { max: 1, applicationName: 'gatehouse test' })
  const codes = await copy.query('select from session_codes')
  await copy.end()
  assert.equal(codes.rowCount, 0, 'verification codes are in no dump')
})
