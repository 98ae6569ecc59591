/**
 * The merchant's endpoint for callbacks. Keeps every arrival in its order and checks, on the raw body, what a careful merchant
 * checks: the hash of Formula 2 or 6 and the signature header. Chapter 10 §11.1.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { cardFormulas, sign, webhookSignature } from '#domain/signature.ts'

export interface Arrival {
  readonly paymentId: string
  readonly sequence: number
  readonly webhookId: string
  readonly body: string
  readonly fields: ReadonlyMap<string, string>
  /** Both signatures are right. */
  readonly verified: boolean
}

/** What the merchant knows that lets him verify. */
export interface Trust {
  readonly password: string
  readonly webhookSecrets: readonly string[]
  readonly email: string
  /** First six and last four digits of the card that an order was paid with. */
  readonly pan10Of: (orderId: string) => string
}

export class Receiver {
  readonly arrivals: Arrival[] = []
  /** Known only once the merchant is furnished, and before the first callback. */
  trust: Trust | null = null
  readonly #server: Server
  #url = ''

  constructor() {
    this.#server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
      void text(request).then((body) => {
        this.arrivals.push(arrivalOf(request.headers, body, this.trust))
        response.end('OK')
      })
    })
  }

  get url(): string {
    return this.#url
  }

  /** Arrivals of each payment, in their order. */
  byPayment(): ReadonlyMap<string, readonly Arrival[]> {
    return Map.groupBy(this.arrivals, ({ paymentId }) => paymentId)
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('The receiver has no port.')
    this.#url = `http://127.0.0.1:${address.port}/notify`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

function arrivalOf(headers: IncomingHttpHeaders, body: string, trust: Trust | null): Arrival {
  const fields = new Map(new URLSearchParams(body))
  return {
    paymentId: fields.get('trans_id') ?? '',
    sequence: Number(headers['webhook-sequence']),
    webhookId: String(headers['webhook-id']),
    body,
    fields,
    verified: trust !== null && hashIsRight(fields, trust) && signatureIsRight(headers, body, trust),
  }
}

function hashIsRight(fields: ReadonlyMap<string, string>, { password, email, pan10Of }: Trust): boolean {
  const key = { password, digest: 'md5' } as const
  const values = { trans_id: fields.get('trans_id'), pan10: pan10Of(fields.get('order_id') ?? '') }
  // Formula 6: the e-mail of a payout never takes part. Chapter 10 §7.8.
  if (fields.get('action') === 'CREDIT2CARD') {
    return fields.get('hash') === sign(cardFormulas.creditFollowUp, values, key)
  }
  return fields.get('hash') === sign(cardFormulas.followUp, { ...values, email }, key)
}

function signatureIsRight(headers: IncomingHttpHeaders, body: string, { webhookSecrets }: Trust): boolean {
  const id = String(headers['webhook-id'])
  const timestamp = Number(headers['webhook-timestamp'])
  const given = String(headers['webhook-signature']).split(' ')
  return webhookSecrets.some((secret) => given.includes(webhookSignature(secret, id, timestamp, body)))
}
