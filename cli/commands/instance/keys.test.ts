import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestInstance, runGatehouse, type TestInstance } from '../../test/gatehouse.ts'

const secretsOf = async (instance: TestInstance, environment: NodeJS.ProcessEnv = {}) => {
  const { json } = await instance.run(['merchant', 'show', 'acme', '--secrets', '--json'], { environment })
  return { password: json.password, webhook: json.webhook_secrets }
}

async function openInstanceWithMerchant(): Promise<TestInstance> {
  const instance = await openTestInstance()
  await instance.do('merchant', 'create', 'acme', '--title', 'Acme')
  await instance.do(
    'mid',
    'create',
    'main',
    '--connector',
    'sandbox',
    '--side',
    'test',
    '--credentials',
    '{"mid":"m","base_url":"http://127.0.0.1:9"}',
  )
  return instance
}

async function versions(instance: TestInstance): Promise<readonly unknown[]> {
  const { rows } = await instance.database.pool.query(
    `select encode(substring(password_sealed from 2 for 4), 'hex') as password from merchants
     union all select encode(substring(credentials_sealed from 2 for 4), 'hex') from mids`,
  )
  return rows.map(({ password }) => password)
}

test('a rotation encrypts every data key under the new key, and secrets stay readable', async () => {
  await using instance = await openInstanceWithMerchant()
  const before = await secretsOf(instance)
  const { out, err } = await instance.do('keys', 'rotate')
  assert.match(out, /^The key k2 is current\.\n3 data keys of 3 scopes were re-encrypted\.$/)
  assert.match(err, /No longer needed.*k1/)

  const { json } = await instance.do('keys', 'list', '--json')
  assert.deepEqual(
    json.map(({ key, data_keys }: { key: string; data_keys: number }) => [key, data_keys > 0]),
    [
      ['k1', false],
      ['k2', true],
    ],
  )
  assert.deepEqual(await secretsOf(instance), before)
})

test('after a rotation the old key may be removed from the file', async () => {
  await using instance = await openInstanceWithMerchant()
  const before = await secretsOf(instance)
  await instance.do('keys', 'rotate')
  const file = join(instance.folder, 'keys.json')
  const { current, keys } = JSON.parse(await readFile(file, 'utf8'))
  await writeFile(file, JSON.stringify({ current, keys: { k2: keys.k2 } }))
  assert.deepEqual(await secretsOf(instance), before)
})

test('--reseal encrypts every secret under new data keys, and they stay readable', async () => {
  await using instance = await openInstanceWithMerchant()
  const before = await secretsOf(instance)
  assert.deepEqual(await versions(instance), ['00000001', '00000001'])
  const { out } = await instance.do('keys', 'rotate', '--reseal', '--no-wait')
  assert.match(out, /2 new data keys; 3 values of 3 scopes were re-encrypted/)
  assert.deepEqual(await versions(instance), ['00000002', '00000002'])
  assert.deepEqual(await secretsOf(instance), before)
  assert.match((await instance.do('mid', 'show', 'main', '--secrets')).out, /"mid":"m"/)
})

test('--reseal waits for running processes until it is stopped', async () => {
  await using instance = await openInstanceWithMerchant()
  const ending = new AbortController()
  const onLine = (line: string) => {
    if (line.startsWith('Waiting')) ending.abort()
  }
  const { code, err } = await instance.run(['keys', 'rotate', '--reseal'], { signal: ending.signal, onLine })
  assert.equal(code, 1)
  assert.match(err, /Waiting 60 s/)
  assert.match(err, /Stopped before .*\n.*again and let it finish/)
})

test('a value that cannot be decrypted is named, and the others are resealed', async () => {
  await using instance = await openInstanceWithMerchant()
  await instance.database.pool.query(
    'update mids set credentials_sealed = set_byte(credentials_sealed, 40, (get_byte(credentials_sealed, 40) + 1) % 256)',
  )
  const { code, out, err } = await instance.run(['keys', 'rotate', '--reseal', '--no-wait'])
  assert.equal(code, 1)
  assert.match(err, /mids\.credentials_sealed of .* cannot be decrypted/)
  assert.match(out, /2 values .* were re-encrypted, 1 could not be decrypted/)
})

