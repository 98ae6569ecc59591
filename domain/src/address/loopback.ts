/** Names of the machine itself. Hosts below `localhost` also resolve to loopback (RFC 6761 §6.3). */

const addresses: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', '::1'])

export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || addresses.has(host) || host.endsWith('.localhost')

/** `localhost` for every name of the machine itself; any other host is unchanged. */
export const usualName = (host: string): string => (isThisMachine(host) ? 'localhost' : host)
