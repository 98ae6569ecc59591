/**
 * A release: this checkout in place, or a copy of it with additional migrations, or a commit of its history. All use the packages of this
 * checkout.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ReleaseTree {
  readonly root: string
  readonly migrations: number
  /** Packages of its lock file that this checkout has in another version, or no longer has. */
  readonly foreignPackages: number
}

const here = fileURLToPath(new URL('../..', import.meta.url))
const copiedPaths = ['package.json', 'domain', 'server', 'sandbox', 'cli', 'web']
const migrationFolder = 'server/src/store/migrations'

/** This checkout in place: each process of a copy would compile it again. */
export const treeHere = (): ReleaseTree => ({ root: here, migrations: migrationsIn(here), foreignPackages: 0 })

/** A copy of this checkout with additional migrations; `texts` are their contents. */
export function treeOfNextRelease(root: string, texts: Readonly<Record<string, string>>): ReleaseTree {
  mkdirSync(root, { recursive: true })
  for (const entry of copiedPaths) cpSync(join(here, entry), join(root, entry), { recursive: true })
  const before = migrationsIn(root)
  for (const [index, [name, text]] of Object.entries(texts).entries()) {
    const number = String(before + index + 1).padStart(4, '0')
    writeFileSync(join(root, migrationFolder, `${number}_${name}.sql`), text)
  }
  return finishTree(root, 0)
}

export function treeOfCommit(root: string, ref: string): ReleaseTree {
  mkdirSync(root, { recursive: true })
  const archive = execFileSync('git', ['archive', ref, ...copiedPaths], { cwd: here, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  const lockFile = execFileSync('git', ['show', `${ref}:package-lock.json`], { cwd: here, maxBuffer: 2 ** 28 })
  return finishTree(root, packagesNotIn(readFileSync(join(here, 'package-lock.json')), lockFile))
}

function finishTree(root: string, foreignPackages: number): ReleaseTree {
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  return { root, migrations: migrationsIn(root), foreignPackages }
}

const migrationsIn = (root: string): number =>
  readdirSync(join(root, migrationFolder)).filter((file) => file.endsWith('.sql')).length

function packagesNotIn(ours: Buffer, theirs: Buffer): number {
  const versionsOf = (lockFile: Buffer): ReadonlyMap<string, string> => {
    // Lock files of this repository; its own entry has the empty path.
    const { packages } = JSON.parse(lockFile.toString()) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>
    }
    return new Map(Object.entries(packages).flatMap(([path, { version }]) => (path === '' ? [] : [[path, version]])))
  }
  const own = versionsOf(ours)
  return [...versionsOf(theirs)].filter(([path, version]) => own.get(path) !== version).length
}
