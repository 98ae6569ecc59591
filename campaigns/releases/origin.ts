/** The release from which the campaign `upgrade` upgrades. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Origin {
  /** Null for this checkout as it is, with changes that are not committed. */
  readonly commit: string | null
  /** As the campaign prints it. */
  readonly title: string
}

/** Without a tag: the release before the newest migrations, this many of them, so that there is something to migrate. */
const untaggedMigrations = 3
const migrationFiles = 'server/src/store/migrations/*.sql'

/**
 * The previous release as every change is tested against it: the newest tag, else the commit before the newest migrations. A sentence if it cannot
 * be had here: a shallow clone or an archive has no history, and a release with other packages cannot run with those of this checkout.
 */
export function previousRelease(checkout = here): Required<Origin> | { readonly missing: string } {
  const tag = newestTag(checkout)
  const added = answerOf(checkout, ['log', '--diff-filter=A', '--format=%H', '--', migrationFiles])?.split('\n') ?? []
  const ref = tag ?? (added[untaggedMigrations - 1] ? `${added[untaggedMigrations - 1]}^1` : null)
  const commit = ref && answerOf(checkout, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (!commit) return { missing: 'The history of this checkout has no earlier release to upgrade from.' }
  const others = otherPackages(checkout, commit)
  const title = tag ? `${tag} (commit ${commit.slice(0, 8)})` : `commit ${commit.slice(0, 8)}`
  if (others === null) return { missing: `This checkout does not have the files of ${title}.` }
  if (others.length > 0)
    return { missing: `${title} runs with other packages than this checkout: ${others.join(', ')}.` }
  return { commit, title }
}

/** Direct packages that it needs in another major version, or that are gone. Null if its files are not here. */
function otherPackages(checkout: string, commit: string): readonly string[] | null {
  const text = answerOf(checkout, ['show', `${commit}:package.json`])
  if (text === null) return null
  const [theirs, ours] = [text, readFileSync(join(checkout, 'package.json'), 'utf8')].map(packagesIn)
  return Object.entries(theirs ?? {})
    .filter(([name, version]) => majorOf(ours?.[name]) !== majorOf(version))
    .map(([name, version]) => `${name} ${version}`)
}

const packagesIn = (text: string): Readonly<Record<string, string>> =>
  // Our own package file.
  (JSON.parse(text) as { readonly dependencies?: Readonly<Record<string, string>> }).dependencies ?? {}

const majorOf = (version: string | undefined): string | undefined => version?.split('.')[0]

const here = fileURLToPath(new URL('../..', import.meta.url))

/** The release that `wish` names (a tag or a commit), else the newest release that was tagged before this commit, else this checkout. */
export function originOf(wish: string | undefined, checkout = here): Origin {
  const ref = wish ?? newestTag(checkout)
  if (ref === null) return { commit: null, title: 'this checkout, because no earlier release is tagged' }
  const commit = answerOf(checkout, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (commit === null) throw new Error(`There is no release ${ref} to upgrade from: git knows no such tag or commit.`)
  const short = commit.slice(0, 8)
  return { commit, title: commit.startsWith(ref) ? `commit ${short}` : `${ref} (commit ${short})` }
}

/** A tag of this very commit is the release under test, so it does not count. */
function newestTag(checkout: string): string | null {
  const order = ['-c', 'versionsort.suffix=-', 'tag', '--list', 'v[0-9]*', '--sort=-version:refname']
  return answerOf(checkout, [...order, '--merged', 'HEAD', '--no-contains', 'HEAD'])?.split('\n')[0] || null
}

/** Null if git refuses, as in a folder that is no checkout, or is not installed. */
function answerOf(checkout: string, args: readonly string[]): string | null {
  try {
    return execFileSync('git', args, {
      cwd: checkout,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return null
  }
}
