/** Starts of the real program that must be refused, each with its message. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { readKeyRing } from '#server/vault/key-ring.ts'
import { type TestDatabase, testDatabase } from '../database.ts'
import { spawnGateway } from './gateway-process.ts'

let folder: string
let database: TestDatabase
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-live-'))
  await readKeyRing({ file: join(folder, 'keys.json'), create: true })
  database = await testDatabase()
})
after(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Start {
  readonly role?: 'api' | 'worker'
  readonly environment?: Readonly<Record<string, string>>
  /** Modules that are loaded before the program. */
  readonly imports?: readonly string[]
}

/** A valid live configuration by default. Returns the program's output and exit code. */
async function start({ role = 'worker', environment = {}, imports = [] }: Start) {
  const settings = {
    GATEHOUSE_MODE: 'live',
    GATEHOUSE_KEY_FILE: join(folder, 'keys.json'),
    DATABASE_URL: database.url,
    BASE_URL: 'https://pay.example.com',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: '0',
    SESSION_KEY_BITS: '2048',
  }
  const flags = imports.flatMap((file) => ['--import', file])
  const child = spawnGateway([role], { environment: { ...settings, ...environment }, nodeFlags: flags })
  // A program that starts is ready within seconds; it is then ended, which is the answer.
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => {
    out += words
    if (/is ready|Gatehouse .*http/.test(out)) child.kill('SIGTERM')
  })
  const [err, code] = await Promise.all([
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ])
  return { code, out, err }
}

test('live mode does not start on a machine whose clock is five minutes behind the database', async () => {
  const skew = join(folder, 'skew.mjs')
  await writeFile(skew, 'const now = Date.now; Date.now = () => now() - 300_000\n')
  const { code, err } = await start({ imports: [skew] })
  assert.match(err, /The clock of this machine is (299|300|301) s behind the database's\./)
  assert.match(err, /time server/)
  assert.equal(code, 1)
})

test('a live instance on a server without fsync does not start, and lists all reasons at once', async () => {
  // The database server of the tests runs without it, for speed.
  const { rows } = await database.pool.query("select from pg_settings where name = 'fsync' and setting = 'off'")
  const { code, err } = await start({ environment: { BASE_URL: '' } })
  assert.equal(code, 1)
  assert.match(err, /BASE_URL is not set/)
  if (rows.length === 1) assert.match(err, /fsync = off/)
})

test('a database server that does not listen is named with what to do, without a stack trace', async () => {
  const { code, err } = await start({ environment: { DATABASE_URL: 'postgres://gatehouse@127.0.0.1:1/gatehouse' } })
  assert.equal(code, 1)
  assert.match(err, /No database server listens at this address: .*127\.0\.0\.1:1\.\n +Start PostgreSQL, or correct/)
  assert.doesNotMatch(err, /at .*\.ts:\d+/)
})
