/**
 * Lists of addresses and ranges, and the caller's address (Chapter 10 §1.3 step 5, chapter 50 §1).
 *
 * An IPv4 address in its IPv6 form (`::ffff:203.0.113.7`, as dual-stack sockets show it) is treated as the IPv4 address, also in lists.
 * IPv6 ranges therefore never cover IPv4: `::/0` means every IPv6 address. Only the usual spelling of an address is accepted, because
 * `0x7f.1` or `010.0.0.1` mean different hosts to different programs.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface IpList {
  readonly isEmpty: boolean
  /** Always false for an empty list. */
  includes(address: string): boolean
}

type IpListReading =
  | { readonly ok: true; readonly list: IpList }
  /** One sentence for each invalid entry. */
  | { readonly ok: false; readonly faults: readonly string[] }

/** Reads entries as people type them: one address or range each; blank ones are skipped. */
export function parseIpList(texts: readonly string[]): IpListReading {
  const entries = texts.map((text) => text.trim()).filter((text) => text !== '')
  if (entries.length > MAX_ENTRIES)
    return { ok: false, faults: [`A list has at most ${MAX_ENTRIES} entries, not ${entries.length}.`] }

  const ranges = entries.map(rangeOf)
  const faults = ranges.filter((range) => typeof range === 'string')
  if (faults.length > 0) return { ok: false, faults }
  return { ok: true, list: listOf(ranges.filter((range) => typeof range !== 'string')) }
}

/** True if a merchant with this list may call from the address; an empty list allows all. */
export function allowsAddress(list: IpList, address: string): boolean {
  return list.isEmpty || list.includes(address)
}

export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
}

/**
 * The caller's address: the peer of the connection, or the one that a trusted proxy reports. Each proxy appends the peer that it saw, so
 * everything left of the right-most address that is not a trusted proxy was written by the caller. A hop that is not an address ends the
 * walk at the proxy that reported it.
 */
export function callerAddress(request: Caller, trustedProxies: IpList): string {
  let address = peerAddress(request)
  if (trustedProxies.isEmpty) return address

  const hops = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  while (trustedProxies.includes(address)) {
    const reported = normalize(withoutPort(hops.pop()?.trim() ?? ''))
    if (reported === null) return address
    address = reported
  }
  return address
}

/** The other end of the connection: the caller, or the last proxy. */
export const peerAddress = ({ socket }: Caller): string => normalize(socket.remoteAddress ?? '') ?? UNKNOWN

/**
 * What attempts from an address are counted against. Every IPv6 user has at least 2^64 addresses and can choose the second half of each, so
 * only the first half identifies them.
 */
export function countedAddress(address: string): string {
  const parsed = addressOf(address)
  return parsed?.kind() === 'ipv6' ? `${networkOf(parsed, OWN_BITS).toString()}/${OWN_BITS}` : address
}

const OWN_BITS = 64

/** Included in no list. A connection that has already closed has no address any more. */
const UNKNOWN = 'unknown'

/** Our own limit for the length of a list. */
const MAX_ENTRIES = 1000

type Address = ipaddr.IPv4 | ipaddr.IPv6

interface Range {
  readonly network: Address
  readonly bits: number
}

function listOf(ranges: readonly Range[]): IpList {
  return {
    isEmpty: ranges.length === 0,
    includes: (text) => {
      const address = addressOf(text)
      return (
        address !== null &&
        ranges.some(({ network, bits }) => network.kind() === address.kind() && address.match(network, bits))
      )
    },
  }
}

function addressOf(text: string): Address | null {
  // A link-local peer has a zone (`fe80::1%eth0`), which does not identify it.
  const zone = text.indexOf('%')
  const bare = zone === -1 ? text : text.slice(0, zone)
  return isIP(bare) === 0 ? null : ipaddr.process(bare)
}

const normalize = (text: string): string | null => addressOf(text)?.toString() ?? null

/** Some proxies append the peer's port: `203.0.113.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  const [, bracketed, ipv4] = /^\[([^\]]+)\](?::[0-9]+)?$|^([0-9.]+):[0-9]+$/.exec(hop) ?? []
  return bracketed ?? ipv4 ?? hop
}

/** The range, or a sentence about what is wrong with the text. */
function rangeOf(text: string): Range | string {
  const [base = '', prefix, ...rest] = text.split('/')
  const written = isIP(base) === 0 || base.includes('%') ? null : ipaddr.parse(base)
  if (!written || rest.length > 0)
    return `${quote(text)} is not an address or range; write one like 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`

  const widest = written.kind() === 'ipv4' ? 32 : 128
  const bits = prefix === undefined ? widest : prefixOf(prefix, widest)
  if (bits === null)
    return `${quote(text)} has no usable prefix length; write a number from 0 to ${widest} after the slash.`

  const network = networkOf(written, bits).toString()
  const address = written.toString()
  if (network !== address) {
    return `${quote(text)} names a single address with a prefix length; write ${network}/${bits} for the range or ${address} for the address.`
  }
  return toIPv4Range({ network: written, bits })
}

function prefixOf(text: string, widest: number): number | null {
  return /^(?:0|[1-9][0-9]{0,2})$/.test(text) && Number(text) <= widest ? Number(text) : null
}

function networkOf(address: Address, bits: number): Address {
  const cidr = `${address.toString()}/${bits}`
  return address.kind() === 'ipv4' ? ipaddr.IPv4.networkAddressFromCIDR(cidr) : ipaddr.IPv6.networkAddressFromCIDR(cidr)
}

function toIPv4Range({ network, bits }: Range): Range {
  const mapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_BITS
  return mapped ? { network: network.toIPv4Address(), bits: bits - MAPPED_BITS } : { network, bits }
}

/** `::ffff:0:0/96` contains the IPv4 addresses. */
const MAPPED_BITS = 96

/** Long input is shortened, because the sentence appears on a page and in a log. */
const quote = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
