/** The release from which the campaign `upgrade` upgrades. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

interface Origin {
  /** Null for this checkout as it is, with changes that are not committed. */
  readonly commit: string | null
  /** As the campaign prints it. */
  readonly title: string
}

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
    return execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
