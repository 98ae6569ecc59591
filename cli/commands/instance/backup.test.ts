import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '#server/process/clock.ts'
import { readBackupState } from '#server/store/instance/backups.ts'
import { readRecipient } from '../../backup/age-keys.ts'
import { deleteOlder, writeEncrypted } from '../../backup/backup-file.ts'
import { writeDump } from '../../backup/dump.ts'
import { splitPassword } from '../../backup/postgres-tools.ts'
import { withDatabase } from '../../backup/verification.ts'
import { openTestInstance, runGatehouse } from '../../test/gatehouse.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-backup-'))
})
after(() => rm(folder, { recursive: true }))

const createKey = async (name: string): Promise<{ readonly file: string; readonly recipient: string }> => {
  const file = join(folder, name)
  const { code, out, err } = await runGatehouse(['backup', 'key', file])
  assert.equal(code, 0, err)
  return { file, recipient: out }
}

test('the key of backups is readable for its owner only and is never overwritten', async () => {
  const { file, recipient } = await createKey('once.key')
  assert.match(recipient, /^age1[a-z0-9]{58}$/)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const before = await readFile(file, 'utf8')
  const { code, err } = await runGatehouse(['backup', 'key', file])
  assert.equal(code, 1)
  assert.match(err, /already exists/)
  assert.equal(await readFile(file, 'utf8'), before)
})

describe('the archive of the log', () => {
  test('returns a segment as it was, and says when it has none', async () => {
    const { file: key, recipient } = await createKey('wal.key')
    const archive = join(folder, 'wal')
    const segment = join(folder, '000000010000000000000001')
    await writeFile(segment, 'first segment')
    assert.equal((await runGatehouse(['backup', 'wal', archive, segment, '--to', recipient])).code, 0)
    assert.doesNotMatch(await readFile(join(archive, '000000010000000000000001.age'), 'latin1'), /first segment/)

    const target = join(folder, 'fetched')
    const fetch = (name: string, by: string) => runGatehouse(['restore', 'wal', archive, name, target, '--key', by])
    assert.equal((await fetch('000000010000000000000001', key)).code, 0)
    assert.equal(await readFile(target, 'utf8'), 'first segment')
    assert.equal((await fetch('000000010000000000000002', key)).code, 1)
    const other = await fetch('000000010000000000000001', (await createKey('other.key')).file)
    assert.match(other.err, /encrypted for another key/)
    assert.equal((await fetch('000000010000000000000001', join(folder, 'absent.key'))).code, 1)
  })

  test('takes a repeated segment, and refuses another one of the same name', async () => {
    const { recipient } = await createKey('repeat.key')
    const segment = join(folder, '000000010000000000000009')
    const archiveIt = () => runGatehouse(['backup', 'wal', join(folder, 'repeat'), segment, '--to', recipient])
    await writeFile(segment, 'content')
    assert.equal((await archiveIt()).code, 0)
    assert.equal((await archiveIt()).code, 0)
    await writeFile(segment, 'of another server')
    const { code, err } = await archiveIt()
    assert.equal(code, 1)
    assert.match(err, /exists with other content/)
  })

  test('is shared by the machines of a cluster, also after a fail-over, and refused to another system', async () => {
    const { file: key, recipient } = await createKey('cluster.key')
    const archive = join(folder, 'cluster')
    const machine = async (name: string) => {
      const place = await mkdtemp(join(folder, `${name}-`))
      return async (segment: string, content: Buffer | string) => {
        await writeFile(join(place, segment), content)
        return runGatehouse(['backup', 'wal', archive, join(place, segment), '--to', recipient])
      }
    }
    const [leader, standby, stranger] = [await machine('leader'), await machine('standby'), await machine('stranger')]
    const first = '000000010000000000000001'
    // Both archive what both have, at the same moment.
    const both = await Promise.all(
      [leader, standby].map((bring) => bring(first, segmentOf(7_000_000_000_000_000_001n, 1))),
    )
    for (const { code, err } of both.filter((one) => one.code !== 0)) assert.fail(`${code} ${err}`)
    assert.equal((await standby(first, segmentOf(7_000_000_000_000_000_001n, 1))).code, 0)

    // The former leader fails; the standby is promoted.
    const promoted: readonly (readonly [string, Buffer | string])[] = [
      ['000000010000000000000002.partial', segmentOf(7_000_000_000_000_000_001n, 1)],
      ['00000002.history', '1\t0/2000000\tno recovery target specified\n'],
      ['000000020000000000000002', segmentOf(7_000_000_000_000_000_001n, 2)],
    ]
    for (const [name, content] of promoted) {
      const { code, err } = await standby(name, content)
      assert.equal(code, 0, err)
      const target = join(folder, 'of-cluster')
      assert.equal((await runGatehouse(['restore', 'wal', archive, name, target, '--key', key])).code, 0, name)
      assert.deepEqual(await readFile(target), Buffer.from(content))
    }

    // No name of the cluster, so only the system identifier tells.
    const { code, err } = await stranger('000000010000000000000042', segmentOf(7_000_000_000_000_000_002n, 1))
    assert.equal(code, 1)
    assert.match(err, /archive of another database system \(7000000000000000001; this one is 7000000000000000002\)/)
    const left = (await readdir(archive)).filter((name) => name.endsWith('.part') || name.includes('42'))
    assert.deepEqual(left, [])
  })

  test('says of which system it is to the group of the folder, which cleans it', async () => {
    const { recipient } = await createKey('group.key')
    const [archive, segment] = [join(folder, 'group'), join(folder, '000000010000000000000003')]
    await writeFile(segment, segmentOf(7_000_000_000_000_000_001n, 1))
    // As PostgreSQL starts programs.
    const before = process.umask(0o077)
    try {
      assert.equal((await runGatehouse(['backup', 'wal', archive, segment, '--to', recipient])).code, 0)
    } finally {
      process.umask(before)
    }
    const modes = await Promise.all(
      (await readdir(archive)).toSorted().map(async (name) => [name, await modeOf(join(archive, name))]),
    )
    assert.deepEqual(modes, [
      [`${basename(segment)}.age`, '600'],
      [`${basename(segment)}.sha256`, '600'],
      ['system', '640'],
    ])
  })
})

