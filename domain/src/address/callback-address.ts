/**
 * The callback address. It may carry a name and a password, sent as Basic authorization. They are stored sealed elsewhere: the stored
 * address has a reference in their place, and the address in the panel has a mask.
 */
import { uuidPattern } from '../uuid.ts'

const placeholder = 'sealed'
const mask = '•••'

/** Name and password as written in the address: percent-encoded, separated by a colon. Null when there are none. */
export function credentialsIn(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return null
  return `${url.username}:${url.password}`
}

/** Replaces the credentials that the address already has. */
export function withCredentials(address: string, credentials: string): string {
  const url = new URL(address)
  const colon = credentials.indexOf(':')
  url.username = credentials.slice(0, colon)
  url.password = credentials.slice(colon + 1)
  return url.href
}

/** The stored form of the address, without its credentials. */
export const withReference = (address: string, reference: string): string =>
  withCredentials(address, `${placeholder}:${reference}`)

/** Null for an address without credentials, and for one that was stored before they were sealed. */
export const referenceIn = (stored: string): string | null => sealedAddress.exec(stored)?.[1] ?? null

const sealedAddress = new RegExp(`^https?://sealed:(${uuidPattern})@`)

/** For display. The name is hidden as well, because some receivers expect a token in its place. */
export function maskedAddress(address: string): string {
  if (hasMask(address) || credentialsIn(address) === null) return address
  const { protocol, host, pathname, search, hash } = new URL(address)
  return `${protocol}//${mask}@${host}${pathname}${search}${hash}`
}

/** True for an address that a form sent back unchanged, with the mask in place of the credentials. */
export const hasMask = (address: string): boolean => address.includes(`//${mask}@`)

/**
 * The key for counting timeouts and blocking. It has no credentials, which are secret, and no query, because an order number in the query
 * would make each callback an address of its own. `store/callbacks/callback-address.ts` computes the same key in SQL.
 */
export const addressKey = (address: string): string =>
  address.replace(/^([a-z]+:)[/\\]*(?:[^/\\?#]*@)?([^?#]*).*$/is, '$1//$2')
