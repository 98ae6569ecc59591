/** The session's cookie. Scripts and other sites cannot read or send it; over https, other hosts and plain http cannot either. */
import type { Site } from '../../../panel/access/passkeys.ts'

/** A null token deletes the cookie. */
export function sessionCookie(site: Site, token: string | null): string {
  const flags = isSecure(site) ? '; Path=/; Secure' : '; Path=/admin'
  return `${cookieName(site)}=${token ?? ''}; HttpOnly; SameSite=Strict${flags}${token === null ? '; Max-Age=0' : ''}`
}

export function cookieOf(site: Site, header: string): string {
  const name = `${cookieName(site)}=`
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  return found?.slice(name.length) ?? ''
}

/** With the prefix `__Host-` browsers accept the cookie only from this host over https. */
export const cookieName = (site: Site): string => (isSecure(site) ? '__Host-gatehouse-admin' : 'gatehouse-admin')

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')
