/** The session's cookie: out of reach for scripts, for other sites, and over https for other hosts and for http as well. */
import type { Site } from '../../../panel/access/passkeys.ts'

/** Null takes the cookie away. */
export function sessionCookie(site: Site, token: string | null): string {
  const flags = isSecure(site) ? '; Path=/; Secure' : '; Path=/admin'
  return `${nameAt(site)}=${token ?? ''}; HttpOnly; SameSite=Strict${flags}${token === null ? '; Max-Age=0' : ''}`
}

export function cookieOf(site: Site, header: string): string {
  const name = `${nameAt(site)}=`
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(name))
  return found?.slice(name.length) ?? ''
}

/** The prefix makes a browser refuse the cookie from anywhere but this host over https. */
const nameAt = (site: Site): string => (isSecure(site) ? '__Host-gatehouse-admin' : 'gatehouse-admin')

const isSecure = ({ origin }: Site): boolean => origin.startsWith('https:')
