/** Addresses that must not be called, in every spelling, and the few that may. The list is independent of the gateway's. */
import type { LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'

const publicAddress = '93.184.215.14'

/** What each name resolves to; the second of two lists applies from the second query on. */
// biome-ignore format: a table is read in columns.
const names: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'public.test':      [[publicAddress]],
  'redirects.test':   [[publicAddress]],
  'loopback.test':    [['127.0.0.1']],
  'loopback-v6.test': [['::1']],
  'mixed.test':       [[publicAddress, '127.0.0.1']],
  'mixed-v6.test':    [[publicAddress, '::1']],
  'mapped.test':      [['::ffff:127.0.0.1']],
  'nat64.test':       [['64:ff9b::7f00:1']],
  'metadata.test':    [['169.254.169.254']],
  'intranet.test':    [['10.0.0.7']],
  'unique-local.test': [['fd12:3456:789a::1']],
  'any.test':         [['0.0.0.0']],
  'rebinds.test':     [[publicAddress], ['127.0.0.1']],
  'rebinds-v6.test':  [[publicAddress], ['::1']],
}

/** A name server of the campaign, which remembers earlier queries. */
export function nameServer(): (hostname: string) => LookupAddress[] {
  const queryCounts = new Map<string, number>()
  return (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase()
    const answers = names[name] ?? (name === 'localhost' ? [['127.0.0.1', '::1']] : [[]])
    const times = queryCounts.get(name) ?? 0
    queryCounts.set(name, times + 1)
    return (answers[Math.min(times, answers.length - 1)] ?? []).map((address) => ({ address, family: isIP(address) }))
  }
}

// Two lists: one for both families would treat every IPv4 address as mapped into IPv6.
const [blockedV4, blockedV6] = [new BlockList(), new BlockList()]
// biome-ignore format: a table is read in columns.
for (const [network, prefix] of [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24],
  ['192.168.0.0', 16], ['198.18.0.0', 15], ['224.0.0.0', 4], ['240.0.0.0', 4], ['168.63.129.16', 32],
] as const) blockedV4.addSubnet(network, prefix, 'ipv4')
// biome-ignore format: a table is read in columns.
for (const [network, prefix] of [
  ['::', 96], ['::ffff:0:0', 96], ['64:ff9b::', 96], ['2002::', 16], ['fc00::', 7], ['fe80::', 10], ['ff00::', 8],
] as const) blockedV6.addSubnet(network, prefix, 'ipv6')

export const isPrivate = (address: string): boolean =>
  isIP(address) === 6 ? blockedV6.check(address, 'ipv6') : blockedV4.check(address, 'ipv4')

/** Hosts that must be refused. */
// biome-ignore format: a list is read in lines.
export const forbiddenHosts: readonly string[] = [
  '127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.1.', '0', '0.0.0.0',
  'localhost', 'localhost.', 'LOCALHOST', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]',
  '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '169.254.169.254', '169.254.170.2', '168.63.129.16',
  '192.0.0.192', '224.0.0.1', '255.255.255.255', '2852039166', '0xa9fea9fe', 'public.test@127.0.0.1', '①②⑦.⓪.⓪.①', '%31%32%37.0.0.1',
  'loopback.test', 'loopback.test.', 'loopback-v6.test', 'mixed.test', 'mixed-v6.test', 'mapped.test', 'nat64.test', 'metadata.test',
  'intranet.test', 'unique-local.test', 'any.test',
]

/** Hosts that are public at first: where they resolve or redirect to later must not be called. */
export const outsideHosts: readonly string[] = ['public.test', 'redirects.test', 'rebinds.test', 'rebinds-v6.test']
