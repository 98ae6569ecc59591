/**
 * The address of callbacks. It may carry a name and a password, which are sent as Basic authorization. They are kept sealed elsewhere: the
 * stored address has a reference in their place, and what people are shown has a mask.
 */
const placeholder = 'sealed'
const mask = '•••'

/** Name and password as they are written in the address, percent-encoded and divided by a colon. Null when there are none. */
export function credentialsIn(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return null
  return `${url.username}:${url.password}`
}

/** In place of those that the address has. */
export function withCredentials(address: string, credentials: string): string {
  const url = new URL(address)
  const colon = credentials.indexOf(':')
  url.username = credentials.slice(0, colon)
  url.password = credentials.slice(colon + 1)
  return url.href
}

/** The address as it is stored. */
export const withReference = (address: string, reference: string): string =>
  withCredentials(address, `${placeholder}:${reference}`)

/** Null for an address without credentials, and for one that was stored before they were sealed. */
export const referenceIn = (stored: string): string | null =>
  /^https?:\/\/sealed:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/.exec(stored)?.[1] ?? null

/** As people are shown it. The name is hidden as well, because some receivers take a token in its place. */
export function maskedAddress(address: string): string {
  if (hasMask(address) || credentialsIn(address) === null) return address
  const { protocol, host, pathname, search, hash } = new URL(address)
  return `${protocol}//${mask}@${host}${pathname}${search}${hash}`
}

/** Whether the address is the one that was shown, sent back with the mask in place of the credentials. */
export const hasMask = (address: string): boolean => address.includes(`//${mask}@`)

/**
 * What timeouts are counted and blocked by: without credentials, which are secret, and without query, since an order's number in it would
 * make an address of every callback. `store/callbacks/callback-address.ts` says the same to the database.
 */
export const addressKey = (address: string): string =>
  address.replace(/^([a-z]+:)[/\\]*(?:[^/\\?#]*@)?([^?#]*).*$/is, '$1//$2')
