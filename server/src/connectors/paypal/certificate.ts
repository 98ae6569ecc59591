/**
 * The certificate that signs PayPal's webhooks: fetched from PayPal's own host, whatever host the notification names, checked up to a public
 * authority, and remembered for the MID, since PayPal uses one for months.
 */
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import type { PaypalCredentials } from './credentials.ts'
import type { PaypalWire } from './orders.ts'

const hosts: ReadonlySet<string> = new Set([
  'api.paypal.com',
  'api-m.paypal.com',
  'api.sandbox.paypal.com',
  'api-m.sandbox.paypal.com',
])

/** The path at our own host of certificates; null if the address is none of PayPal's. With a base URL the address must be below it. */
export function certificatePath(address: string, { base_url }: PaypalCredentials): string | null {
  const url = URL.parse(address)
  if (url?.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return null
  const path = pathBelow(url, base_url)
  return path !== null && /^\/v1\/notifications\/certs\/[A-Za-z0-9._-]{1,200}$/.test(path) ? path : null
}

function pathBelow(url: URL, base: string | undefined): string | null {
  if (base === undefined) return url.protocol === 'https:' && hosts.has(url.host) ? url.pathname : null
  const prefix = new URL(base).href.replace(/\/+$/, '')
  return url.href.startsWith(`${prefix}/`) ? url.href.slice(prefix.length) : null
}

const known = new WeakMap<PaypalCredentials, Map<string, X509Certificate>>()
const mostKnown = 16

/** Null if PayPal has no such certificate, or if it is not PayPal's. Throws `WireFault` and nothing else. */
export async function fetchSigningCertificate(
  path: string,
  at: Date,
  wire: PaypalWire,
): Promise<X509Certificate | null> {
  const held = known.get(wire.credentials) ?? new Map<string, X509Certificate>()
  known.set(wire.credentials, held)
  const remembered = held.get(path)
  if (remembered) return isValidAt(remembered, at) ? remembered : null

  const reply = await wire.get(path, { host: 'certificates', headers: { accept: '*/*' } })
  const chain = reply.status === 200 ? chainIn(reply.text()) : []
  const leaf = trustedLeaf(chain, authoritiesOf(wire.credentials), at)
  if (!leaf) return null
  if (held.size >= mostKnown) held.clear()
  held.set(path, leaf)
  return leaf
}

function chainIn(text: string): readonly X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.slice(0, 8).map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

let publicAuthorities: readonly X509Certificate[] | undefined

/** A stand-in has an authority of its own. It counts only where the operator has replaced PayPal's address. */
function authoritiesOf({ base_url, webhook_authority }: PaypalCredentials): readonly X509Certificate[] {
  publicAuthorities ??= rootCertificates.map((text) => new X509Certificate(text))
  return base_url === undefined || webhook_authority === undefined
    ? publicAuthorities
    : [...chainIn(webhook_authority), ...publicAuthorities]
}

/** The first certificate, if it is PayPal's and every one is issued by the next, up to an authority. */
function trustedLeaf(
  chain: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  at: Date,
): X509Certificate | null {
  const [leaf, ...issuers] = chain
  if (!leaf || leaf.ca || !isNamedForWebhooks(leaf) || !isValidAt(leaf, at)) return null
  let last = leaf
  for (const issuer of issuers) {
    if (!issuer.ca || !isValidAt(issuer, at) || !isIssuedBy(last, issuer)) break
    last = issuer
  }
  const authority = authorities.find((candidate) => isValidAt(candidate, at) && isIssuedBy(last, candidate))
  return authority ? leaf : null
}

/** PayPal's SDKs demand this name: `messageverificationcerts.paypal.com`, and one of the sandbox. */
const isNamedForWebhooks = ({ subject }: X509Certificate): boolean =>
  subject.split('\n').some((part) => /^CN=messageverificationcerts(\.[a-z0-9-]+)*\.paypal\.com$/.test(part))

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: Date): boolean =>
  at >= validFromDate && at <= validToDate
