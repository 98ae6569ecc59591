/**
 * A release: this checkout in place, or a copy of it with additional migrations, or a commit of its history. All use the packages of this
 * checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ReleaseTree {
  readonly root: string
  readonly migrations: number
}

const here = fileURLToPath(new URL('../..', import.meta.url))
const copiedPaths = ['package.json', 'domain', 'server', 'sandbox', 'cli', 'web']
const migrationFolder = 'server/src/store/migrations'

/** This checkout in place: each process of a copy would compile it again. */
export const treeHere = (): ReleaseTree => ({ root: here, migrations: migrationsIn(here) })

/** A copy of this checkout with additional migrations; `texts` are their contents. */
export function treeOfNextRelease(root: string, texts: Readonly<Record<string, string>>): ReleaseTree {
  mkdirSync(root, { recursive: true })
  for (const entry of copiedPaths) cpSync(join(here, entry), join(root, entry), { recursive: true })
  const before = migrationsIn(root)
  for (const [index, [name, text]] of Object.entries(texts).entries()) {
    const number = String(before + index + 1).padStart(4, '0')
    writeFileSync(join(root, migrationFolder, `${number}_${name}.sql`), text)
  }
  return finishTree(root)
}

export function treeOfCommit(root: string, ref: string): ReleaseTree {
  mkdirSync(root, { recursive: true })
  const archive = execFileSync('git', ['archive', ref, ...copiedPaths], { cwd: here, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  return finishTree(root)
}

/** The newest tag of a release before this commit. Null if there is none, or no history. */
export function previousRelease(folder: string = here): string | null {
  const describe = ['describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^']
  const { status, stdout } = spawnSync('git', describe, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

function finishTree(root: string): ReleaseTree {
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  return { root, migrations: migrationsIn(root) }
}

const migrationsIn = (root: string): number =>
  readdirSync(join(root, migrationFolder)).filter((file) => file.endsWith('.sql')).length
