/**
 * `npm run sdk`: builds the package `@gatehouse/checkout-sdk` from the sources of the scripts, ready for `npm publish`: one module, its
 * public declarations, and no dependencies. Chapter 30 §9.4.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { readOptions, runProgram } from './command-line.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const entry = 'web/sdk/index'

/** Into `folder`, which is emptied first. */
export async function buildSdk(folder = join(root, 'web/.built-sdk')): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await build({
    entryPoints: [join(root, `${entry}.ts`)],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  })
  await declare(join(folder, 'types'))
  const described: object = JSON.parse(await readFile(join(root, 'web/sdk/npm-package.json'), 'utf8'))
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...described, version }, null, 2)}\n`)
  await cp(join(root, 'docs/interface/checkout-sdk.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** The compiler declares every file it read; only declarations that a user of the package can see are included. */
async function declare(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'gatehouse-sdk-'))
  const all = join(work, 'types')
  const project = {
    extends: join(root, 'web/tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, rootDir: root, outDir: all },
    files: [join(root, `${entry}.ts`)],
    include: [],
  }
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(project))
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', work], {
    cwd: root,
  })
  const seen = new Set([`${entry}.d.ts`])
  for (const path of seen) {
    const text = await readFile(join(all, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.ts['"]/g))
      seen.add(`${posix.join(posix.dirname(path), name)}.d.ts`)
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text.replaceAll(/(['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
  await rm(work, { recursive: true, force: true })
}

const usage = `Usage: npm run sdk

Builds the package @gatehouse/checkout-sdk in web/.built-sdk, ready for \`npm publish\`.`

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    readOptions({})
    await buildSdk()
    return 0
  })
}
