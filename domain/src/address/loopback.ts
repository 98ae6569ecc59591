/** Names of the machine itself. What is below `localhost` never leaves it either (RFC 6761 §6.3). */

const addresses: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', '::1'])

export const isThisMachine = (host: string): boolean =>
  host === 'localhost' || addresses.has(host) || host.endsWith('.localhost')

/** Where a host is the machine itself, its usual name; any other host stays. */
export const usualName = (host: string): string => (isThisMachine(host) ? 'localhost' : host)
