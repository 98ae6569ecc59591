import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { buildSdk } from './build-sdk.ts'
import { root } from './tidy/source-files.ts'

let work = ''
let sdk = ''

before(async () => {
  work = await mkdtemp(join(tmpdir(), 'gatehouse-sdk-test-'))
  sdk = join(work, 'node_modules/@gatehouse/checkout-sdk')
  await buildSdk(sdk)
})
after(() => rm(work, { recursive: true, force: true }))

test('the package has both classes, can be loaded without a page, and has no dependencies', async () => {
  const module: object = await import(pathToFileURL(join(sdk, 'index.js')).href)
  assert.deepEqual(Object.keys(module), ['HostedFields', 'PaySession'])
  const described = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.deepEqual([described.version, described.dependencies], [version, undefined])
})

test('its types work in a strict program', async () => {
  const program = `
import { type ErrorEvent, HostedFields, PaySession, type SubmitResult } from '@gatehouse/checkout-sdk'
const fields = new HostedFields({ baseUrl: 'https://pay.example' })
fields.cardOn.input = ({ valid, empty, brand }) => { const facts: [boolean, boolean, string | undefined] = [valid, empty, brand]; void facts }
export const result: Promise<SubmitResult> = fields.collectIframesData()
const session = new PaySession({ token: 't', baseUrl: 'https://pay.example' })
session.handleError = (event: ErrorEvent) => { const code: number | 'unsupported' = event.code; void code }
export const cards: readonly { readonly month: string }[] = session.getCardTokens()
`
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  }
  await writeFile(join(work, 'program.ts'), program)
  await writeFile(
    join(work, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib: ['es2022', 'dom'] }, files: ['program.ts'] }),
  )
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work]).catch(
    ({ stdout }) => assert.fail(stdout),
  )
})

for (const name of ['HostedFields', 'PaySession']) {
  test(`${name} alone costs at most 15 kB compressed`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name} } from '@gatehouse/checkout-sdk'`, resolveDir: work },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    })
    const bytes = gzipSync(outputFiles[0]?.contents ?? assert.fail(), { level: 9 }).length
    assert.ok(bytes <= 15_000, `${bytes} bytes`)
  })
}
