/** Where a live instance may send card numbers: to public addresses over https, and to private ones that the operator listed. */
import { isIP } from 'node:net'
import { privateRange } from './address-guard.ts'
import { type IpList, parseIpList } from './ip-list.ts'

/** ALLOW_PRIVATE_ACQUIRERS: host names, addresses and ranges of private connections to acquirers and to the 3DS server. */
export interface PrivateAcquirers {
  readonly hosts: ReadonlySet<string>
  readonly ranges: IpList
}

/** An entry that is not an address or range is a host name. */
export function readPrivateAcquirers(text: string): PrivateAcquirers {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase())
  const readings = entries.filter(Boolean).map((entry) => ({ entry, read: parseIpList([entry]) }))
  const lists = readings.flatMap(({ read }) => (read.ok ? [read.list] : []))
  return {
    hosts: new Set(readings.flatMap(({ entry, read }) => (read.ok ? [] : [entry]))),
    ranges: { isEmpty: lists.length === 0, includes: (address) => lists.some((list) => list.includes(address)) },
  }
}

export const isListed = ({ hosts, ranges }: PrivateAcquirers, host: string, address: string): boolean =>
  hosts.has(host.toLowerCase()) || ranges.includes(address)

/** The fault of the address by its text alone, or null. Resolved addresses are checked when connecting. */
export function addressFault(text: string, allowed: PrivateAcquirers): string | null {
  // A line has the rules of https or http. Only for those does the parser resolve unusual spellings of an address.
  const isLine = /^(tls|tcp):\/\//i.test(text)
  const url = URL.parse(text.replace(/^tls:/i, 'https:').replace(/^tcp:/i, 'http:'))
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'It is not an https address.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const range = isIP(host) === 0 ? (isLocal ? 'loopback' : null) : privateRange(host)
  const listed = isListed(allowed, host, isLocal ? '127.0.0.1' : host)
  // A local program that adds TLS, such as a tunnel, is reached without leaving the machine.
  if (url.protocol === 'http:' && !(range === 'loopback' && listed))
    return `It is plain ${isLine ? 'TCP' : 'http'}, which sends card numbers unencrypted.`
  return range !== null && !listed ? `It is a private address (${range}).` : null
}

export const addressRemedy =
  'Use the https address of the acquirer. To allow a private connection, add its host or range to ALLOW_PRIVATE_ACQUIRERS.'
