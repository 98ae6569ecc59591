/** `npm run client`: builds the package `@gatehouse/client`, ready for `npm publish --provenance`: modules, declarations, no dependency. */
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { buildInterface } from './build-interface.ts'
import { readOptions, runProgram, UsageError } from './command-line.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = join(root, 'client/typescript')

/** Into `folder`, which is emptied first. */
export async function buildClient(folder = join(source, '.built')): Promise<void> {
  await buildInterface()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const project = {
    extends: join(source, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(source, 'src'),
      outDir: join(folder, 'dist'),
      target: 'es2023',
    },
    include: [join(source, 'src')],
  }
  const projectFile = join(folder, 'tsconfig.json')
  await writeFile(projectFile, JSON.stringify(project))
  await promisify(execFile)(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', projectFile], {
    cwd: root,
  })
  await rm(projectFile)
  // One file, because the modules of the library are also for places that are not Node.
  await build({
    entryPoints: [join(source, 'cli/main.ts')],
    outfile: join(folder, 'dist/command.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js: '#!/usr/bin/env node' },
    logLevel: 'error',
  })
  const described: object = JSON.parse(await readFile(join(source, 'npm-package.json'), 'utf8'))
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...described, version }, null, 2)}\n`)
  await cp(join(source, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

const usage = `Usage: npm run client [-- vectors]

Builds the package @gatehouse/client in client/typescript/.built, ready for \`npm publish\`.

  vectors   only writes client/vectors.json: signed requests and callbacks for every formula`

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const [what, surplus] = readOptions({ allowPositionals: true }).positionals
    if ((what !== undefined && what !== 'vectors') || surplus !== undefined)
      throw new UsageError('Give vectors or nothing.')
    await (what === undefined ? buildClient() : buildInterface())
    return 0
  })
}
