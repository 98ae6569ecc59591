/**
 * The merchant's endpoint for callbacks. Keeps every arrival in its order and checks, on the raw body, what a careful merchant
 * checks: the hash of Formula 2 or 6, on S2S APM of C1 or C2, and the signature header. Chapter 10 §11.1, chapter 20 §4.2.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { apmFormulas, cardFormulas, type SigningKey, sign, signTree, webhookSignature } from '#domain/signature.ts'

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
  /** Whether the order was paid on S2S APM, whose callbacks are signed otherwise. */
  readonly isApm: (orderId: string) => boolean
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

function hashIsRight(fields: ReadonlyMap<string, string>, { password, email, pan10Of, isApm }: Trust): boolean {
  const key = { password, digest: 'md5' } as const
  if (isApm(fields.get('order_id') ?? '')) return apmHash(Object.fromEntries(fields), key) === fields.get('hash')
  const values = { trans_id: fields.get('trans_id'), pan10: pan10Of(fields.get('order_id') ?? '') }
  // Formula 6: the e-mail of a payout never takes part. Chapter 10 §7.8.
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
  const given = String(headers['webhook-signature']).split(' ')
  return webhookSecrets.some((secret) => given.includes(webhookSignature(secret, id, timestamp, body)))
}
