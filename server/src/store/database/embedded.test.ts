import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { argumentsBelow } from '../../../test/hosts/process-arguments.ts'
import { type EmbeddedOptions, type EmbeddedServer, startEmbedded } from './embedded.ts'
import { openPool } from './pool.ts'

// One cluster for all tests, because creating one takes a second. Each test starts and stops its server.
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-embedded-'))
const folders = new Set([dataDir])
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('the first start creates a database, and the second start finds it', async (t) => {
  const first = await started(t)
  await ask(first, 'create table kept as select 42 as answer')
  await first.stop()

  let launches = 0
  const onLaunch = (): void => {
    launches += 1
  }
  const second = await started(t, { onLaunch })
  assert.deepEqual(await ask(second, 'select answer from kept'), [{ answer: 42 }])
  assert.equal(launches, 1)
  await started(t, { onLaunch })
  assert.equal(launches, 1, 'the third process adopts the server')
})

test("the gateway's role is no superuser, and its writes are durable", async (t) => {
  const server = await started(t, { disposable: false })
  const [settings] = await ask(
    server,
    `select rolsuper as superuser, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
            current_setting('server_encoding') as encoding, upper('é') as upper, 'a' < 'B' as by_language
     from pg_roles where rolname = current_user`,
  )
  assert.deepEqual(settings, {
    superuser: false,
    fsync: 'on',
    commit: 'on',
    encoding: 'UTF8',
    upper: 'É',
    by_language: false,
  })
})

test('it listens on no network, and its socket is in a folder closed to other accounts', async (t) => {
  const server = await started(t)
  assert.deepEqual(await ask(server, 'show listen_addresses'), [{ listen_addresses: '' }])
  const folder = statSync(socketFolderOf(server))
  assert.equal(folder.mode & 0o777, 0o700)
  assert.equal(folder.uid, statSync(join(dataDir, '18')).uid)
})

test("no role can connect without the password, and the gateway's password works for its own role only", async (t) => {
  const server = await started(t)
  assert.equal(statSync(join(dataDir, 'password')).mode & 0o777, 0o600)
  for (const [role, name] of [
    ['gatehouse', 'gatehouse'],
    ['postgres', 'postgres'],
  ]) {
    const stranger = new Client({ host: socketFolderOf(server), user: role, database: name, password: 'guess' })
    await assert.rejects(stranger.connect(), { code: '28P01' })
  }
})

test('its password is in no argument of its processes, and the environment of the gateway does not reach them', {
  skip: notLinux(),
}, async (t) => {
  process.env['MPI_TOKEN'] = 'secret-of-the-gateway'
  t.after(() => delete process.env['MPI_TOKEN'])
  const server = await started(t)
  const pool = openPool(server.url, { max: 1, applicationName: 'embedded test' })
  t.after(() => pool.end())
  await pool.query('select 1')
  const shown = argumentsBelow(server.pid)
  assert.ok(shown.length > 3, 'the server, its helpers and the process of a connection')
  const password = readFileSync(join(dataDir, 'password'), 'utf8').trim()
  const ofGateway = /gatehouse:([^@]+)@/.exec(server.url)?.[1] ?? assert.fail('The address has no password.')
  for (const words of shown) for (const secret of [password, ofGateway]) assert.ok(!words.includes(secret), words)
  assert.doesNotMatch(readFileSync(`/proc/${server.pid}/environ`, 'utf8'), /secret-of-the-gateway/)
})

test('a server created without passwords by an earlier release gets them at its next start and keeps its data', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-trusting-'))
  const first = await started(t, { dataDir: folder })
  await ask(first, 'create table kept as select 42 as answer; alter role gatehouse password null')
  await first.stop()
  const before = readFileSync(join(folder, 'password'), 'utf8')
  rmSync(join(folder, 'password'))
  rmSync(join(folder, '18', 'gatehouse_hba.conf'))
  writeFileSync(join(folder, '18', 'pg_hba.conf'), 'local all all trust\n')

  const second = await started(t, { dataDir: folder })
  assert.notEqual(readFileSync(join(folder, 'password'), 'utf8'), before)
  assert.deepEqual(await ask(second, 'select answer from kept'), [{ answer: 42 }])
  const stranger = new Client({
    host: socketFolderOf(second),
    user: 'gatehouse',
    database: 'gatehouse',
    password: 'guess',
  })
  await assert.rejects(stranger.connect(), { code: '28P01' })
})

test('row values do not appear in its log', async (t) => {
  const server = await started(t)
  await assert.rejects(
    ask(
      server,
      `create table if not exists once (pan text primary key);
                                    insert into once values ('4111111111111111'), ('4111111111111111')`,
    ),
  )
  assert.doesNotMatch(readFileSync(join(dataDir, 'server.log'), 'utf8'), /4111111111111111/)
})

test('it runs in its own process group, so that Ctrl-C reaches only the gateway', {
  skip: notLinux(),
}, async (t) => {
  const server = await started(t)
  assert.equal(groupOf(server.pid), server.pid)
  assert.notEqual(groupOf(server.pid), groupOf(process.pid))
})

test('started by root, it runs under another account even if that account cannot reach the data folder', {
  skip: notRoot(),
}, async (t) => {
  const server = await started(t)
  assert.equal(statSync(dataDir).mode & 0o077, 0)
  assert.notEqual(statSync(`/proc/${server.pid}`).uid, 0)
  assert.equal(statSync(join(dataDir, '18')).uid, statSync(`/proc/${server.pid}`).uid)
})

