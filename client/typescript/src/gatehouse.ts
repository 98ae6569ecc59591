/** A merchant's connection to the service: signs and sends requests of the three protocols, and verifies callbacks. */
import type { Answer, CheckoutAnswer, FieldsAnswer } from './answer.ts'
import {
  type Callback,
  type CallbackOptions,
  type ReceivedCallback,
  type Receiver,
  verifyCallback,
} from './callback.ts'
import { nowSeconds } from './clock.ts'
import { EventFeed } from './events.ts'
import { encodeForm, type Sent } from './form.ts'
import { type Digest, hashOf } from './formulas.ts'
import type { KnownPayment } from './known-payment.ts'
import type { ApmParameters, CardParameters, CheckoutParameters, FieldsParameters } from './parameters-generated.ts'
import { type PayerReturn, type ReturnedOrder, verifyReturn } from './payer-return.ts'
import { type Protocol, signedBy } from './request-formula.ts'
import { requestSecret, signatureHeaders } from './request-signature.ts'
import { exchange, type TransportOptions } from './transport.ts'

export interface GatehouseOptions extends TransportOptions {
  /** For example `https://pay.example.com`. */
  readonly baseUrl: string
  /** The merchant's key or test key. */
  readonly key: string
  readonly password: string
  /** During a change of the password: the earlier one, with which callbacks may still be signed. */
  readonly previousPassword?: string
  /** By the mapping; `md5` unless the operator has changed it. */
  readonly digest?: Digest
  /** Secrets of callbacks, each beginning with `whsec_`. */
  readonly webhookSecrets?: readonly string[]
}

export interface CallOptions {
  /** E-mail and card of the payment that a follow-up or look-up names. */
  readonly payment?: KnownPayment
  /** A key of your own, for example the order's number; without one every call gets a new key. */
  readonly idempotencyKey?: string
}

type Parameters = Readonly<Record<string, Sent>>

const addresses = { card: '/post', apm: '/post-va' } as const

export class Gatehouse {
  readonly #options: GatehouseOptions
  readonly #baseUrl: string
  readonly #receiver: Receiver
  readonly #secret: Promise<string>
  /** Callbacks of the last 30 days, for a receiver that was down or sees a gap. */
  readonly events: EventFeed

  constructor(options: GatehouseOptions) {
    if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl is not an address.')
    if (options.key === '' || options.password === '') throw new TypeError('key and password must not be empty.')
    this.#options = options
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '')
    this.#receiver = receiverOf(options)
    this.#secret = requestSecret(options.password)
    this.events = new EventFeed({ ...options, baseUrl: this.#baseUrl, receiver: this.#receiver })
  }

  /** S2S CARD. */
  card<Action extends keyof CardParameters>(
    action: Action,
    parameters: CardParameters[Action],
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.#form('card', action, { ...parameters }, options)
  }

  /** S2S APM. */
  apm<Action extends keyof ApmParameters>(
    action: Action,
    parameters: ApmParameters[Action],
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.#form('apm', action, { ...parameters }, options)
  }

  /** Checkout, by the last part of its address: `session`, `payment/refund` and so on. */
  async checkout<Name extends keyof CheckoutParameters>(
    name: Name,
    parameters: CheckoutParameters[Name],
    options: CallOptions = {},
  ): Promise<CheckoutAnswer> {
    const path = `/api/v1/${name}`
    const sent: Parameters = { ...parameters }
    const hash = await this.#hash('checkout', path, sent, options)
    const body = JSON.stringify({ merchant_key: this.#options.key, ...sent, hash })
    const idempotencyKey = keyFor(name.endsWith('status'), options)
    return this.#send(path, { type: 'application/json', body, idempotencyKey })
  }

  /**
   * Hosted fields: charges the card that the page has collected for the session, by its operation. Name `order_amount` and `order_currency` of
   * your order: the service refuses a session that has others. The token stays on your server.
   */
  payWithFields(
    operation: 'purchase' | 'debit',
    token: string,
    parameters: FieldsParameters['processing'],
    options: CallOptions = {},
  ): Promise<FieldsAnswer> {
    const body = JSON.stringify({ with_hosted_fields: true, ...parameters })
    const idempotencyKey = keyFor(false, options)
    return this.#send(`/api/v1/processing/${operation}/card`, { type: 'application/json', token, body, idempotencyKey })
  }

  /** Hosted fields: changes the order of a session until it is paid. */
  updateSession(token: string, parameters: FieldsParameters['session-update']): Promise<FieldsAnswer> {
    const body = JSON.stringify(parameters)
    return this.#send('/api/v1/session/update', { method: 'PUT', type: 'application/json', token, body })
  }

  /** Throws a CallbackError if the callback must not be trusted. Answer `OK` once you have stored it. */
  verifyCallback(received: ReceivedCallback, options: CallbackOptions = {}): Promise<Callback> {
    return verifyCallback(received, this.#receiver, options)
  }

  /** The address with which the payer came back. Throws a CallbackError if the service did not make it for this order. */
  verifyReturn(query: string | URLSearchParams, order: ReturnedOrder): Promise<PayerReturn> {
    return verifyReturn(query, order, this.#receiver)
  }

  async #form(protocol: 'card' | 'apm', action: string, sent: Parameters, options: CallOptions): Promise<Answer> {
    const hash = await this.#hash(protocol, action, sent, options)
    const body = encodeForm({ action, client_key: this.#options.key, ...sent, hash })
    const idempotencyKey = keyFor(/^GET_|_INFO$/.test(action), options)
    return this.#send(addresses[protocol], { type: 'application/x-www-form-urlencoded', body, idempotencyKey })
  }

  #hash(protocol: Protocol, action: string, sent: Parameters, { payment = {} }: CallOptions): Promise<string> {
    const { formula, values } = signedBy(protocol, action, sent, payment)
    return hashOf(formula, values, { password: this.#options.password, digest: this.#options.digest ?? 'md5' })
  }

  async #send(path: string, { method = 'POST', type, token, body, idempotencyKey }: Message): Promise<Answer> {
    const headers = { 'content-type': type, accept: 'application/json', ...(token !== undefined && { token }) }
    const url = `${this.#baseUrl}${path}`
    const sign = async () => {
      const attempt = { id: `msg_${crypto.randomUUID().replaceAll('-', '')}`, timestamp: nowSeconds() }
      return signatureHeaders(await this.#secret, { method, path, token, idempotencyKey, body }, attempt)
    }
    const answer = await exchange({ url, method, headers, body, idempotencyKey, sign }, this.#options)
    // The service answers 200 with an object; its fields are documented per action.
    return answer as Answer
  }
}

interface Message {
  readonly method?: 'POST' | 'PUT'
  readonly type: 'application/json' | 'application/x-www-form-urlencoded'
  /** Of a session of hosted fields, whose calls have no hash. */
  readonly token?: string
  readonly body: string
  readonly idempotencyKey?: string | undefined
}

const receiverOf = ({ password, previousPassword, digest, webhookSecrets }: GatehouseOptions): Receiver => ({
  passwords: previousPassword === undefined ? [password] : [password, previousPassword],
  ...(digest && { digest }),
  ...(webhookSecrets && { secrets: webhookSecrets }),
})

const keyFor = (isLookUp: boolean, { idempotencyKey }: CallOptions): string | undefined =>
  idempotencyKey ?? (isLookUp ? undefined : crypto.randomUUID())
