/** Why a domain failed its last check, in words. */

// biome-ignore format: a table is read in columns.
const texts: Readonly<Partial<Record<string, string>>> = {
  dns:      'Its name is not known to the DNS.',
  connect:  'Nobody answers there.',
  tls:      'Its certificate is not trusted.',
  timeout:  'It did not answer in time.',
  redirect: 'It redirects, which the maker does not follow.',
  body:     'It serves another file.',
}

export function domainFaultText(fault: string): string {
  const [, status] = /^status:(\d+)$/.exec(fault) ?? []
  return texts[fault] ?? (status === undefined ? fault : `It answers with status ${status}.`)
}
