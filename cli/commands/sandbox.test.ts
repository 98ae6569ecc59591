// Written from chapter 50 §6: the sandbox acquirer behaves as a scenario says.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { type SandboxProcess, startSandbox } from '#server/demo/sandbox-process.ts'
import { gatehouse, unusedUrl } from '../test/gatehouse.ts'

let folder: string
let sandbox: SandboxProcess
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-scenario-'))
  sandbox = await startSandbox(folder)
})
after(async () => {
  await sandbox.stop()
  await rm(folder, { recursive: true, force: true })
})

const scenario = (argv: readonly string[], environment: NodeJS.ProcessEnv = { SANDBOX_URL: sandbox.url }) =>
  gatehouse(['sandbox', 'scenario', ...argv], { environment: { DATA_DIR: folder, ...environment } })
const inForce = async () => JSON.parse((await scenario(['--json'])).out)

beforeEach(() => scenario(['--clear']))

test('a MID behaves as it is told, and well again when it is cleared', async () => {
  await scenario(['north', '--approval', '70', '--delay', '20'])
  await scenario(['south', '--down', 'reset'])
  const north = { mid: 'north', approval_percent: 70, delay_ms: 20 }
  assert.deepEqual(await inForce(), [north, { mid: 'south', down: 'reset' }])
  await scenario(['south', '--clear'])
  assert.deepEqual(await inForce(), [north])
  assert.match((await scenario(['--clear'])).out, /behaves well/)
})

test('"all" is every MID without a scenario of its own', async () => {
  await scenario(['all', '--down', 'unavailable'])
  assert.deepEqual(await inForce(), [{ down: 'unavailable' }])
})

test('a file says it for several', async () => {
  const file = join(folder, 'scenarios.json')
  const scenarios = [
    { mid: 'north', approval_percent: 90 },
    { mid: 'south', decline_soft: { count: 1, of: 2 } },
  ]
  await writeFile(file, JSON.stringify(scenarios))
  await scenario(['--file', file])
  assert.deepEqual(await inForce(), scenarios)
  await writeFile(file, '{"mid":"north","typo":true}')
  assert.match((await scenario(['--file', file])).err, /typo is not part of a scenario/)
})

test('what is not understood changes nothing', async () => {
  assert.equal((await scenario(['--approval', '70'])).code, 2, 'no MID')
  assert.equal((await scenario(['north', '--approval', '101'])).code, 2)
  assert.equal((await scenario(['north', '--down', 'often'])).code, 2)
  assert.equal((await scenario(['--file', join(folder, 'none.json')])).code, 1)
  assert.equal((await scenario([], { SANDBOX_URL: await unusedUrl() })).code, 1)
  assert.deepEqual(await inForce(), [])
})
