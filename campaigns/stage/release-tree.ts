/**
 * A release: this checkout where it lies, or as a folder of its own what it would be after its next migrations, or a commit of its history. Packages
 * are those of this checkout.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface ReleaseTree {
  readonly root: string
  readonly migrations: number
}

const here = fileURLToPath(new URL('../..', import.meta.url))
const copied = ['package.json', 'domain', 'server', 'sandbox', 'cli', 'web']
const migrationFolder = 'server/src/store/migrations'

/** This checkout, where it lies: a copy would be compiled anew by each of its processes. */
export const treeHere = (): ReleaseTree => ({ root: here, migrations: migrationsIn(here) })

/** What this checkout would be after its next migrations; `texts` are theirs. */
export function treeOfTomorrow(root: string, texts: Readonly<Record<string, string>>): ReleaseTree {
  mkdirSync(root, { recursive: true })
  for (const entry of copied) cpSync(join(here, entry), join(root, entry), { recursive: true })
  const before = migrationsIn(root)
  for (const [index, [name, text]] of Object.entries(texts).entries()) {
    const number = String(before + index + 1).padStart(4, '0')
    writeFileSync(join(root, migrationFolder, `${number}_${name}.sql`), text)
  }
  return finished(root)
}

export function treeOfCommit(root: string, ref: string): ReleaseTree {
  mkdirSync(root, { recursive: true })
  const archive = execFileSync('git', ['archive', ref, ...copied], { cwd: here, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', root], { input: archive })
  return finished(root)
}

function finished(root: string): ReleaseTree {
  symlinkSync(join(here, 'node_modules'), join(root, 'node_modules'))
  return { root, migrations: migrationsIn(root) }
}

const migrationsIn = (root: string): number =>
  readdirSync(join(root, migrationFolder)).filter((file) => file.endsWith('.sql')).length
