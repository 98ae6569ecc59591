import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildClient } from './build-client.ts'
import { root } from './tidy/source-files.ts'

const run = promisify(execFile)
let work = ''
let folder = ''

before(async () => {
  work = await mkdtemp(join(tmpdir(), 'gatehouse-client-test-'))
  folder = join(work, 'node_modules/@gatehouse/client')
  await buildClient(folder)
})
after(() => rm(work, { recursive: true, force: true }))

test('npm pack takes the modules with their declarations, the licence and the README, and nothing else', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--offline'], { cwd: folder })
  const [{ files }] = JSON.parse(stdout)
  const paths: readonly string[] = files.map(({ path }: { readonly path: string }) => path)
  const others = paths.filter((path) => !path.startsWith('dist/'))
  assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts'))
  assert.deepEqual(
    paths.filter((path) => /test|\.ts$/.test(path) && !path.endsWith('.d.ts')),
    [],
  )
})

test('the package has no dependency and asks for provenance when it is published', async () => {
  const described = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.deepEqual([described.version, described.dependencies], [version, undefined])
  assert.deepEqual(described.publishConfig, { access: 'public', provenance: true })
})

test('its types name every parameter, and a program for workers needs no types of Node', async () => {
  const program = `
import { Gatehouse, RefusedError } from '@gatehouse/client'
const gatehouse = new Gatehouse({ baseUrl: 'https://pay.example.com', key: 'k', password: 'p' })
export const status = gatehouse.card('GET_TRANS_STATUS', { trans_id: 't' }, { payment: { email: 'doe@example.com' } })
export const code = (error: unknown): number => (error instanceof RefusedError ? error.code : 0)
// @ts-expect-error: trans_id is required.
void gatehouse.card('CAPTURE', {})
// @ts-expect-error: auth is Y or N.
void gatehouse.card('RECURRING_SALE', { order_id: 'o', order_amount: '1', order_description: 'd', recurring_init_trans_id: 't', recurring_token: 'r', auth: 'yes' })
`
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
  }
  await writeFile(join(work, 'program.ts'), program)
  await writeFile(
    join(work, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, types: [], lib: ['es2022', 'dom'] },
      files: ['program.ts'],
    }),
  )
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work]).catch(({ stdout }) =>
    assert.fail(stdout),
  )
})

test('its command runs alone and lists what it does', async () => {
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const { stdout } = await run(process.execPath, [join(folder, bin.gatehouse), '--help'])
  assert.match(stdout, /trigger EVENT[\s\S]*wallet-fault[\s\S]*GATEHOUSE_SERVICE_KEY/)
})

test('it is as small as its README says and uses nothing of Node', async () => {
  const [, kilobytes] = /at most ([0-9.]+) kB \(tested\)/.exec(await readFile(join(folder, 'README.md'), 'utf8')) ?? []
  const { outputFiles } = await build({
    stdin: { contents: "export * from '@gatehouse/client'", resolveDir: work },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  })
  const bytes = gzipSync(outputFiles[0]?.contents ?? assert.fail(), { level: 9 }).length
  assert.ok(bytes <= Number(kilobytes) * 1000, `${bytes} bytes`)
})
