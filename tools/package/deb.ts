/** `npm run package:deb`: builds the Debian package with `dpkg-deb`, for the architecture of this machine and with the Node that runs this. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { readOptions, runProgram, UsageError } from '../command-line.ts'
import { root } from '../tidy/source-files.ts'
import { debFiles } from './deb-files.ts'
import { buildTree } from './tree.ts'

/** Returns the path of the package. */
export async function buildDeb(folder: string): Promise<string> {
  const architecture = debianArchitectures[process.arch]
  if (architecture === undefined) throw new UsageError(`There is no Debian package for ${process.arch}.`)
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const staging = await mkdtemp(join(tmpdir(), 'gatehouse-deb-'))
  try {
    const program = join(staging, 'usr/lib/gatehouse')
    await buildTree(program)
    await mkdir(join(program, 'runtime'))
    await cp(process.execPath, join(program, 'runtime/node'))
    for (const { from, to, mode } of debFiles) {
      await mkdir(dirname(join(staging, to)), { recursive: true })
      await cp(join(root, from), join(staging, to))
      await chmod(join(staging, to), mode)
    }
    const control = await readFile(join(root, 'deploy/debian/control'), 'utf8')
    const kilobytes = Math.ceil((await sizeOf(staging)) / 1024)
    const filled = control
      .replace('@VERSION@', version)
      .replace('@ARCHITECTURE@', architecture)
      .replace('@KILOBYTES@', String(kilobytes))
    await writeFile(join(staging, 'DEBIAN/control'), filled)
    await writeFile(join(staging, 'DEBIAN/conffiles'), '/etc/gatehouse/gatehouse.env\n')
    await chmod(staging, 0o755)
    await mkdir(folder, { recursive: true })
    const file = join(folder, `gatehouse_${version}_${architecture}.deb`)
    await promisify(execFile)('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', staging, file])
    return file
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

const debianArchitectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const usage = `Usage: npm run package:deb [-- FOLDER]

Builds the Debian package of this machine's architecture in FOLDER; default: the current folder. It needs dpkg-deb.`

if (import.meta.main) {
  process.exitCode = await runProgram(usage, async () => {
    const { positionals } = readOptions({ allowPositionals: true })
    const [folder = '.', surplus] = positionals
    if (surplus !== undefined) throw new UsageError('Give at most one folder.')
    process.stdout.write(`${await buildDeb(resolve(folder))}\n`)
    return 0
  })
}
