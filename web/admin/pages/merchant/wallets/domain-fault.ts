/** Why a domain failed its last check, in words. */

// biome-ignore format: a table is read in columns.
const texts: Readonly<Partial<Record<string, string>>> = {
  dns:      'The domain name cannot be resolved (DNS).',
  connect:  'The server does not respond.',
  tls:      'The TLS certificate is not trusted.',
  timeout:  'The server did not respond in time.',
  redirect: 'The address redirects. The wallet provider does not follow redirects.',
  body:     'The server returns a different file.',
}

export function domainFaultText(fault: string): string {
  const [, status] = /^status:(\d+)$/.exec(fault) ?? []
  return texts[fault] ?? (status === undefined ? fault : `The server responds with status ${status}.`)
}
