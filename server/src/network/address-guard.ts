/**
 * Guards requests to addresses that others chose (callbacks, domain checks) against reaching our own network.
 *
 * A name is resolved once per connection, all its addresses are checked, and the connection goes to exactly those addresses: a name that
 * would resolve differently the second time is never resolved again. The check is in undici's `connect` and not before the request,
 * where it could be forgotten or outdated.
 *
 * The rule lists what is public, not what is private: an overlooked range is refused.
 *
 * Deliberately absent: redirects (our clients do not follow them) and ports (a merchant may use any).
 *
 * Chapter 10 §11.1, "Addresses".
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface AddressRules {
  /** A sandbox instance, or an operator who allows it, may call its own network; then no address is refused. */
  readonly allowPrivate: boolean
  /** Private addresses that the operator listed are allowed. */
  readonly isListed?: (hostname: string, address: string) => boolean
  /** The system's resolver by default. */
  readonly resolve?: Resolve
}

interface AddressGuard {
  /** Parses a URL; throws if its text alone shows that it must not be requested. */
  parse(url: string): URL
  /** Resolves a name and fails unless all its addresses are allowed. */
  readonly lookup: LookupFunction
  /** For the `connect` option of an undici client, pool or agent. */
  readonly connect: buildConnector.connector
}

/** The message names the kind of address and never the address, which would tell a merchant about our network. */
export class AddressRefusedError extends Error {
  override readonly name = 'AddressRefusedError'
}

/** `tls` is the client certificate that a connection presents, if any. */
export function addressGuard(
  rules: AddressRules,
  connectTimeoutMs: number,
  tls: { readonly cert?: string; readonly key?: string; readonly ca?: string } = {},
): AddressGuard {
  const { allowPrivate, isListed = () => false, resolve = resolveBySystem } = rules
  const check: Check = (address, hostname) => {
    if (!allowPrivate && !isListed(hostname, address)) refuseUnlessPublic(address, hostname)
  }
  const lookup = checkedLookup(resolve, check)
  const open = buildConnector({ lookup, timeout: connectTimeoutMs, allowH2: false, ...tls })

  return {
    lookup,

    parse(text) {
      const url = parseWebUrl(text)
      const host = withoutBrackets(url.hostname)
      if (isIP(host) === 0) return url

      if (!allowPrivate) refuseOddSpelling(text, host)
      check(host, host)
      return url
    },

    connect(target, callback) {
      try {
        // A literal address is connected to without a look-up.
        if (isIP(target.hostname) !== 0) check(target.hostname, target.hostname)
      } catch (error) {
        callback(asError(error), null)
        return
      }
      open(target, callback)
    },
  }
}

/** Why an address is not public; null if it is. */
export function privateRange(address: string): string | null {
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return privateRangeOfIPv4(parsed)

  const embedded = embeddedIPv4(parsed)
  if (embedded) return privateRangeOfIPv4(embedded)
  if (parsed.range() !== 'unicast') return parsed.range()
  return parsed.match(globalUnicast) ? null : 'reserved'
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

// In a public range, but serves each machine of one hosting network its own metadata.
const publicMetadata = '168.63.129.16'

function privateRangeOfIPv4(address: ipaddr.IPv4): string | null {
  if (address.toString() === publicMetadata) return 'metadata'
  return address.range() === 'unicast' ? null : address.range()
}

// A translator on the way turns these into the embedded IPv4 address, so that one decides. They are not refused outright, because an
// IPv6-only network reaches all of IPv4 through NAT64. Other such forms are obsolete and refused.
// biome-ignore format: a table is read in columns.
const embeddings = [
  // prefix                                  first byte of the IPv4 address
  [ ipaddr.IPv6.parseCIDR('::ffff:0:0/96'),  12 ], // IPv4-mapped
  [ ipaddr.IPv6.parseCIDR('64:ff9b::/96'),   12 ], // NAT64
  [ ipaddr.IPv6.parseCIDR('2002::/16'),       2 ], // 6to4
] as const

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const embedding = embeddings.find(([prefix]) => address.match(prefix))
  if (!embedding) return null

  const [, start] = embedding
  return new ipaddr.IPv4(address.toByteArray().slice(start, start + 4))
}

type Check = (address: string, hostname: string) => void

function refuseUnlessPublic(address: string, hostname: string): void {
  const range = privateRange(address)
  if (range) throw new AddressRefusedError(`The address of ${hostname} is refused: ${range}.`)
}

function parseWebUrl(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new AddressRefusedError('The URL is not one of http or https.')
}

/**
 * `0x7f.1`, `2130706433` and `0177.0.0.1` are spellings of 127.0.0.1. They have no legitimate use and are refused wherever they lead, so
 * that other parsers of the URL need not agree with ours.
 */
function refuseOddSpelling(text: string, host: string): void {
  if (isIP(host) === 6) return
  const authority = /^[^:]*:[\\/]*([^\\/?#]*)/.exec(text.trim())?.[1] ?? ''
  const written = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  if (written !== host) throw new AddressRefusedError('The address is spelt in an unusual way.')
}

/** One bad address refuses the name: a name with a public and a private address is typical of an attack. */
function checkedLookup(resolve: Resolve, check: Check): LookupFunction {
  const resolveChecked = async (hostname: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(hostname)
    if (!first) throw new AddressRefusedError(`${hostname} has no address.`)
    for (const { address } of [first, ...others]) check(address, hostname)
    return [first, ...others]
  }

  return (hostname, { all }, callback) => {
    resolveChecked(hostname).then(
      ([first, ...others]) => {
        if (all) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(asError(error), ''),
    )
  }
}

const lookupAll = promisify(systemLookup)
const resolveBySystem: Resolve = (hostname) => lookupAll(hostname, { all: true })

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The address could not be checked.', { cause: error })
}
