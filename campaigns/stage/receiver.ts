/**
 * The merchants' endpoint for callbacks. It records every arrival in order and verifies, on the raw body, what a careful merchant verifies:
 * the hash of Formula 2 or 6, on S2S APM of C1 or C2, and the signature header. Chapter 10 §11.1, chapter 20 §4.2.
 *
 * `behaviour` decides how it answers. An arrival counts only if the merchant has stored it: an endpoint that answers 500 has lost the
 * callback, and the gateway has to send it again.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  apmFormulas,
  cardFormulas,
  checkoutFormulas,
  type SigningKey,
  sign,
  signCheckout,
  signTree,
  webhookSignature,
} from '#domain/signature/signature.ts'
import { portOf } from '../../server/test/hosts/port-of.ts'
import { answerAs, type ReceiverBehaviour, stores } from './receiver-behaviour.ts'

export interface Arrival {
  /** Path and query of the request. */
  readonly path: string
  /** The merchant stored it. */
  readonly stored: boolean
  readonly paymentId: string
  readonly sequence: number
  readonly webhookId: string
  /** Entries of the signature header, one per active secret. */
  readonly signatures: number
  readonly body: string
  readonly fields: ReadonlyMap<string, string>
  /** Both signatures are valid. */
  readonly verified: boolean
}

/** The merchant's data for verification. */
export interface Trust {
  readonly password: string
  readonly webhookSecrets: readonly string[]
  readonly email: string
  /** First six and last four digits of the card of an order. */
  readonly pan10Of: (orderId: string) => string
  /** Whether the order was paid on S2S APM, whose callbacks are signed differently. */
  readonly isApm: (orderId: string) => boolean
}

export class Receiver {
  readonly arrivals: Arrival[] = []
  /** Decides how the endpoint answers a request; the number counts earlier arrivals. */
  behaviour: (path: string, number: number) => ReceiverBehaviour = () => 'ok'
  /** Of each merchant, by name. Known only once the merchants exist, and before the first callback. */
  readonly #trusts = new Map<string, Trust>()
  readonly #servers: Server[] = []
  #url = ''

  readonly #serve = (request: IncomingMessage, response: ServerResponse): void => {
    // An aborted request has not arrived.
    text(request).then(
      (body) => this.#take(request, response, body),
      () => undefined,
    )
  }

  #take({ url = '', headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const behaviour = this.behaviour(url, this.arrivals.length)
    const arrival = arrivalOf(headers, body, () => this.#trusts.get(merchantIn(url)))
    this.arrivals.push(Object.assign(arrival, { path: url, stored: stores(behaviour) }))
    answerAs(behaviour, response)
  }

  setTrust(merchant: string, trust: Trust): void {
    this.#trusts.set(merchant, trust)
  }

  trustOf(merchant: string): Trust | undefined {
    return this.#trusts.get(merchant)
  }

  /** The callback address of a merchant; `more` makes a separate address. */
  urlOf(merchant: string, more = ''): string {
    return `${this.#url}/${merchant}${more}`
  }

  /** Arrivals of each payment, in their order. */
  byPayment(): ReadonlyMap<string, readonly Arrival[]> {
    return Map.groupBy(this.arrivals, ({ paymentId }) => paymentId)
  }

  async open(): Promise<void> {
    this.#url = `${await this.openAnother()}/notify`
  }

  /** The same endpoints on another port, which is a separate origin for the gateway. */
  async openAnother(): Promise<string> {
    const server = createServer({ keepAliveTimeout: 75_000 }, this.#serve)
    this.#servers.push(server)
    return `http://127.0.0.1:${await startListening(server, 0)}`
  }

  /** Connections are refused for a while. */
  async outage(milliseconds: number): Promise<void> {
    const ports = this.#servers.map(portOf)
    await Promise.all(this.#servers.map(closeServer))
    await sleep(milliseconds)
    await Promise.all(this.#servers.map((server, index) => startListening(server, ports[index] ?? 0)))
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map(closeServer))
  }
}

function startListening(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject)
    resolve(portOf(server))
  })
  return promise
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

/** `/notify/<merchant>`, whatever follows. */
const merchantIn = (path: string): string => path.split(/[/?]/)[2] ?? ''

function arrivalOf(
  headers: IncomingHttpHeaders,
  body: string,
  trusted: () => Trust | undefined,
): Omit<Arrival, 'path' | 'stored'> {
  const fields = new Map(new URLSearchParams(body))
  const verifies = (trust = trusted()): boolean =>
    trust !== undefined && hashIsRight(fields, trust) && signatureIsRight(headers, body, trust)
  const verifiedAtOnce = verifies()
  return {
    // Checkout calls it `id`. Chapter 30 §5.5.
    paymentId: fields.get('trans_id') ?? fields.get('id') ?? '',
    sequence: Number(headers['webhook-sequence']),
    webhookId: String(headers['webhook-id']),
    signatures: String(headers['webhook-signature']).split(' ').length,
    body,
    fields,
    // The secrets may be known later than the first callback.
    get verified() {
      return verifiedAtOnce || verifies()
    },
  }
}

function hashIsRight(fields: ReadonlyMap<string, string>, { password, email, pan10Of, isApm }: Trust): boolean {
  const key = { password, digest: 'md5' } as const
  if (fields.has('order_number'))
    return signCheckout(checkoutFormulas.callback, Object.fromEntries(fields), key) === fields.get('hash')
  if (isApm(fields.get('order_id') ?? '')) return apmHash(Object.fromEntries(fields), key) === fields.get('hash')
  const values = { trans_id: fields.get('trans_id'), pan10: pan10Of(fields.get('order_id') ?? '') }
  // Formula 6: it never covers the e-mail of a payout. Chapter 10 §7.8.
  if (fields.get('action') === 'CREDIT2CARD') {
    return fields.get('hash') === sign(cardFormulas.creditFollowUp, values, key)
  }
  return fields.get('hash') === sign(cardFormulas.followUp, { ...values, email }, key)
}

/** C1, and C2 for payouts. Chapter 20 §4.2. */
function apmHash(fields: Readonly<Record<string, string>>, key: SigningKey): string {
  return fields['action'] === 'CREDIT2VIRTUAL' ? sign(apmFormulas.payoutCallback, fields, key) : signTree(fields, key)
}

function signatureIsRight(headers: IncomingHttpHeaders, body: string, { webhookSecrets }: Trust): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = Number(headers['webhook-timestamp'])
  const signatures = String(headers['webhook-signature']).split(' ')
  return webhookSecrets.some((secret) => signatures.includes(webhookSignature(secret, id, timestamp, body)))
}