test('keys in the environment are rotated without writing a file', async () => {
  await using instance = await openInstanceWithMerchant()
  const before = await secretsOf(instance)
  await instance.do('keys', 'rotate')
  const text = await readFile(join(instance.folder, 'keys.json'), 'utf8')
  const { keys } = JSON.parse(text)
  const environment = { GATEHOUSE_KEYS: JSON.stringify({ current: 'k1', keys }) }
  const { out } = await instance.run(['keys', 'rotate'], { environment })
  assert.doesNotMatch(out, /is current/)
  assert.match(out, /3 data keys of 3 scopes were re-encrypted/)
  assert.equal(await readFile(join(instance.folder, 'keys.json'), 'utf8'), text)
  assert.deepEqual(await secretsOf(instance, environment), before)
})

test('a key that data needs and that is not configured is listed as missing', async () => {
  await using instance = await openInstanceWithMerchant()
  await instance.database.pool.query(`update data_keys set kek_id = 'k7'`)
  const { code, out } = await instance.run(['keys', 'list'])
  assert.equal(code, 1)
  assert.match(out, /k7 +3 +MISSING/)
})

test('a new key file is readable by its owner only, and an existing one is never overwritten', async () => {
  await using instance = await openTestInstance({ instanceMode: null })
  const file = join(instance.folder, 'made.json')
  assert.equal((await runGatehouse(['keys', 'create', file])).code, 0)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  const text = await readFile(file, 'utf8')
  assert.equal((await runGatehouse(['keys', 'create', file])).code, 1)
  assert.equal(await readFile(file, 'utf8'), text)
  const live = { GATEHOUSE_MODE: 'live', GATEHOUSE_KEY_FILE: file }
  assert.equal((await instance.run(['merchant', 'create', 'acme', '--title', 'Acme'], { environment: live })).code, 0)
})

test('a new key signs session tokens, and the previous key stays valid', async () => {
  await using instance = await openInstanceWithMerchant()
  const environment = { SESSION_KEY_BITS: '2048' }
  for (const _ of ['first', 'second']) {
    const { code, out } = await instance.run(['keys', 'rotate-session'], { environment })
    assert.equal(code, 0)
    assert.match(out, /^The key [0-9a-f-]{36} now signs session tokens\./)
  }
  const { rows } = await instance.database.pool.query(
    'select count(*)::int as all, count(*) filter (where retired_at is null)::int as current from session_keys',
  )
  assert.deepEqual(rows, [{ all: 2, current: 1 }])
})

test('shares of a new key file restore it, and too few do not', async () => {
  await using instance = await openTestInstance()
  const file = join(instance.folder, 'shared.json')
  const { out } = await instance.do('keys', 'create', file, '--shares', '2/3')
  const shares = out.split('\n')
  assert.equal(shares.length, 3)
  const restored = join(instance.folder, 'restored.json')
  const restore = (lines: readonly string[]) => runGatehouse(['keys', 'join', restored], { input: lines.join('\n') })
  assert.match((await restore(shares.slice(0, 1))).err, /at least 2 different ones/)
  assert.match((await restore([shares[0] ?? '', `${shares[1]}q`])).err, /Line 2 is not a share/)
  assert.equal((await restore([shares[2] ?? '', shares[0] ?? ''])).code, 0)
  assert.equal(await readFile(restored, 'utf8'), await readFile(file, 'utf8'))
  assert.equal((await stat(restored)).mode & 0o777, 0o600)
  assert.match((await restore(shares)).err, /already exists/)
  for (const wrong of ['1/3', '4/3', '2/17', '2']) {
    const refused = await instance.run(['keys', 'create', join(instance.folder, 'none.json'), '--shares', wrong])
    assert.equal(refused.code, 2, wrong)
  }
})

test('with a key command nothing is written into the key file, and a key is added before it is wrapped', async () => {
  await using instance = await openInstanceWithMerchant()
  const before = await secretsOf(instance)
  const file = join(instance.folder, 'keys.json')
  const environment = { GATEHOUSE_KEY_COMMAND: `cat '${file}'` }
  assert.deepEqual(await secretsOf(instance, environment), before)
  const unchanged = await readFile(file, 'utf8')
  await instance.run(['keys', 'rotate'], { environment })
  assert.equal(await readFile(file, 'utf8'), unchanged)
  assert.match((await instance.do('keys', 'add', file)).out, /The key k2 is current/)
  assert.match(
    (await instance.run(['keys', 'rotate'], { environment })).out,
    /^3 data keys of 3 scopes were re-encrypted/,
  )
  assert.deepEqual(await secretsOf(instance, environment), before)
})
