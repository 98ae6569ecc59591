/** The programs of the system that a cluster consists of. */
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface Tools {
  /** The folder of PostgreSQL's programs. */
  readonly postgresqlPrograms: string
}

const programs = ['ip', 'setpriv', 'etcd', 'patroni', 'haproxy']
const packages = 'etcd-server patroni haproxy postgresql iproute2'

/** What this machine lacks for a cluster, as a sentence; null if it can run one. */
export function explainMissingTools(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'A cluster on one machine needs root on Linux.'
  const missing = programs.filter((program) => !isInstalled(program))
  if (findPostgresql() === null) missing.push('postgres')
  return missing.length === 0
    ? null
    : `A cluster needs ${missing.join(', ')}. On Debian: apt-get install --no-install-recommends ${packages}`
}

export function requireTools(): Tools {
  const missing = explainMissingTools()
  if (missing !== null) throw new Error(missing)
  return { postgresqlPrograms: findPostgresql() ?? '' }
}

const isInstalled = (program: string): boolean =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/sbin'].some((folder) =>
    existsSync(join(folder, program)),
  )

const servers = '/usr/lib/postgresql'

/** The newest server of Debian's packages. */
export function findPostgresql(): string | null {
  const versions = existsSync(servers) ? readdirSync(servers).map(Number) : []
  const folders = versions.toSorted((a, b) => b - a).map((version) => join(servers, String(version), 'bin'))
  return folders.find((folder) => existsSync(join(folder, 'postgres'))) ?? null
}
