/** The contract test ends with a sentence where a connector's fixtures cannot be used. It runs in a process of its own, on a copy. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sandbox } from './sandbox/index.ts'
import { readFixtures } from './testing/contract-fixtures.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))
const fixtures = 'server/src/connectors/sandbox/fixtures'
let root = ''

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'contract-faults-'))
  for (const part of ['package.json', 'domain/src', 'server/src'])
    await cp(join(project, part), join(root, part), { recursive: true })
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
})
after(() => rm(root, { recursive: true, force: true }))

interface Run {
  readonly code: number | null
  readonly output: string
}

/** A run that does not end by itself is ended, and has no code. */
function runContract(): Promise<Run> {
  const { NODE_TEST_CONTEXT: _inherited, ...env } = process.env
  const { promise, resolve } = Promise.withResolvers<Run>()
  // Only the connector whose fixtures are changed: the others pass or fail by themselves.
  const flags = ['--test-reporter=spec', '--test-name-pattern=^connector sandbox']
  const child = spawn(process.execPath, [...flags, 'server/src/connectors/contract.test.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.on('close', (code) => resolve({ code, output }))
  return promise
}

/** With one fixture changed, or without it. */
async function changing<T>(file: string, change: (text: string) => string | null, run: () => Promise<T>): Promise<T> {
  const path = join(root, fixtures, file)
  const text = await readFile(path, 'utf8')
  const changed = change(text)
  await (changed === null ? rm(path) : writeFile(path, changed))
  try {
    return await run()
  } finally {
    await writeFile(path, text)
  }
}

const memberWith = (changes: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...changes })

// biome-ignore format: a table is read in columns.
const unusable = [
  ['a field of another type',  'credentials.json', memberWith({ mid: 7 }),           'credentials.json: mid: Must be text.'],
  ['a missing field',          'credentials.json', memberWith({ mid: undefined }),   'credentials.json: mid: This value is required.'],
  ['an address that is none',  'credentials.json', memberWith({ base_url: 'here' }), 'credentials.json: base_url: Enter a complete web address such as https://shop.example/path.'],
  ['no file',                  'credentials.json', () => null,                            'credentials.json is missing: the contract test reads it.'],
  ['no JSON',                  'credentials.json', () => '{"mid":',                       'credentials.json is not JSON: '],
  ['an unknown operation',     'sale.json',        memberWith({ operation: 'buy' }), 'sale.json: operation: Must be '],
  ['a request without a path', 'sale.json',        memberWith({ request: {} }),      'sale.json: request.path: This value is required.'],
] as const

for (const [what, file, change, sentence] of unusable) {
  test(`${file}, ${what}: the fault names the file, the field and what is expected`, async () => {
    const folder = pathToFileURL(join(root, fixtures, '/'))
    const reading = await changing(file, change, () => readFixtures(sandbox.credentials, folder))
    const faults = reading.ok ? [] : reading.faults
    assert.ok(
      faults.some((fault) => fault.startsWith(`connectors/sandbox/fixtures/${sentence}`)),
      faults.join('\n'),
    )
  })
}

test('a run with credentials that do not fit ends and says so', async () => {
  const { code, output } = await changing('credentials.json', memberWith({ mid: 7 }), runContract)
  assert.equal(code, 1, output)
  assert.match(output, /connectors\/sandbox\/fixtures\/credentials\.json: mid: Must be text\./)
})

test('an address at which nothing listens is never asked: every request goes to the test’s own acquirer', async () => {
  const nowhere = memberWith({ base_url: 'https://acquirer.invalid:1' })
  const { code, output } = await changing('credentials.json', nowhere, runContract)
  assert.equal(code, 0, output)
  assert.match(output, /✔ sale\.json: the request goes out byte for byte/)
})