const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8)

/** The beginning of a segment as PostgreSQL writes it: a long page header. */
function segmentOf(system: bigint, timeline: number): Buffer {
  const page = Buffer.alloc(8192)
  page.writeUInt16LE(0xd110, 0)
  page.writeUInt16LE(2, 2)
  page.writeUInt32LE(timeline, 4)
  page.writeBigUInt64LE(system, 24)
  return page
}

test('a backup without a public key, or with a wrong one, is refused before anything is written', async () => {
  await using instance = await openTestInstance()
  const target = join(folder, 'none')
  const without = await instance.run(['backup', 'create', target])
  assert.match(without.err, /no public key for backups[\s\S]*BACKUP_RECIPIENT/)
  const wrong = await instance.run(['backup', 'create', target, '--to', 'age1qqqq'])
  assert.equal(wrong.code, 2)
  await assert.rejects(readdir(target), { code: 'ENOENT' })
})

test('a base backup of a distributed database is refused with what to do, and nothing is written', async () => {
  await using instance = await openTestInstance()
  await instance.database.pool.query(`create table pg_dist_partition as select 'payments'::regclass as logicalrelid`)
  const { recipient } = await createKey('distributed.key')
  const target = join(folder, 'distributed')
  const { code, err } = await instance.run(['backup', 'base', target, '--to', recipient])
  assert.equal(code, 1)
  assert.match(
    err,
    /coordinator alone has no payments[\s\S]*every server with pg_basebackup[\s\S]*citus_create_restore_point/,
  )
  await assert.rejects(readdir(target), { code: 'ENOENT' })
})

