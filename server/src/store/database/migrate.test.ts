import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { emptyTestDatabase } from '../../../test/database.ts'
import { migrate, readSchemaState } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { openPool, type Pool } from './pool.ts'

const people = { '0001_people.sql': 'create table people (id int primary key);' }
const names = {
  ...people,
  '0002_names.sql': 'alter table people add name text; insert into people values (1, $$Ada$$);',
}

test('migrations are applied once, in order, and recorded with name and checksum', async (t) => {
  const { pool, release } = await setting(t)
  const directory = await release(names)

  const applied = await migrate(pool, { directory })
  assert.deepEqual(
    applied.map(({ file }) => file),
    Object.keys(names),
  )
  assert.deepEqual(await migrate(pool, { directory }), [])

  const { rows } = await pool.query(
    'select number, name, checksum, applied_at <= now() as past from schema_migrations order by 1',
  )
  const checksums = (await readMigrations(directory)).map(({ checksum }) => checksum)
  assert.deepEqual(rows, [
    { number: 1, name: 'people', checksum: checksums[0], past: true },
    { number: 2, name: 'names', checksum: checksums[1], past: true },
  ])
  assert.deepEqual((await pool.query('select * from people')).rows, [{ id: 1, name: 'Ada' }])
})

test('a newer release applies only what is new', async (t) => {
  const { pool, release } = await setting(t)
  await migrate(pool, { directory: await release(people) })
  const directory = await release(names)

  const { applied, known, pending, changed } = await readSchemaState(pool, directory)
  assert.deepEqual([applied, known, pending.map(({ file }) => file), changed], [1, 2, ['0002_names.sql'], []])
  assert.equal((await migrate(pool, { directory })).length, 1)
})

test('a release serves a newer schema that declares it compatible, and applies nothing to it', async (t) => {
  const { pool, release } = await setting(t)
  await migrate(pool, { directory: await release(names) })
  const directory = await release(people)
  for (const how of ['apply', 'refuse'] as const) assert.deepEqual(await migrate(pool, { directory, migrate: how }), [])
  const { applied, known, needed } = await readSchemaState(pool, directory)
  assert.deepEqual([applied, known, needed], [2, 1, 0])
})

test('a newer schema that needs a newer release is refused, naming that release', async (t) => {
  const { pool, release } = await setting(t)
  const files = { ...names, '0003_renamed.sql': '-- oldest program: 0002\nalter table people rename name to title;' }
  await migrate(pool, { directory: await release(files) })
  assert.deepEqual(await migrate(pool, { directory: await release(names) }), [])
  await assert.rejects(migrate(pool, { directory: await release(people) }), {
    name: 'StartupError',
    message: 'The database has migration 0003 and needs a release with at least 0002; this release has 0001.',
    remedy: 'Start the newer release, or restore a backup from before the upgrade.',
  })
})

test('a migration without a recorded oldest program is served only by releases that know it', async (t) => {
  const { pool, release } = await setting(t)
  await migrate(pool, { directory: await release(names) })
  await pool.query('alter table schema_migrations drop column oldest_program')
  await assert.rejects(migrate(pool, { directory: await release(people) }), /at least 0002; this release has 0001/)

  const directory = await release({ ...names, '0003_places.sql': 'create table places ();' })
  assert.equal((await migrate(pool, { directory })).length, 1)
  assert.deepEqual(await migrate(pool, { directory: await release(names) }), [])
})

test('a migration cannot require a program that knows a later migration', async (t) => {
  const { release } = await setting(t)
  const directory = await release({ '0001_people.sql': '-- oldest program: 0002' })
  await assert.rejects(readMigrations(directory), /0001_people\.sql asks for a program that knows a later migration/)
})

