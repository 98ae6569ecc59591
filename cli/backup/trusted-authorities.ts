/**
 * The authorities by which PostgreSQL's programs verify a server. The driver trusts those of Node if the address names none; libpq looks for a file in the home of
 * its user, and a user of a service or of a container has none.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'

interface Trusted {
  readonly environment: Readonly<Record<string, string>>
  remove(): void
}

/** Without a wait, because the program is started at once. */
export function trustedAuthorities(databaseUrl: string): Trusted {
  if (!/[?&]sslmode=verify-/.test(databaseUrl) || /[?&]sslrootcert=/.test(databaseUrl))
    return { environment: {}, remove: () => undefined }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authorities-'))
  const file = join(folder, 'authorities.pem')
  writeFileSync(file, getCACertificates('default').join('\n'))
  return { environment: { PGSSLROOTCERT: file }, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
