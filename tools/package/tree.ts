/**
 * `npm run package:tree FOLDER`: writes the program as it is installed: built programs, sources without tests, built browser files, the packages that it
 * needs at run time, the bill of materials and the licences. Neither compilers nor npm are in it.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { buildInterface } from '../build-interface.ts'
import { buildWeb } from '../build-web.ts'
import { readOptions, runProgram, UsageError } from '../command-line.ts'
import { writePrograms } from '../programs/build-programs.ts'
import { buildSite } from '../site/build-site.ts'
import { root } from '../tidy/source-files.ts'
import { runNpm } from './npm.ts'
import { programFiles } from './program-files.ts'
import { licences, sbom } from './sbom.ts'

/** Into `folder`, which is emptied first. */
export async function buildTree(folder: string): Promise<void> {
  await Promise.all([buildWeb(), buildSite(), buildInterface()])
  await rm(folder, { recursive: true, force: true })
  for (const path of programFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path))
  }
  await writePrograms(folder)
  await installPackages(folder)
  await writeFile(join(folder, 'sbom.cdx.json'), await sbom())
  await writeFile(join(folder, 'licences.txt'), await licences(join(folder, 'node_modules')))
}

const description = z.looseObject({
  scripts: z.unknown(),
  devDependencies: z.unknown(),
  optionalDependencies: z.unknown(),
})

async function installPackages(folder: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json']) await cp(join(root, file), join(folder, file))
  await runNpm(folder, ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'])
  await rm(join(folder, 'package-lock.json'))
  await rm(join(folder, 'node_modules/.package-lock.json'))
  await rm(join(folder, 'node_modules/.bin'), { recursive: true, force: true })
  const whole: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const {
    scripts: _scripts,
    devDependencies: _dev,
    optionalDependencies: _optional,
    ...shipped
  } = description.parse(whole)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(shipped, null, 2)}\n`)
}

const usage = `Usage: npm run package:tree FOLDER

Writes the program as it is installed into FOLDER, which is emptied first.`

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const { positionals } = readOptions({ allowPositionals: true })
    const [folder, surplus] = positionals
    if (folder === undefined || surplus !== undefined) throw new UsageError('Give one folder.')
    await buildTree(resolve(folder))
    return 0
  })
}
