/** An identity provider for tests, and a browser that signs in there as one of its people. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

interface Person {
  readonly email: string
  readonly name: string
  readonly groups: readonly string[]
  /** How the provider authenticated the person. */
  readonly amr?: readonly string[]
  readonly email_verified?: boolean
  /** The provider has an open session of the person since then. */
  readonly authenticatedSecondsAgo?: number
}

interface Habits {
  readonly clockOffsetMs: number
  /** It answers with its open session although it was asked to authenticate the person anew. */
  readonly ignoresPrompts: boolean
  /** The ID token has no `auth_time`. */
  readonly hidesAuthTime: boolean
}

export interface OidcSetting extends Habits {
  readonly people: Readonly<Record<string, Person>>
  readonly clientSecret: string
}

export interface IdentityHost {
  readonly issuer: string
  readonly clientSecret: string
  stop(): Promise<void>
}

export async function startIdentityHost(
  people: OidcSetting['people'],
  habits: Partial<Habits> = {},
): Promise<IdentityHost> {
  const clientSecret = 'a secret of the client that is long enough'
  const usual: Habits = { clockOffsetMs: 0, ignoresPrompts: false, hidesAuthTime: false }
  const workerData: OidcSetting = { people, clientSecret, ...usual, ...habits }
  const worker = new Worker(new URL('./provider-worker.ts', import.meta.url), {
    workerData,
    // The provider warns about its own development features.
    stdout: true,
    stderr: true,
  })
  const [issuer] = (await once(worker, 'message')) as [string]
  return { issuer, clientSecret, stop: async () => void (await worker.terminate()) }
}

export const oidcSettings = ({ issuer, clientSecret }: IdentityHost, groups: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: 'gatehouse',
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_GROUPS: groups,
  OIDC_TITLE: 'Acme ID',
})

/** Follows redirects with cookies, as a browser does, and can stop on the way. */
export class Traveller {
  readonly #jar = new Map<string, Map<string, string>>()

  /** The cookie header for an address. */
  cookiesFor(url: string): string {
    const own = this.#jar.get(new URL(url).host) ?? new Map()
    return [...own].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async visit(url: string): Promise<Response> {
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie: this.cookiesFor(url) } })
    const { host } = new URL(url)
    const own = this.#jar.get(host) ?? new Map<string, string>()
    this.#jar.set(host, own)
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/)
      if (value === '') own.delete(name)
      else own.set(name, value)
    }
    return reply
  }

  /** From the panel to the provider, where the person signs in, until the address of the panel to which the browser is sent back. */
  async signInAt(start: string, person: string): Promise<string> {
    let next = start
    for (let hops = 0; hops < 12; hops += 1) {
      const reply = await this.visit(next)
      const location = reply.headers.get('location')
      if (location === null) throw new Error(`${reply.status} at ${next}: ${(await reply.text()).slice(0, 500)}`)
      next = new URL(location, next).href
      if (next.includes('/interaction/')) next = `${next}?person=${person}`
      if (/\/admin\/(sso\/callback|sign-in)/.test(next)) return next
    }
    throw new Error(`Still on the way at ${next}.`)
  }
}
