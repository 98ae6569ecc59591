/** Whether the connection to the database is safe from eavesdropping. */
const localHosts: ReadonlySet<string> = new Set(['', 'localhost', '127.0.0.1', '::1', '[::1]'])
const encryptedModes: ReadonlySet<string> = new Set(['require', 'verify-ca', 'verify-full', 'no-verify'])

/** The host of an unencrypted connection; null if it is encrypted or local. */
export function unencryptedHost(databaseUrl: string): string | null {
  // A socket URL may have no host at all, which the URL class does not accept.
  const url = URL.parse(databaseUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?\//, '$1localhost/'))
  if (url === null) return null
  const host = url.searchParams.get('host') ?? url.hostname
  if (host.startsWith('/') || host.startsWith('%2F') || localHosts.has(host)) return null
  const mode = url.searchParams.get('sslmode')
  return (mode !== null && encryptedModes.has(mode)) || url.searchParams.get('ssl') === 'true' ? null : host
}
