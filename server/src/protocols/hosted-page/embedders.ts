/**
 * Who may show the page, a form or a hosted field inside a frame (`frame-ancestors`).
 *
 * The mapping's list decides. Without a list, the page may be framed by the sites of the session's return addresses, because payers
 * come from there. Hosted fields may be framed anywhere, because they receive their session by message only after loading. Fields of the
 * virtual terminal may be framed by the panel alone, whatever the merchant lists.
 */
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { SessionRecord } from '../../contracts/session-records.ts'
import type { SessionContext } from '../../payments/sessions/session-context.ts'

type Mapping = Pick<ProtocolMapping, 'embeddingOrigins'>

export function fieldEmbedders(mapping: Mapping, session: Pick<SessionRecord, 'kind' | 'request'>): string {
  const origins = fieldOrigins(mapping, session)
  return origins.length === 0 ? '*' : origins.join(' ')
}

/** The origins that may embed the fields of a session; empty means any. */
export function fieldOrigins(
  { embeddingOrigins }: Mapping,
  { kind, request }: Pick<SessionRecord, 'kind' | 'request'>,
): readonly string[] {
  if (kind !== 'terminal') return embeddingOrigins.includes('*') ? [] : embeddingOrigins
  return [new URL(request.urls.cancel ?? 'about:blank').origin]
}

export function pageEmbedders({ mapping, session }: Pick<SessionContext, 'mapping' | 'session'>): string {
  if (mapping.embeddingOrigins.length > 0) return mapping.embeddingOrigins.join(' ')
  const addresses = Object.values(session.request.urls).filter((address) => address !== null)
  const sites = [...new Set(addresses.flatMap(originsOf))]
  return sites.length === 0 ? "'none'" : sites.join(' ')
}

/** Other characters are allowed in a URL's host but have a meaning in a policy. */
const isPlainHost = (host: string): boolean => /^[a-z0-9.:[\]-]+$/.test(host)

/** Merchants write their address with and without `www`. The address of an app has no origin that could embed a frame. */
function originsOf(address: string): readonly string[] {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || !isPlainHost(url.host)) return []
  const { protocol, host } = url
  const twin = host.startsWith('www.') ? host.slice(4) : `www.${host}`
  const hasTwin = !/^[0-9.:[\]a-f]+$/i.test(host) && url.hostname.includes('.')
  return [host, ...(hasTwin ? [twin] : [])].map((one) => `${protocol}//${one}`)
}
