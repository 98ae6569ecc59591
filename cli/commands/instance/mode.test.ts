import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSandbox } from '#server/demo/sandbox-process.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { hasSandboxAuthority } from '#server/store/wallets/wallet-settings.ts'
import { loadAllCommands } from '../../dispatch.ts'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

/** A live database with its keys. The environment of the command does not set the mode. */
async function openLive(): Promise<TestInstance & { readonly keys: NodeJS.ProcessEnv }> {
  const instance = await openTestInstance({ instanceMode: 'live' })
  const file = join(instance.folder, 'live-keys.json')
  await runGatehouse(['keys', 'create', file])
  return { ...instance, keys: { GATEHOUSE_KEY_FILE: file } }
}

test('the test clock of a live database cannot be moved by a command whose environment does not set the mode', async () => {
  await using instance = await openLive()
  const { code, err } = await instance.run(['clock', 'advance', '1d'], { environment: instance.keys })
  assert.equal(code, 1)
  assert.match(err, /This database belongs to a live instance\. A live instance uses the clock of its machine\./)
  assert.equal(await instanceStore(instance.database.pool).readClockOffsetMs(), 0)
})

test('a wallet of a live database is never enabled with the sandbox authority', async () => {
  await using stack = new AsyncDisposableStack()
  const instance = stack.use(await openLive())
  const sandbox = await startSandbox(instance.folder)
  stack.defer(() => sandbox.stop())
  const environment = { ...instance.keys, SANDBOX_URL: sandbox.url }
  const creation = await instance.run(['merchant', 'create', 'acme', '--title', 'Acme'], { environment })
  assert.equal(creation.code, 0, creation.err)
  const { code, err } = await instance.run(['wallet', 'enable', 'acme'], { environment })
  assert.equal(code, 1)
  assert.match(err, /This database belongs to a live instance\. A live instance has no sandbox authority/)
  assert.equal(await hasSandboxAuthority(instance.database.pool), false)
})

test('wallet settings of a live database trust only the wallet provider, even if the environment does not set the mode', async () => {
  await using instance = await openLive()
  const environment = instance.keys
  await instance.run(['merchant', 'create', 'acme', '--title', 'Acme'], { environment })
  const set = await instance.run(['wallet', 'settings', 'set', 'acme', '--country', 'DE'], { environment })
  assert.equal(set.code, 0, set.err)
  const { json } = await instance.run(['wallet', 'settings', 'show', 'acme', '--json'], { environment })
  assert.equal(json.trustSource, 'wallet maker')
})

test('every command that opens the database refuses an environment whose mode contradicts it', async () => {
  await using live = await openLive()
  await using sandbox = await openTestInstance()
  const commands = [
    ['merchant', 'list'],
    ['migrate'],
    ['keys', 'list'],
    ['clock', 'advance', '1d'],
    ['doctor'],
    ['config'],
  ]
  for (const argv of commands) {
    const wrong = await live.run(argv, { environment: { ...live.keys, GATEHOUSE_MODE: 'sandbox' } })
    assert.equal(wrong.code, 1, argv.join(' '))
    assert.match(wrong.out + wrong.err, /This database belongs to a live instance, but GATEHOUSE_MODE is sandbox/)
    const other = await sandbox.run(argv, { environment: { ...live.keys, GATEHOUSE_MODE: 'live' } })
    assert.equal(other.code, 1, argv.join(' '))
    assert.match(other.out + other.err, /belongs to a sandbox instance, but GATEHOUSE_MODE is live/)
  }
  assert.equal(await instanceStore(sandbox.database.pool).readClockOffsetMs(), 0)
})

test('every sandbox-only command is refused on a live database', async () => {
  await using instance = await openLive()
  const samples: Readonly<Record<string, readonly string[]>> = {
    'clock show': [],
    'clock advance': ['1d'],
    'sandbox scenario': ['all', '--approval', '50'],
    trigger: ['0198f7a1-5a0e-7c3e-9d55-0242ac1f0007', 'paid'],
    'wallet enable': ['acme'],
    'wallet mint': [],
    'wallet matrix': [],
  }
  const names = (await loadAllCommands()).filter(({ sandboxOnly }) => sandboxOnly).map(({ name }) => name)
  assert.deepEqual(names.toSorted(), Object.keys(samples).toSorted())
  for (const [name, words] of Object.entries(samples)) {
    const { code, err } = await instance.run([...name.split(' '), ...words], { environment: instance.keys })
    assert.equal(code, 1, name)
    assert.match(err, /^This database belongs to a live instance\./, name)
  }
})

test('a database that was never started is not changed until its mode is known', async () => {
  await using instance = await openTestInstance({ instanceMode: null })
  const argv = ['merchant', 'create', 'acme', '--title', 'Acme']
  const { code, err } = await instance.run(argv)
  assert.equal(code, 1)
  assert.match(err, /never started/)
  assert.equal((await instance.run(['merchant', 'list'])).code, 0)
  assert.equal((await instance.run(argv, { environment: { GATEHOUSE_MODE: 'sandbox' } })).code, 0)
  assert.equal(await instanceStore(instance.database.pool).readMode(), null)
})

test('the configuration shows the mode of the database and the values that depend on it', async () => {
  await using instance = await openLive()
  const { json } = await instance.run(['config', '--json'], { environment: instance.keys })
  const rows: readonly { readonly setting: string; readonly value: unknown; readonly from: string }[] = json.settings
  const row = (name: string) => rows.find(({ setting }) => setting === name)
  assert.deepEqual([row('GATEHOUSE_MODE')?.value, row('GATEHOUSE_MODE')?.from], ['live', 'database'])
  assert.equal(row('HOST')?.value, '0.0.0.0')
})

test('a live database needs its key file, even if the environment does not set the mode', async () => {
  await using instance = await openTestInstance({ instanceMode: 'live' })
  const { code, err } = await instance.run(['merchant', 'list'])
  assert.equal(code, 1)
  assert.match(err, /a live instance needs key-encryption keys/)
})

test('the test clock is removed from a live database and stays on a sandbox', async () => {
  await using live = await openLive()
  await using sandbox = await openTestInstance()
  for (const { database } of [live, sandbox]) await instanceStore(database.pool).advanceClock(60_000)
  assert.equal((await live.run(['clock', 'reset'], { environment: live.keys })).code, 0)
  assert.equal(await instanceStore(live.database.pool).readClockOffsetMs(), 0)
  const { rows } = await live.database.pool.query("select from audit_log where action = 'clock.reset'")
  assert.equal(rows.length, 1)
  assert.equal((await sandbox.run(['clock', 'reset'])).code, 1)
  assert.equal(await instanceStore(sandbox.database.pool).readClockOffsetMs(), 60_000)
})
