/** A server whose log is archived: the archive is cleaned, and every kept base backup still restores. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '#server/store/database/pool.ts'
import { ArchivedServer, missingServer } from '../../campaigns/releases/archived-server.ts'

test('after the archive was cleaned, a kept base backup restores to a moment', {
  skip: missingServer() ?? false,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-cleaning-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await ArchivedServer.open(folder)
  t.after(() => server.close())
  const write = async (what: string): Promise<void> => {
    const pool = openPool(server.url, { max: 1, applicationName: 'gatehouse test' })
    await pool.query('create table if not exists written (what text primary key)')
    await pool.query('insert into written values ($1)', [what])
    await pool.end()
    await server.archive()
  }
  const segments = async () => (await readdir(server.archiveFolder)).filter((name) => /^[0-9A-F]{24}\.age$/.test(name))
  const clean = (...options: readonly string[]) =>
    server.gatehouse(['backup', 'wal-clean', server.archiveFolder, '--bases', server.backupFolder, ...options])

  for (const what of ['a', 'b', 'c']) await write(what)
  await server.takeBaseBackup()
  await write('d')
  const moment = await server.moment()
  await write('e')
  const all = await segments()
  const listed = (await clean('--dry-run')).trim().split('\n')
  assert.deepEqual(await segments(), all)
  await clean()
  const left = await segments()
  assert.ok(listed.length >= 3 && left.length >= 2, 'some are outdated and some are needed')
  assert.deepEqual(
    [...listed, ...left.map((name) => name.slice(0, 24))].toSorted(),
    all.map((name) => name.slice(0, 24)).toSorted(),
  )

  await server.restoreTo(moment)
  const pool = openPool(server.url, { max: 1, applicationName: 'gatehouse test' })
  t.after(() => pool.end())
  const { rows } = await pool.query<{ what: string }>('select what from written order by what')
  assert.deepEqual(
    rows.map(({ what }) => what),
    ['a', 'b', 'c', 'd'],
  )
})
