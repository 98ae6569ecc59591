/** Whether the way to the database is safe from readers in between. */
const localHosts: ReadonlySet<string> = new Set(['', 'localhost', '127.0.0.1', '::1', '[::1]'])
const encrypting: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full', 'no-verify'])

/** The host of a connection that is not encrypted; null when it is, or never leaves the machine. */
export function plainHost(databaseUrl: string): string | null {
  // A URL of a socket may have no host at all, which the URL class does not take.
  const url = URL.parse(databaseUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?\//, '$1localhost/'))
  if (url === null) return null
  const given = url.searchParams.get('host') ?? url.hostname
  if (given.startsWith('/') || given.startsWith('%2F') || localHosts.has(given)) return null
  const mode = url.searchParams.get('sslmode')
  return (mode !== null && encrypting.has(mode)) || url.searchParams.get('ssl') === 'true' ? null : given
}
