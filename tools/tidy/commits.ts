/** Subjects of commits. The history is read by people who look for a change of behaviour, so each subject names one. */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'

interface Commit {
  readonly id: string
  readonly parents: number
  readonly subject: string
}

const mostCommits = 200
const longestSubject = 72

/** Those since the last release, at most 200. Null in a copy of the project without its history, such as an archive. */
export function recentCommits(folder: string): readonly Commit[] | null {
  const git = (...args: readonly string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
    return status === 0 ? stdout.trimEnd() : null
  }
  const top = git('rev-parse', '--show-toplevel')
  // A repository around the copy has a history of its own.
  if (top === null || realpathSync(top) !== realpathSync(folder)) return null
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*')
  const range = release === null ? 'HEAD' : `${release}..HEAD`
  const lines = git('log', `--max-count=${mostCommits}`, '--format=%h%x09%P%x09%s', range)
  if (lines === null) return null
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', parents = '', ...subject] = line.split('\t')
      return { id, parents: parents === '' ? 0 : parents.split(' ').length, subject: subject.join('\t') }
    })
}

const shape = /^[a-z0-9-]+(?:, [a-z0-9-]+)*: \S+ \S+/

/** As `commit: sentence`. */
export function complaintsAboutCommit({ id, parents, subject }: Commit): readonly string[] {
  const faults = [
    ...(parents > 1 ? ['is a merge; rebase instead, so that the history is one line'] : []),
    ...(shape.test(subject) ? [] : ['does not read "area: what it now does"']),
    ...(subject.length > longestSubject ? [`has ${subject.length} characters; ${longestSubject} are allowed`] : []),
    ...(subject.endsWith('.') ? ['ends with a period'] : []),
  ]
  return faults.map((fault) => `${id} "${subject}" ${fault}.`)
}