test('an applied migration whose text has changed is refused; different line endings are no change', async (t) => {
  const { pool, release } = await setting(t)
  await migrate(pool, { directory: await release({ '0001_people.sql': 'create table people (\n  id int\n);\n' }) })

  await migrate(pool, {
    directory: await release({ '0001_people.sql': 'create table people (\r\n  id int\r\n);\r\n' }),
  })
  await assert.rejects(migrate(pool, { directory: await release(people) }), {
    name: 'StartupError',
    message: 'Migration files were changed after they were applied: 0001_people.sql.',
  })
})

test('with migration switched off, an old schema is refused with the command to run, and a current one is accepted', async (t) => {
  const { pool, release } = await setting(t)
  const directory = await release(people)
  await assert.rejects(migrate(pool, { directory, migrate: 'refuse' }), {
    name: 'StartupError',
    message: 'The database has migration 0000, but this release needs 0001.',
    remedy: 'Run "npm run gatehouse -- migrate".',
  })
  assert.equal((await readSchemaState(pool, directory)).applied, 0)

  await migrate(pool, { directory })
  assert.deepEqual(await migrate(pool, { directory, migrate: 'refuse' }), [])
})

test('processes that start together apply every migration exactly once between them', async (t) => {
  const { pool, release, url } = await setting(t)
  const directory = await release({ ...names, '0003_slow.sql': 'select pg_sleep(0.2); create table slow ();' })
  const pools = Array.from({ length: 4 }, () => openPool(url, { max: 1, applicationName: 'starter' }))

  const applied = await Promise.all(pools.map((starter) => migrate(starter, { directory })))
  await Promise.all(pools.map((starter) => starter.end()))
  assert.deepEqual(
    applied
      .flat()
      .map(({ number }) => number)
      .toSorted((one, other) => one - other),
    [1, 2, 3],
  )
  assert.equal((await readSchemaState(pool, directory)).applied, 3)
})

test('a failed migration leaves no trace, keeps the earlier ones and can be repeated', async (t) => {
  const { pool, release } = await setting(t)
  const broken = { ...people, '0002_broken.sql': 'create table half (); insert into missing values (1);' }
  await assert.rejects(migrate(pool, { directory: await release(broken) }), {
    name: 'StartupError',
    message: 'Migration 0002_broken.sql failed and was rolled back: relation "missing" does not exist',
  })
  assert.deepEqual(
    (await pool.query(`select to_regclass('people') is not null as people, to_regclass('half') as half`)).rows,
    [{ people: true, half: null }],
  )
  assert.equal((await migrate(pool, { directory: await release(names) })).length, 1)
})

const named = { '0001_people.sql': 'create table people (id int primary key, name text);' }
const indexed = {
  ...named,
  '0002_index.sql': `-- Why.
-- outside a transaction
create table if not exists places ();
create unique index concurrently people_by_name on people (name);`,
}

test('a migration gives up before a payment that waits for it in turn, and tries again', async (t) => {
  const { pool, release } = await setting(t)
  const tables = { '0001_tables.sql': 'create table one (id int); create table other (id int);' }
  await migrate(pool, { directory: await release(tables) })
  const directory = await release({
    ...tables,
    '0002_columns.sql': 'alter table one add name text; select pg_sleep(0.2); alter table other add name text;',
  })
  const client = await pool.connect()
  await client.query('begin; insert into other values (1)')
  const migrating = migrate(pool, { directory })
  await untilLocked(pool, 'one')
  // It waits first, so that the server would end it, and not the migration.
  const failure = await client.query('insert into one values (1); commit').then(
    () => null,
    (error: Error) => error.message,
  )
  client.release(true)
  assert.equal(failure, null)
  assert.equal((await migrating).length, 1)
  const { rows } = await pool.query(
    'select (select count(*)::int from one) as one, (select count(*)::int from other) as other',
  )
  assert.deepEqual(rows, [{ one: 1, other: 1 }])
})

async function untilLocked(pool: Pool, table: string): Promise<void> {
  const text = `select 1 from pg_locks where granted and mode = 'AccessExclusiveLock' and relation = $1::regclass`
  while ((await pool.query(text, [table])).rowCount === 0) await sleep(5)
}

