/** A base backup of a server is verified by the command, with and without the archived log. */
import assert from 'node:assert/strict'
import { chownSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPool } from '#server/store/database/pool.ts'
import { ArchivedServer, missingServer } from '../../campaigns/releases/archived-server.ts'

/** What the checks must find: captured, and nothing in the ledger. */
const brokenPayment = `
  insert into payments (merchant_id, id, protocol, action, kind, status, test, holds, order_id, order_description, amount_minor,
    amount_decimals, currency, authorised_minor, captured_minor, first_transaction, created_at, updated_at)
  values (gen_random_uuid(), '019a0000-0000-7000-8000-000000000001', 'S2S_CARD', 'SALE', 'sale', 'SETTLED', true, false, 'o', 'o', 100,
    2, 'EUR', 100, 100, gen_random_uuid(), now(), now())`

test('a base backup is restored, judged by the money checks, and removed', {
  skip: missingServer() ?? false,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-verification-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await ArchivedServer.open(folder)
  t.after(() => server.close())
  await server.takeBaseBackup()
  const [name = ''] = (await readdir(server.backupFolder)).filter((one) => one.endsWith('.age'))
  const file = join(server.backupFolder, name)
  const pool = openPool(server.url, { max: 1, applicationName: 'gatehouse test' })
  // Foreign keys are not what this is about.
  await pool.query(`set session_replication_role = replica; ${brokenPayment}`)
  await pool.end()
  await server.archive()
  // What is not listened to: the server that was backed up is away.
  await server.close()
  const verify = (...words: readonly string[]) =>
    server.gatehouse(['backup', 'verify', ...words, '--key', server.keyFile, '--json']).then(
      (out) => ({ code: 0, said: out, report: JSON.parse(out) }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        said: error.stderr,
        report: error.stdout === '' ? null : JSON.parse(error.stdout),
      }),
    )
  const leftovers = async () => (await readdir(tmpdir())).filter((one) => one.startsWith('gatehouse-verify-'))
  const before = await leftovers()

  const itself = await verify(file)
  assert.deepEqual([itself.code, itself.report?.payments], [0, 0], itself.said)
  const withLog = await verify(file, '--wal', server.archiveFolder)
  assert.equal(withLog.code, 1, withLog.said)
  assert.equal(withLog.report?.payments, 1, withLog.said)
  assert.match(withLog.report.faults[0].text, /0 settled/)

  const damaged = join(server.backupFolder, 'damaged.base.age')
  const bytes = await readFile(file)
  await writeFile(damaged, bytes.subarray(0, bytes.length - 40))
  const { uid, gid } = await stat(file)
  chownSync(damaged, uid, gid)
  const refused = await verify(damaged)
  assert.equal(refused.code, 1)
  assert.match(refused.said, /changed or ends too early/)
  assert.deepEqual(await leftovers(), before, 'nothing stays behind')
})
