/** The address of the page as the payer's browser sees it, which wallet providers and issuers check. */
import type { FastifyRequest } from 'fastify'

export interface PageAddress {
  /** The wallet provider checks it. */
  readonly host: string
  readonly secure: boolean
  /** The address under which that page reaches this service, without a slash at its end. */
  readonly base: string
  /** A document without an origin: a merchant's form in its sandbox, where no wallet works. */
  readonly opaque: boolean
}

/** Behind a proxy the public address gives the scheme and the request the host that the browser used. */
export function pageAddressOf(request: Pick<FastifyRequest, 'headers'>, publicUrl: string): PageAddress {
  const foreign = foreignOrigin(request, publicUrl)
  if (foreign) return { host: foreign.hostname, secure: foreign.protocol === 'https:', base: publicUrl, opaque: false }
  const { protocol, hostname, pathname } = new URL(publicUrl)
  const secure = protocol === 'https:'
  const opaque = isOpaque(request)
  const address = ownAddress(request, protocol)
  if (address === null || address.hostname === '') return { host: hostname, secure, base: publicUrl, opaque }
  return { host: address.hostname, secure, base: `${protocol}//${address.host}${pathname}`.replace(/\/+$/, ''), opaque }
}

/** Browsers send this origin for every sandboxed document, whichever merchant it belongs to. */
export const isOpaque = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers.origin === 'null'

/** The origin of a merchant's own page; null for our own pages and for clients that are not browsers. */
export function foreignOrigin({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): URL | null {
  const origin = headers.origin === undefined ? null : URL.parse(headers.origin)
  if (!origin) return null
  const { protocol, host } = new URL(publicUrl)
  const isOwn = origin.host === host || origin.host === ownAddress({ headers }, protocol)?.host
  return isOwn ? null : origin
}

const ownAddress = ({ headers }: Pick<FastifyRequest, 'headers'>, protocol: string): URL | null =>
  URL.parse(`${protocol}//${headers.host ?? ''}`)
