/** The same merchant on Checkout with hosted fields: a session, the data from the frames, and the payment. Chapter 30 §8. */
import { request } from 'undici'
import { z } from 'zod'
import { checkoutFormulas, signCheckout } from '#domain/signature/signature.ts'
import type { Merchant, Reply } from './merchant.ts'

interface CheckoutOrder {
  readonly number: string
  /** As in the body: a text in quotation marks, or a JSON number as written. */
  readonly amount: string
  readonly amountIsNumber?: boolean
  readonly currency: string
}

type Formula = keyof typeof checkoutFormulas
type Body = Readonly<Record<string, unknown>>

const description = 'A book'

/** Requests a session of hosted fields; the answer's text contains its token. */
export function askForSession(merchant: Merchant, url: string, order: CheckoutOrder): Promise<Reply> {
  const { number, amount, currency, amountIsNumber = false } = order
  const values = {
    'order.number': number,
    'order.amount': amount,
    'order.currency': currency,
    'order.description': description,
  }
  const body = JSON.stringify({
    merchant_key: merchant.key,
    operation: 'purchase',
    return_url: 'https://shop.example.com/back',
    cancel_url: 'https://shop.example.com/no',
    order: { number, amount: amountIsNumber ? placeholder : amount, currency, description },
    hash: hashOf(merchant, 'session', values),
  })
  return post(merchant, url, { path: '/api/v1/session/token', body: body.replace(`"${placeholder}"`, amount) })
}

/** Replaced by the JSON number exactly as the merchant wrote it, which `JSON.stringify` cannot do. */
const placeholder = 'THE AMOUNT'

const tokenSchema = z.object({ token: z.string() })

export async function openSession(merchant: Merchant, url: string, order: CheckoutOrder): Promise<HostedFields> {
  const reply = await askForSession(merchant, url, order)
  if (!reply.answered || reply.http !== 200) throw new Error(`No session for ${order.number}: ${JSON.stringify(reply)}`)
  return new HostedFields(merchant, tokenSchema.parse(JSON.parse(reply.text)).token)
}

/** A session, as the merchant's page and server have it. */
class HostedFields {
  readonly #merchant: Merchant
  readonly #token: string

  constructor(merchant: Merchant, token: string) {
    this.#merchant = merchant
    this.#token = token
  }

  /** The payer's input into the three frames, at the same moment. */
  async enterCard(url: string, expiry = '01/38'): Promise<void> {
    const entries = { card: '4111111111111111', expiry, cvv: '123' }
    await Promise.all(
      Object.entries(entries).map(async ([field, value]) => {
        const reply = await this.#send(url, '/page/v1/fields', { field, value })
        if (!reply.answered || reply.http !== 200)
          throw new Error(`The field ${field} was refused: ${JSON.stringify(reply)}`)
      }),
    )
  }

  process(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const path = '/api/v1/processing/purchase/card'
    return this.#send(url, path, { name: 'Jane Roe', with_hosted_fields: true }, headers)
  }

  async update(url: string, body: Body): Promise<Reply> {
    const reply = await request(`${url}/api/v1/session/update`, {
      method: 'PUT',
      headers: { token: this.#token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { answered: true, http: reply.statusCode, text: await reply.body.text(), body: {} }
  }

  #send(url: string, path: string, body: Body, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.#merchant.raw(url, {
      path,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', token: this.#token, ...headers },
    })
  }
}

export function refundOnCheckout(
  merchant: Merchant,
  url: string,
  refund: { readonly payment_id: string; readonly amount: string },
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const body = { merchant_key: merchant.key, ...refund, hash: hashOf(merchant, 'paymentAmount', refund) }
  return post(merchant, url, { path: '/api/v1/payment/refund', body: JSON.stringify(body), headers })
}

const statusSchema = z.object({ order: z.object({ amount: z.string(), currency: z.string() }), status: z.string() })

export async function statusOnCheckout(
  merchant: Merchant,
  url: string,
  paymentId: string,
): Promise<z.infer<typeof statusSchema>> {
  const values = { payment_id: paymentId }
  const body = { merchant_key: merchant.key, ...values, hash: hashOf(merchant, 'payment', values) }
  const reply = await post(merchant, url, { path: '/api/v1/payment/status', body: JSON.stringify(body) })
  if (!reply.answered) throw new Error(`The gateway did not answer: ${reply.reason}`)
  return statusSchema.parse(JSON.parse(reply.text))
}

function hashOf(merchant: Merchant, formula: Formula, values: Readonly<Record<string, string>>): string {
  return signCheckout<string>(checkoutFormulas[formula], values, { password: merchant.password, digest: 'md5' })
}

interface Post {
  readonly path: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

function post(merchant: Merchant, url: string, { path, body, headers = {} }: Post): Promise<Reply> {
  return merchant.raw(url, { path, body, headers: { 'content-type': 'application/json', ...headers } })
}
