/**
 * The cookies of the panel: the session's, and the state of a single sign-on under way. Scripts cannot read them. Over https their prefix
 * `__Host-` makes browsers refuse them from plain http and from any other host, also one below the panel's, such as that of a merchant's form.
 * A sandbox on plain http has the names without the prefix, because not every browser accepts the prefix there.
 */
import type { Site } from '../../../panel/access/passkeys.ts'

/** A null token deletes the cookie. `Strict`: no other site can send it. */
export const sessionCookie = (site: Site, token: string | null): string =>
  cookieLine(site, sessionName, { value: token, sameSite: 'Strict', maxAge: null })

/** `Lax`, because the browser comes back from the identity provider's site. A null state deletes the cookie. */
export const stateCookie = (site: Site, state: string | null, maxAge: number): string =>
  cookieLine(site, stateName, { value: state, sameSite: 'Lax', maxAge })

interface CookieValue {
  readonly value: string | null
  readonly sameSite: 'Strict' | 'Lax'
  /** In seconds; null until the browser closes. */
  readonly maxAge: number | null
}

function cookieLine(site: Site, name: string, { value, sameSite, maxAge }: CookieValue): string {
  const flags = isSecure(site) ? '; Path=/; Secure' : '; Path=/admin'
  const age = value === null ? 0 : maxAge
  return `${nameOn(site, name)}=${value ?? ''}; HttpOnly; SameSite=${sameSite}${flags}${age === null ? '' : `; Max-Age=${age}`}`
}

export const cookieOf = (site: Site, header: string): string => valueIn(header, nameOn(site, sessionName))

export const stateOf = (site: Site, header: string): string => valueIn(header, nameOn(site, stateName))

function valueIn(header: string, name: string): string {
  const start = `${name}=`
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start))
  return found?.slice(start.length) ?? ''
}

export const cookieName = (site: Site): string => nameOn(site, sessionName)

const sessionName = 'gatehouse-admin'
const stateName = 'gatehouse-sso'

const nameOn = (site: Site, name: string): string => (isSecure(site) ? `__Host-${name}` : name)

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')
