/** A merchant's server: signed requests over kept-alive connections, and status queries for requests without an answer. */
import { Agent, request } from 'undici'
import { z } from 'zod'
import { pan10 } from '#domain/card.ts'
import { cardFormulas, sign } from '#domain/signature/signature.ts'

export type Fields = Readonly<Record<string, string>>

export type Reply =
  | { readonly answered: true; readonly http: number; readonly text: string; readonly body: Answer }
  /** `sent` false: no connection was made, so nothing can have happened. */
  | { readonly answered: false; readonly sent: boolean; readonly reason: string }

/** Fields of an answer that campaigns read; all are text on the wire except the error code. */
export interface Answer {
  readonly result?: string
  readonly status?: string
  readonly trans_id?: string
  readonly error_code?: number
  readonly error_message?: string
  readonly card_token?: string
  readonly decline_reason?: string
}

export interface MerchantCredentials {
  readonly id: string
  readonly name: string
  readonly key: string
  readonly password: string
}

export const email = 'doe@example.com'
export const goodCard: Fields = {
  card_number: '4111111111111111',
  card_exp_month: '01',
  card_exp_year: '2038',
  card_cvv2: '000',
}

const payer: Fields = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_email: email,
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
  term_url_3ds: 'https://shop.example.com/return',
}

interface PaidBy {
  readonly email: string
  /** First six and last four digits of the card. */
  readonly pan10: string
}

const usualPayer: PaidBy = { email, pan10: pan10(goodCard['card_number'] ?? '') }

/** Longer than the gateway waits for an acquirer. Chapter 10 §1.1, "Answer time". */
const timeoutMs = 45_000

/** `cause` is the system's error, which may be wrapped in another. */
export function noReply(cause: unknown, error = cause): Reply {
  const { data } = systemErrorSchema.safeParse(cause)
  return { answered: false, sent: data?.code !== 'ECONNREFUSED', reason: data?.code ?? String(error) }
}

const systemErrorSchema = z.object({ code: z.string() })

export class Merchant {
  readonly #credentials: MerchantCredentials
  readonly #agent = new Agent({ connections: 128, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, allowH2: false })

  readonly #cards = new Map<string, string>()
  readonly #apmOrders = new Set<string>()

  constructor(credentials: MerchantCredentials) {
    this.#credentials = credentials
  }

  get id(): string {
    return this.#credentials.id
  }

  get name(): string {
    return this.#credentials.name
  }

  get key(): string {
    return this.#credentials.key
  }

  /** The password that signs its requests. */
  get password(): string {
    return this.#credentials.password
  }

  /** First six and last four digits of the card of an order, which a callback's hash covers. */
  pan10Of(orderId: string): string {
    return this.#cards.get(orderId) ?? pan10(goodCard['card_number'] ?? '')
  }

  /** For an order whose card number is not in the request, such as that of a wallet token. */
  paidWith(orderId: string, number: string): void {
    this.#cards.set(orderId, pan10(number))
  }

  paidOnApm(orderId: string): void {
    this.#apmOrders.add(orderId)
  }

  /** Callbacks of such an order are signed as a whole. */
  isApm(orderId: string): boolean {
    return this.#apmOrders.has(orderId)
  }

  sale(url: string, orderId: string, over: Fields = {}, headers: Fields = {}): Promise<Reply> {
    return this.post(url, this.saleFields(orderId, over), headers)
  }

  /** Every parameter of a SALE, signed by Formula 1. */
  saleFields(orderId: string, over: Fields = {}): Fields {
    const { key, password } = this.#credentials
    const fields: Fields = {
      action: 'SALE',
      client_key: key,
      order_id: orderId,
      order_amount: '10.00',
      order_currency: 'EUR',
      order_description: 'Shoes',
      ...(over['card_token'] ? {} : goodCard),
      ...payer,
      ...over,
    }
    const number = fields['card_number']
    if (number && number !== goodCard['card_number']) this.#cards.set(orderId, pan10(number))
    const hash = number
      ? sign(cardFormulas.start, { email, pan10: pan10(number) }, { password, digest: 'md5' })
      : sign(cardFormulas.startWithToken, { email, card_token: over['card_token'] }, { password, digest: 'md5' })
    return { ...fields, hash }
  }

  /** CAPTURE, CREDITVOID, VOID and the look-ups by `trans_id`, signed by Formula 2. */
  followUp(url: string, action: string, transId: string, over: Fields = {}): Promise<Reply> {
    return this.post(url, this.followUpFields(action, transId, over))
  }

  followUpFields(action: string, transId: string, over: Fields = {}, paidBy: PaidBy = usualPayer): Fields {
    const { key, password } = this.#credentials
    const hash = sign(cardFormulas.followUp, { ...paidBy, trans_id: transId }, { password, digest: 'md5' })
    return { action, client_key: key, trans_id: transId, hash, ...over }
  }

  /** The status of the newest payment of an order, signed by Formula 7. */
  byOrder(url: string, orderId: string): Promise<Reply> {
    const { key, password } = this.#credentials
    const values = { email, order_id: orderId, pan10: pan10(goodCard['card_number'] ?? '') }
    const hash = sign(cardFormulas.byOrder, values, { password, digest: 'md5' })
    return this.post(url, { action: 'GET_TRANS_STATUS_BY_ORDER', client_key: key, order_id: orderId, hash })
  }

  post(url: string, fields: Fields, headers: Fields = {}): Promise<Reply> {
    const body = new URLSearchParams(fields).toString()
    return this.raw(url, {
      path: '/post',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  /** A request exactly as given. */
  async raw(url: string, { path, ...given }: { path: string; body: string; headers: Fields }): Promise<Reply> {
    try {
      const reply = await request(url + path, { method: 'POST', ...given, dispatcher: this.#agent })
      const text = await reply.body.text()
      return { answered: true, http: reply.statusCode, text, body: answerOf(text) }
    } catch (error) {
      return noReply(error)
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }
}

function answerOf(text: string): Answer {
  // Answers are compared field by field with what is expected; a wrong shape fails there.
  return text.startsWith('{') ? (JSON.parse(text) as Answer) : {}
}

/** Only an answer that is no failure of the gateway reports the outcome to the merchant. Chapter 10 §1.2. */
export function isAnswered(reply: Reply): reply is Extract<Reply, { answered: true }> {
  return reply.answered && reply.http < 500
}
