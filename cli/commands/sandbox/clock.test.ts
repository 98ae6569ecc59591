import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from '#server/demo/sandbox-process.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { findUnusedUrl, openTestInstance } from '../../test/gatehouse.ts'
import { openOtherProgram } from '../../test/other-program.ts'

const dayMs = 86_400_000

test('the clocks of the instance and of the sandbox acquirer advance together', async () => {
  await using stack = new AsyncDisposableStack()
  const instance = stack.use(await openTestInstance())
  const sandbox = await startSandbox(instance.folder)
  stack.defer(() => sandbox.stop())
  await writeFile(join(instance.folder, 'demo.json'), JSON.stringify({ sandbox_url: sandbox.url }))

  await instance.do('clock', 'advance', '30d')
  await instance.do('clock', 'advance', '1d12h')
  assert.equal(await instanceStore(instance.database.pool).readClockOffsetMs(), 31.5 * dayMs)
  const reply: unknown = await (await fetch(`${sandbox.url}/clock`)).json()
  assert.ok(typeof reply === 'object' && reply !== null && 'offset_ms' in reply)
  assert.equal(reply.offset_ms, 31.5 * dayMs)
  const { json, err } = await instance.do('clock', 'show', '--json')
  assert.deepEqual([json.ahead_by, json.sandbox_ahead_by, err], ['31d12h', '31d12h', ''])
})

test('no clock moves if the sandbox acquirer does not answer', async () => {
  await using instance = await openTestInstance()
  const { code, err } = await instance.run(['clock', 'advance', '1d'], {
    environment: { SANDBOX_URL: await findUnusedUrl() },
  })
  assert.equal(code, 1)
  assert.match(err, /cannot be moved: .*ECONNREFUSED/)
  assert.equal(await instanceStore(instance.database.pool).readClockOffsetMs(), 0)
})

test('no clock moves if another program answers at the address of the sandbox acquirer', async () => {
  await using stack = new AsyncDisposableStack()
  const instance = stack.use(await openTestInstance())
  const other = stack.use(await openOtherProgram())
  const { code, err } = await instance.run(['clock', 'advance', '1d'], { environment: { SANDBOX_URL: other.url } })
  assert.equal(code, 1)
  assert.match(err, /^The clock .* cannot be moved: its answer cannot be read\n.*Nothing was changed\.$/)
  assert.equal(await instanceStore(instance.database.pool).readClockOffsetMs(), 0)
})

test('an instance without a sandbox acquirer advances alone and says so', async () => {
  await using instance = await openTestInstance()
  const { err } = await instance.do('clock', 'advance', '90s')
  assert.match(err, /only the clock of the instance moved/)
  assert.equal(await instanceStore(instance.database.pool).readClockOffsetMs(), 90_000)
})