test('an index is built while writes continue and another process waits to migrate', async (t) => {
  const { pool, release, url } = await setting(t)
  await migrate(pool, { directory: await release(named) })
  const writer = await pool.connect()
  await writer.query(`begin; insert into people values (1, 'Ada')`)
  const directory = await release(indexed)
  const starters = [1, 2].map(() => openPool(url, { max: 1, applicationName: 'starter' }))
  const applied = Promise.all(starters.map((starter) => migrate(starter, { directory })))

  // The build waits for the writer, and nothing waits for the build.
  await waitFor(
    async () =>
      (await pool.query('select from pg_stat_progress_create_index where datname = current_database()')).rows.length ===
      1,
  )
  await pool.query(`insert into people values (2, 'Grace')`)
  await writer.query('commit')
  writer.release()
  assert.deepEqual(
    (await applied).flat().map(({ number }) => number),
    [2],
  )
  await Promise.all(starters.map((starter) => starter.end()))
  await assert.rejects(pool.query(`insert into people values (3, 'Ada')`), /people_by_name/)
})

test('an index whose build was interrupted is rebuilt by the next try', async (t) => {
  const { pool, release } = await setting(t)
  const directory = await release(indexed)
  await migrate(pool, { directory: await release(named) })
  await pool.query(`insert into people values (1, 'Ada'), (2, 'Ada')`)
  await assert.rejects(migrate(pool, { directory }), {
    name: 'StartupError',
    message: /^Migration 0002_index\.sql failed and can be run again: could not create unique index/,
  })
  const validity = () => pool.query(`select indisvalid from pg_index where indexrelid = 'people_by_name'::regclass`)
  assert.deepEqual((await validity()).rows, [{ indisvalid: false }])

  await pool.query(`update people set name = 'Grace' where id = 2`)
  assert.equal((await migrate(pool, { directory })).length, 1)
  assert.deepEqual((await validity()).rows, [{ indisvalid: true }])
})

test("a migration outside a transaction restores the connection's timeouts", async (t) => {
  const { release, url } = await setting(t)
  const pool = openPool(url, { max: 1, applicationName: 'one' })
  await migrate(pool, { directory: await release(indexed) })
  assert.deepEqual((await pool.query('show statement_timeout')).rows, [{ statement_timeout: '30s' }])
  await pool.end()
})

test('a gap, a duplicate number or a malformed name is a fault of the release', async (t) => {
  const { release } = await setting(t)
  for (const files of [['0002_a.sql'], ['0001_a.sql', '0003_b.sql'], ['0001_a.sql', '0001_b.sql'], ['1_a.sql']]) {
    const directory = await release(Object.fromEntries(files.map((file) => [file, ''])))
    await assert.rejects(readMigrations(directory), /must be named 000[12]_<what_it_does>\.sql/)
  }
})

test('a database that cannot be reached is refused with what to check', async () => {
  const pool = openPool('postgres://nobody@/none?host=/nowhere', { max: 1, applicationName: 'unreachable' })
  await assert.rejects(migrate(pool), { name: 'StartupError', message: /No database server listens .*ENOENT/ })
})

async function waitFor(met: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await met()); tries += 1) {
    assert.ok(tries < 500, 'It never came about.')
    await sleep(20)
  }
}

interface Setting {
  readonly pool: Pool
  readonly url: string
  /** Creates a folder with these migrations, as in a release. */
  readonly release: (files: Readonly<Record<string, string>>) => Promise<URL>
}

async function setting(t: TestContext): Promise<Setting> {
  const database = await emptyTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-migrations-'))
  t.after(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  return {
    ...database,
    release: async (files) => {
      const directory = await mkdtemp(join(folder, 'release-'))
      for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text)
      return pathToFileURL(`${directory}/`)
    },
  }
}
