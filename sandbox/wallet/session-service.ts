/**
 * Replaces the wallet provider's merchant-session service (Chapter 40 §16, §20.1): HTTPS with mutual TLS on its own port.
 *
 * The client certificate is verified here and not by TLS, because TLS uses the machine's time, and these certificates are valid by the test
 * clock.
 */
import { randomBytes, sign, X509Certificate } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { TLSSocket } from 'node:tls'
import { isObject } from '#domain/json.ts'
import type { Authority } from './certificates/authority.ts'
import { pem } from './certificates/certificate.ts'
import { hashOf } from './certificates/merchant-certificate.ts'

interface SessionAddress {
  readonly url: string
  readonly caPem: string
}

/** The domains registered for a Merchant Identifier; undefined if none was registered. */
type Registrations = (merchantIdentifier: string) => readonly string[] | undefined

export class SessionService {
  readonly #authority: Authority
  readonly #registrations: Registrations
  #server: Server | undefined
  #address: Promise<SessionAddress> | undefined

  constructor(authority: Authority, registrations: Registrations) {
    this.#authority = authority
    this.#registrations = registrations
  }

  /** Starts to listen on the first call. */
  address(): Promise<SessionAddress> {
    this.#address ??= this.#listen()
    return this.#address
  }

  async close(): Promise<void> {
    await this.#address
    const server = this.#server
    if (server === undefined) return
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async #listen(): Promise<SessionAddress> {
    const { sessionRoot, sessionHost } = await this.#authority.session()
    const key = sessionHost.key.privateKey.export({ format: 'pem', type: 'pkcs8' })
    const terms = { requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.2' } as const
    const server = createServer({ key, cert: pem(sessionHost), ...terms }, (request, response) => {
      this.#serve(request).then(
        (answer) => send(response, answer),
        () => send(response, refusal(500, 'The session service failed.')),
      )
    })
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The session service has no port.')
    return { url: `https://127.0.0.1:${address.port}${PATH}`, caPem: pem(sessionRoot) }
  }

  async #serve(request: IncomingMessage): Promise<Answer> {
    if (request.method !== 'POST' || request.url !== PATH) return refusal(404, 'Not found.')
    const sessionRequest = await readBody(request)
    if (sessionRequest === null) return refusal(400, 'The request does not have the documented form.')
    const { socket } = request
    const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
    const wrong = await this.#wrongWith(certificate, sessionRequest)
    return wrong === null ? { status: 200, body: await this.#session(sessionRequest) } : refusal(417, wrong)
  }

  async #wrongWith(certificate: X509Certificate | undefined, sessionRequest: SessionRequest): Promise<string | null> {
    if (certificate === undefined) return 'No client certificate.'
    const { merchants } = await this.#authority.session()
    const issuer = new X509Certificate(merchants.der)
    const now = this.#authority.now()
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) {
      return 'The certificate was not issued by the sandbox authority.'
    }
    if (now < certificate.validFromDate || now > certificate.validToDate) return 'The certificate is not valid now.'
    if (!certificate.subject.split('\n').includes(`UID=${sessionRequest.merchantIdentifier}`)) {
      return 'The certificate was issued for another Merchant Identifier.'
    }
    return this.#wrongDomain(sessionRequest)
  }

  #wrongDomain({ merchantIdentifier, initiativeContext }: SessionRequest): string | null {
    if (!domainForm.test(initiativeContext)) return 'initiativeContext is not a host name.'
    const domains = this.#registrations(merchantIdentifier)
    if (domains === undefined || domains.includes(initiativeContext)) return null
    return 'The domain is not registered for the Merchant Identifier.'
  }

  async #session({ merchantIdentifier, displayName, initiativeContext }: SessionRequest): Promise<object> {
    const { leafEc } = await this.#authority.chain()
    const at = this.#authority.now().getTime()
    const session = {
      epochTimestamp: at,
      expiresAt: at + LIFETIME_MS,
      merchantSessionIdentifier: `SSH${randomBytes(24).toString('hex').toUpperCase()}`,
      nonce: randomBytes(4).toString('hex'),
      merchantIdentifier: hashOf(merchantIdentifier).toUpperCase(),
      domainName: initiativeContext,
      displayName,
    }
    const signature = sign('sha256', Buffer.from(JSON.stringify(session)), leafEc.key.privateKey).toString('hex')
    return { ...session, signature }
  }
}

const PATH = '/paymentservices/paymentSession'
const LIFETIME_MS = 300_000
const MAX_BODY_BYTES = 16_384
/** Lower-case host names of two labels or more, and the name that tests use. */
const domainForm = /^(?:localhost|(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62})$/

interface SessionRequest {
  readonly merchantIdentifier: string
  readonly displayName: string
  readonly initiative: 'web'
  readonly initiativeContext: string
}

interface Answer {
  readonly status: number
  readonly body: object
}

const refusal = (status: number, statusMessage: string): Answer => ({ status, body: { statusMessage } })

async function readBody(request: IncomingMessage): Promise<SessionRequest | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return isSessionRequest(body) ? body : null
  } catch {
    return null
  }
}

function isSessionRequest(body: unknown): body is SessionRequest {
  if (!isObject(body)) return false
  const { merchantIdentifier, displayName, initiative, initiativeContext } = body
  const texts = [merchantIdentifier, displayName, initiativeContext]
  return initiative === 'web' && texts.every((text) => typeof text === 'string' && text !== '')
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