test('a server is restored to a restore point from a base backup that other programs encrypted', async () => {
  const { file: key, recipient } = await createKey('point.key')
  const [files, target] = [await mkdtemp(join(folder, 'files-')), join(folder, 'restored')]
  await writeFile(join(files, 'postgresql.auto.conf'), '')
  const tar = spawn('tar', ['--create', `--directory=${files}`, 'postgresql.auto.conf'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const complete = once(tar, 'close').then(() => undefined)
  const source = { source: tar.stdout, recipient: readRecipient(recipient) ?? assert.fail(), complete }
  await writeEncrypted(join(folder, 'worker.base.age'), source)
  const restore = [
    'restore',
    'base',
    join(folder, 'worker.base.age'),
    target,
    '--wal',
    join(folder, 'wal'),
    '--key',
    key,
  ]
  const both = await runGatehouse([...restore, '--point', 'nightly', '--until', '2026-11-16T14:05:00Z'])
  assert.match(both.err, /exclude each other/)
  const restored = await runGatehouse([...restore, '--point', 'nightly'])
  assert.equal(restored.code, 0, restored.err)
  const settings = await readFile(join(target, 'postgresql.auto.conf'), 'utf8')
  assert.match(settings, /^recovery_target_name = 'nightly'$/m)
  assert.doesNotMatch(settings, /recovery_target_time/)
})

test('a dump is restored into an empty database only', async () => {
  await using instance = await openTestInstance()
  const { file: key } = await createKey('load.key')
  const { code, err } = await instance.run(['restore', 'load', join(folder, 'any.age'), '--key', key])
  assert.equal(code, 1)
  assert.match(err, /The database is not empty/)
})

test('older backups are deleted, except the newest and those of another kind', async () => {
  const names = ['20260101T000000Z.dump', '20260102T000000Z.dump', '20260103T000000Z.dump', '20250101T000000Z.base']
  const place = await mkdtemp(join(folder, 'old-'))
  for (const name of [...names.map((one) => `gatehouse-${one}.age`), 'notes.txt'])
    await writeFile(join(place, name), '')
  await deleteOlder(place, 'dump', new Date('2026-01-02T00:00:00Z'))
  const left = async () => (await readdir(place)).filter((name) => name.includes('.dump')).toSorted()
  assert.deepEqual(await left(), ['gatehouse-20260102T000000Z.dump.age', 'gatehouse-20260103T000000Z.dump.age'])
  await deleteOlder(place, 'dump', new Date('2027-01-01T00:00:00Z'))
  assert.deepEqual(await left(), ['gatehouse-20260103T000000Z.dump.age'])
  assert.equal((await readdir(place)).length, 3)
})

test('the password of the database is in no argument', () => {
  // biome-ignore format: a table is read in columns.
  const addresses = [
    // address                                              as an argument                                   password
    ['postgres://u:p%40ss@db.example/g?sslmode=verify-full', 'postgres://u@db.example/g?sslmode=verify-full', 'p@ss'],
    ['postgresql://u@/g?host=/run/postgresql',               'postgresql://u@/g?host=/run/postgresql',        null],
  ] as const
  for (const [url, address, password] of addresses) assert.deepEqual(splitPassword(url), { address, password })
  assert.throws(() => splitPassword('postgres://db.example/g?password=secret'), /behind the question mark/)
})

test('a running pg_dump shows no secret in its arguments, and gets none but the password of the database', {
  skip: process.platform !== 'linux' && 'reads /proc',
}, async (t) => {
  const programs = await mkdtemp(join(folder, 'programs-'))
  const seen = join(programs, 'seen')
  const script = `#!/bin/sh\ntr '\\0' '\\n' < /proc/$$/cmdline > ${seen}.arguments\nenv > ${seen}.environment\necho dump\n`
  await writeFile(join(programs, 'pg_dump'), script, { mode: 0o755 })
  const before = process.env['PATH']
  process.env['PATH'] = `${programs}:${before}`
  process.env['MPI_TOKEN'] = 'secret-of-the-gateway'
  t.after(() => {
    process.env['PATH'] = before
    delete process.env['MPI_TOKEN']
  })
  const { recipient } = await createKey('seen.key')
  const file = join(programs, 'one.age')
  await writeDump(file, readRecipient(recipient) ?? assert.fail(), 'postgres://u:secret-of-the-database@db.example/g')
  const shown = await readFile(`${seen}.arguments`, 'utf8')
  assert.match(shown, /--dbname=postgres:\/\/u@db\.example\/g/)
  assert.doesNotMatch(shown, /secret/)
  const environment = await readFile(`${seen}.environment`, 'utf8')
  assert.deepEqual(environment.match(/^.*secret.*$/gm), ['PGPASSWORD=secret-of-the-database'])
})

test('the instance knows when its newest backup was made, and a backup that it cannot note is complete', async (t) => {
  await using instance = await openTestInstance()
  const programs = await mkdtemp(join(folder, 'dumping-'))
  await writeFile(join(programs, 'pg_dump'), '#!/bin/sh\necho dump\n', { mode: 0o755 })
  const before = process.env['PATH']
  process.env['PATH'] = `${programs}:${before}`
  t.after(() => {
    process.env['PATH'] = before
  })
  const { recipient } = await createKey('noted.key')
  const { pool } = instance.database
  const first = await readBackupState(pool)
  assert.deepEqual([first.archive, first.newest], [null, { dump: null, base: null }])
  assert.ok(first.instanceSince <= systemClock().now())
  await instance.do('backup', 'create', programs, '--to', recipient)
  const { newest } = await readBackupState(pool)
  assert.equal(newest.base, null)
  assert.ok(systemClock().now().getTime() - (newest.dump?.getTime() ?? 0) < 60_000)
  const { rows } = await pool.query(`select subject from audit_log where action = 'backup.create'`)
  assert.match(rows[0].subject, /^dump gatehouse-\S+\.dump\.age$/)

  await pool.query('alter table audit_log rename to elsewhere')
  const { code, out, err } = await instance.run(['backup', 'create', programs, '--to', recipient])
  await pool.query('alter table elsewhere rename to audit_log')
  assert.equal(code, 0)
  assert.match(out, /\.dump\.age: \d+ bytes/)
  assert.match(err, /The backup is complete, but the instance could not note it/)
})

test('the temporary database is on the same server', () => {
  assert.equal(
    withDatabase('postgres://u:p@db:5433/g?sslmode=require', 'v'),
    'postgres://u:p@db:5433/v?sslmode=require',
  )
  assert.equal(withDatabase('postgres://u@%2Frun%2Fpostgresql/g', 'v'), 'postgres://u@%2Frun%2Fpostgresql/v')
})
