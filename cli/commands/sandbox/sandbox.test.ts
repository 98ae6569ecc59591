// Written from chapter 50 §6: the sandbox acquirer follows the scenario of each MID.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { openShop } from '../../../server/test/shop.ts'
import { findUnusedUrl, runGatehouse } from '../../test/gatehouse.ts'
import { openOtherProgram } from '../../test/other-program.ts'

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-scenario-'))
const shop = await openShop()
after(async () => {
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const { databaseUrl, dataDir } = shop.base.config
const instance = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, SANDBOX_URL: shop.sandbox.url }
const scenario = (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  runGatehouse(['sandbox', 'scenario', ...argv], { environment: { ...instance, ...environment } })
const [north, south] = ['sandbox-north-live', 'sandbox-south-live']
const inForce = async () => JSON.parse((await scenario(['--json'])).out)

beforeEach(() => scenario(['--clear']))

test('a MID follows its scenario, and behaves normally again when the scenario is cleared', async () => {
  await scenario([north, '--approval', '70', '--delay', '20'])
  await scenario([south, '--down', 'reset'])
  const first = { mid: north, approval_percent: 70, delay_ms: 20 }
  assert.deepEqual(await inForce(), [first, { mid: south, down: 'reset' }])
  await scenario([south, '--clear'])
  assert.deepEqual(await inForce(), [first])
  assert.match((await scenario(['--clear'])).out, /works normally/)
})

test('"all" applies to every MID without its own scenario', async () => {
  await scenario(['all', '--down', 'unavailable'])
  assert.deepEqual(await inForce(), [{ down: 'unavailable' }])
})

test('a file sets scenarios for several MIDs', async () => {
  const file = join(folder, 'scenarios.json')
  const scenarios = [
    { mid: north, approval_percent: 90 },
    { mid: south, decline_soft: { count: 1, of: 2 } },
  ]
  await writeFile(file, JSON.stringify(scenarios))
  await scenario(['--file', file])
  assert.deepEqual(await inForce(), scenarios)
  await writeFile(file, JSON.stringify({ mid: north, typo: true }))
  assert.match((await scenario(['--file', file])).err, /typo is not part of a scenario/)
})

test('an invalid scenario changes nothing', async () => {
  assert.equal((await scenario(['--approval', '70'])).code, 2, 'no MID')
  assert.equal((await scenario([north, '--approval', '101'])).code, 2)
  assert.equal((await scenario([north, '--down', 'often'])).code, 2)
  assert.equal((await scenario(['--file', join(folder, 'none.json')])).code, 1)
  assert.equal((await scenario([], { SANDBOX_URL: await findUnusedUrl() })).code, 1)
  assert.deepEqual(await inForce(), [])
})

test('an unknown MID is refused with the list of known ones, before anything changes', async () => {
  const { code, err } = await scenario(['sandbox-nort-live', '--down', 'reset'])
  assert.equal(code, 1)
  assert.match(err, /has no MID "sandbox-nort-live"\. Did you mean "sandbox-north-live"\?/)
  assert.match(err, /Choose one of: all, .*sandbox-north-live, .*sandbox-south-live/)
  const file = join(folder, 'strangers.json')
  await writeFile(
    file,
    JSON.stringify([
      { mid: north, down: true },
      { mid: 'nowhere', down: true },
    ]),
  )
  assert.equal((await scenario(['--file', file])).code, 1)
  assert.equal((await scenario(['nowhere', '--clear'])).code, 1)
  assert.deepEqual(await inForce(), [])
})

test('a scenario of a MID that no longer exists can be cleared', async () => {
  await shop.scenario({ mid: 'gone', down: true })
  await scenario(['gone', '--clear'])
  assert.deepEqual(await inForce(), [])
})

test('another program at the address of the sandbox acquirer is named as the cause', async () => {
  await using other = await openOtherProgram()
  const { code, err } = await scenario([], { SANDBOX_URL: other.url })
  assert.equal(code, 1)
  assert.match(
    err,
    /^The answer of the sandbox acquirer at .* cannot be read\.\nAnother program may use this address: .*$/,
  )
})

test('stored credentials that do not fit the sandbox acquirer are named with their MID, and nothing changes', async () => {
  const created = await runGatehouse(
    [
      'mid',
      'create',
      'misfit',
      '--connector',
      'stripe',
      '--side',
      'test',
      '--credentials',
      '{"secret_key":"sk_test_1"}',
    ],
    { environment: instance },
  )
  assert.equal(created.code, 0, created.err)
  const { pool } = shop.base
  await pool.query("update mids set connector = 'sandbox' where name = 'misfit'")
  try {
    const { code, err } = await scenario([north, '--down', 'reset'])
    assert.equal(code, 1)
    assert.match(
      err,
      /^The stored credentials of the MID misfit do not fit its connector: mid: .*\nEnter them again with "gatehouse mid update misfit --credentials"\. Nothing was changed\.$/,
    )
  } finally {
    await pool.query("delete from mids where name = 'misfit'")
  }
  assert.deepEqual(await inForce(), [])
})
