/** The recipe of docs/operations/keys.md with SoftHSM: its commands are read from the page and run. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openTestInstance } from '../../test/gatehouse.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const modulePath = '/usr/lib/softhsm/libsofthsm2.so'
const absent =
  spawnSync('pkcs11-tool', ['--help']).error ||
  spawnSync('softhsm2-util', ['--version']).error ||
  !existsSync(modulePath)
    ? 'SoftHSM is not installed (Debian: apt-get install softhsm2 opensc).'
    : false

test('the keys are wrapped by an HSM as the page says, and an instance starts with them', {
  skip: absent,
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-hsm-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'tokens'))
  const configuration = join(folder, 'softhsm2.conf')
  await writeFile(configuration, `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
  const page = await readFile(join(root, 'docs/operations/keys.md'), 'utf8')
  const [, recipe = ''] = /### An HSM[\s\S]*?```sh\n([\s\S]*?)```/.exec(page) ?? []
  const [, setting = ''] = /^GATEHOUSE_KEY_COMMAND=(.*)$/m.exec(page) ?? []
  assert.ok(recipe.includes('--encrypt') && setting.includes('--decrypt'))

  const script = [
    'set -e',
    `gatehouse() { '${process.execPath}' '${join(root, 'cli/main.ts')}' "$@"; }`,
    'softhsm2-util --init-token --free --label gatehouse --pin 123456 --so-pin 654321',
    recipe.replace('PIN=…', 'PIN=123456').replaceAll('/dev/shm/keys.json', join(folder, 'plain.json')),
    'echo "IV=$IV"',
  ].join('\n')
  const environment = { PATH: process.env['PATH'], SOFTHSM2_CONF: configuration }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env: environment })
  const [, iv = ''] = /^IV=([0-9a-f]{32})$/m.exec(stdout) ?? []
  const wrapped = join(folder, 'keys.wrapped')
  assert.ok(!existsSync(join(folder, 'plain.json')), 'the plain file is gone')
  assert.doesNotMatch(await readFile(wrapped, 'latin1'), /current/)

  // The command inherits the environment of the process.
  Object.assign(process.env, { SOFTHSM2_CONF: configuration, PIN: '123456' })
  t.after(() => {
    delete process.env['SOFTHSM2_CONF']
    delete process.env['PIN']
  })
  const command = setting.replace('MODULE', modulePath).replace(' IV', ` ${iv}`)
  await using instance = await openTestInstance()
  const settings = { GATEHOUSE_KEY_FILE: wrapped, GATEHOUSE_KEY_COMMAND: command }
  const run = (...words: readonly string[]) => instance.run(words, { environment: settings })
  assert.equal((await run('merchant', 'create', 'acme', '--title', 'Acme')).code, 0)
  assert.match((await run('keys', 'list')).out, /k1 +\d+ +current/)
  Object.assign(process.env, { PIN: '000000' })
  const { code, err } = await run('merchant', 'create', 'other', '--title', 'Other')
  assert.equal(code, 1)
  assert.match(err, /GATEHOUSE_KEY_COMMAND ended with status/)
})