test('it stops within five seconds, even with busy sessions', async (t) => {
  const server = await started(t)
  const pool = openPool(server.url, { max: 2, applicationName: 'busy' })
  const client = await pool.connect()
  await client.query('begin; create table never (id int)')
  const sleeping = assert.rejects(client.query('select pg_sleep(60)'))

  const stopped = server.stop().then(() => 'stopped')
  assert.equal(await Promise.race([stopped, sleep(5_000, 'late', { ref: false })]), 'stopped')
  assert.equal(isServing(), false)
  await sleeping
  client.release(true)
  await pool.end()
})

test('a server left behind by a killed gateway is adopted with all its data', async (t) => {
  const gateway = spawn(process.execPath, ['--input-type=module', '-e', leaveBehind], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(gateway, 'exit')
  const pid = String(await Promise.race([once(gateway.stdout, 'data'), ended]))
  gateway.kill('SIGKILL')
  assert.equal((await ended)[1], 'SIGKILL')

  const server = await started(t)
  assert.equal(String(server.pid), pid)
  assert.deepEqual(await ask(server, 'select word from left_behind'), [{ word: 'intact' }])
  await server.stop()
  assert.equal(isServing(), false)
})

test('it stops although its folder was deleted', { skip: notLinux() }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-deleted-'))
  const server = await started(t, { dataDir: folder })
  rmSync(folder, { recursive: true })
  await server.stop()
  assert.equal(existsSync(`/proc/${server.pid}/exe`), false)
})

test('only the last process to leave stops it', async (t) => {
  const [one, other] = await Promise.all([started(t), started(t)])
  assert.equal(one.pid, other.pid)
  await one.stop()
  assert.deepEqual(await ask(other, 'select 1 as one'), [{ one: 1 }])
  await other.stop()
  assert.equal(isServing(), false)
})

test('if the server is killed, it is restarted automatically and has lost nothing', async (t) => {
  const server = await started(t, { disposable: false })
  const before = server.pid
  await ask(server, 'create table survivor as select 7 as number')
  process.kill(before, 'SIGKILL')

  await until(() => server.pid !== before)
  assert.deepEqual(await ask(server, 'select number from survivor'), [{ number: 7 }])
})

test('a lock file that names a process other than our server does not prevent a start', async (t) => {
  const lock = join(dataDir, '18', 'postmaster.pid')
  writeFileSync(lock, `${process.pid}\n${dataDir}\n1\n5432\n/tmp\n\n0 0\nready   \n`)
  const server = await started(t)
  assert.notEqual(server.pid, process.pid)
})

test('processes that create the same database at once share one server', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-together-'))
  const servers = await Promise.all([started(t, { dataDir: folder }), started(t, { dataDir: folder })])
  assert.equal(new Set(servers.map(({ pid }) => pid)).size, 1)
  assert.deepEqual(
    readdirSync(folder).filter((entry) => entry.startsWith('.draft-')),
    [],
  )
})

test('data of another major version is refused, naming the version', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-older-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, '17'))
  writeFileSync(join(folder, '17', 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbedded({ dataDir: folder }), {
    name: 'StartupError',
    message: `The data folder ${folder} was created by PostgreSQL 17, but this release uses PostgreSQL 18.`,
    remedy: /Run the release of Gatehouse that created it/,
  })
})

test('a data folder that cannot be created is refused with instructions', async () => {
  await assert.rejects(startEmbedded({ dataDir: '/dev/null/data' }), {
    name: 'StartupError',
    message: /^The data folder \/dev\/null\/data cannot be read and written by this user/,
    remedy: 'Give the folder to the user running Gatehouse, or set DATA_DIR to another folder.',
  })
})

test("a server that cannot start is refused with the server's own message", async (t) => {
  const control = join(dataDir, '18', 'postgresql.conf')
  const intact = readFileSync(control, 'utf8')
  t.after(() => writeFileSync(control, intact))
  writeFileSync(control, `${intact}\nno_such_setting = 1\n`)
  await assert.rejects(startEmbedded({ dataDir }), {
    name: 'StartupError',
    message: /does not start: .*configuration file/,
  })
})

const leaveBehind = `
  import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
  import { openPool } from ${JSON.stringify(new URL('./pool.ts', import.meta.url).href)}
  const server = await startEmbedded({ dataDir: ${JSON.stringify(dataDir)}, disposable: true })
  const pool = openPool(server.url, { max: 1, applicationName: 'killed' })
  await pool.query("create table left_behind as select 'intact' as word")
  process.stdout.write(String(server.pid))
`

async function started(t: TestContext, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, disposable: true, ...options })
  t.after(() => server.stop())
  folders.add(socketFolderOf(server)).add(options.dataDir ?? dataDir)
  return server
}

async function ask(server: EmbeddedServer, text: string): Promise<readonly unknown[]> {
  const pool = openPool(server.url, { max: 1, applicationName: 'embedded test' })
  try {
    return (await pool.query(text)).rows
  } finally {
    await pool.end()
  }
}

function socketFolderOf({ url }: EmbeddedServer): string {
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('host') ?? assert.fail(`No socket in ${url}.`)
}

function groupOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
  return Number(afterName.split(' ')[2])
}

function isServing(): boolean {
  return existsSync(join(dataDir, '18', 'postmaster.pid'))
}

async function until(done: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 1_000 && !done(); attempt++) await sleep(10)
  assert.ok(done())
}

function notLinux(): string | false {
  return process.platform !== 'linux' && 'reads /proc'
}

function notRoot(): string | false {
  return process.getuid?.() !== 0 && 'needs root'
}
