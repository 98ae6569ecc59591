/** A real identity provider, in its own thread because its clock can be wrong. Its sign-in page is a list of people. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { OidcSetting } from './identity-host.ts'

const { people, clockOffsetMs, clientSecret, ignoresPrompts, hidesAuthTime } = workerData as OidcSetting

const { now } = Date
Reflect.set(Date, 'now', () => now() + clockOffsetMs)

interface Grant {
  addOIDCScope(scope: string): void
  save(): Promise<string>
}

interface GrantContext {
  readonly oidc: {
    readonly provider: { readonly Grant: new (of: object) => Grant }
    readonly client?: { readonly clientId: string }
    readonly session?: { readonly accountId: string }
  }
}

interface IdentityProvider {
  readonly Client: {
    readonly prototype: { redirectUriAllowed: () => boolean; postLogoutRedirectUriAllowed: () => boolean }
  }
  callback(): (request: IncomingMessage, reply: ServerResponse) => void
  interactionFinished(request: IncomingMessage, reply: ServerResponse, result: object): Promise<void>
}

// The package has no types of its own, and must see the wrong clock from its first line.
const packageName: string = 'oidc-provider'
const { Provider }: { readonly Provider: new (issuer: string, options: object) => IdentityProvider } = await import(
  packageName
)

const server = createServer((request, reply) => {
  const url = new URL(request.url ?? '', issuer)
  const { pathname, searchParams } = url
  if (ignoresPrompts && pathname === '/auth') {
    for (const name of ['prompt', 'max_age']) searchParams.delete(name)
    request.url = `${pathname}${url.search}`
  }
  if (!pathname.startsWith('/interaction/')) return provider.callback()(request, reply)
  void signIn(request, reply, searchParams.get('person'))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`

async function signIn(request: IncomingMessage, reply: ServerResponse, person: string | null): Promise<void> {
  if (person === 'nobody') {
    const refusal = { error: 'access_denied', error_description: 'The user said no.' }
    return provider.interactionFinished(request, reply, refusal)
  }
  if (person !== null) {
    const ts = Math.floor((now() + clockOffsetMs) / 1000) - (people[person]?.authenticatedSecondsAgo ?? 0)
    return provider.interactionFinished(request, reply, { login: { accountId: person, ts } })
  }
  const links = Object.keys(people).map((name) => `<li><a href="?person=${name}">${name}</a></li>`)
  reply
    .setHeader('content-type', 'text/html')
    .end(`<!doctype html><title>Who are you?</title><ul>${links.join('')}</ul>`)
}

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'gatehouse',
      client_secret: clientSecret,
      redirect_uris: ['http://127.0.0.1/any'],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      require_auth_time: !hidesAuthTime,
    },
  ],
  claims: { openid: ['sub', 'amr'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'profile', 'email', 'groups'],
  features: { rpInitiatedLogout: { enabled: true }, devInteractions: { enabled: false } },
  interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
  pkce: { required: () => true },
  findAccount: (_: unknown, sub: string) => ({
    accountId: sub,
    claims: async () => ({ sub, email_verified: true, ...people[sub] }),
  }),
  // No question for consent: provider and instance belong to one company.
  loadExistingGrant: async ({ oidc }: GrantContext) => {
    const grant = new oidc.provider.Grant({ clientId: oidc.client?.clientId, accountId: oidc.session?.accountId })
    grant.addOIDCScope('openid profile email groups')
    await grant.save()
    return grant
  },
})
// The addresses of a test's panel are known only when it runs.
provider.Client.prototype.redirectUriAllowed = () => true
provider.Client.prototype.postLogoutRedirectUriAllowed = () => true

parentPort?.postMessage(issuer)
