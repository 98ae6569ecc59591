import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { settings } from '#server/process/settings.ts'
import { runGatehouse } from '../../test/gatehouse.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-config-'))
})
after(() => rm(folder, { recursive: true }))

type Row = { readonly setting: string; readonly value: unknown; readonly from: string }
async function config(environment: NodeJS.ProcessEnv) {
  const ran = await runGatehouse(['config', '--json'], { environment })
  const rows = new Map<string, Row>(ran.json.settings.map((row: Row) => [row.setting, row]))
  return { ...ran, rows, of: (name: string) => [rows.get(name)?.value, rows.get(name)?.from] }
}

test('every setting is shown with its description', async () => {
  const { out } = await runGatehouse(['config'])
  for (const [name, { description }] of Object.entries(settings)) {
    assert.ok(description)
    assert.ok(out.includes(name) && out.includes(description), name)
  }
})

test('each value shows its source, and the environment overrides the file', async () => {
  const file = join(folder, 'config.json')
  await writeFile(file, JSON.stringify({ PORT: 9000, LOG_LEVEL: 'warn' }))
  const { code, of } = await config({ GATEHOUSE_CONFIG: file, PORT: '9001' })
  assert.equal(code, 0)
  assert.deepEqual(of('PORT'), [9001, 'environment'])
  assert.deepEqual(of('LOG_LEVEL'), ['warn', 'file'])
  assert.deepEqual(of('DATABASE_POOL'), [16, 'default'])
})

test('settings that depend on others are shown with their effective value', async () => {
  const { of } = await config({ DATA_DIR: folder })
  assert.deepEqual(of('HOST'), ['127.0.0.1', 'default'])
  assert.deepEqual(of('GATEHOUSE_KEY_FILE'), [join(folder, 'keys.json'), 'default'])
  const live = await config({ GATEHOUSE_MODE: 'live', GATEHOUSE_KEY_FILE: '/k' })
  assert.deepEqual(live.of('HOST'), ['0.0.0.0', 'default'])
  assert.deepEqual(live.of('ALLOW_PRIVATE_CALLBACKS'), [false, 'default'])
})

test('secrets are hidden, even if the configuration is invalid', async () => {
  const environment = { DATABASE_URL: 'postgres://me:hunter2@db/x', GATEHOUSE_KEYS: 'hunter3' }
  for (const more of [{}, { PORT: 'x' }]) {
    for (const argv of [['config'], ['config', '--json']]) {
      const { out, err } = await runGatehouse(argv, { environment: { ...environment, ...more } })
      assert.doesNotMatch(out + err, /hunter/)
    }
  }
  assert.deepEqual((await config(environment)).of('DATABASE_URL'), ['***', 'environment'])
})

test('an invalid configuration is shown together with all its faults', async () => {
  const { code, err, of } = await config({ PORT: 'x', GATEHOUSE_MODE: 'production' })
  assert.equal(code, 1)
  assert.deepEqual(of('PORT'), ['x', 'environment'])
  assert.match(err, /PORT: Must be a whole number/)
  assert.match(err, /GATEHOUSE_MODE: /)
})

test('a file that is not JSON is reported without its content', async () => {
  const file = join(folder, 'not.json')
  await writeFile(file, '{"PORT": secret')
  const { err } = await config({ GATEHOUSE_CONFIG: file })
  assert.match(err, /not\.json could not be read\. It is not valid JSON\./)
  assert.doesNotMatch(err, /secret/)
})

test('an unknown setting is reported', async () => {
  const file = join(folder, 'stray.json')
  await writeFile(file, JSON.stringify({ PORTS: 9000 }))
  const { code, err } = await config({ GATEHOUSE_CONFIG: file, GATEHOUSE_MOD: 'live' })
  assert.equal(code, 0)
  assert.match(err, /PORTS is not a setting\. Did you mean "PORT"\?/)
  assert.match(err, /GATEHOUSE_MOD is not a setting\. Did you mean "GATEHOUSE_MODE"\?/)
})
