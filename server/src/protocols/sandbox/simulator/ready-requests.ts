/** Signed requests that carry a minted token, ready to be sent (Chapter 40 §20.3, `requests`). */
import type { Wallet } from '#domain/mid.ts'
import type { Secret } from '#domain/secret.ts'
import { apmFormulas, cardFormulas, type Digest, sign } from '#domain/signature/signature.ts'

interface TokenOrder {
  readonly clientKey: string
  readonly password: Secret<string>
  readonly digests: { readonly card: Digest; readonly apm: Digest }
  readonly publicUrl: string
  readonly wallet: Wallet
  readonly orderId: string
  readonly amount: string
  readonly currency: string
  readonly token: string
}

interface ReadyRequest {
  readonly url: string
  /** A form, encoded. */
  readonly body: string
}

export function readyRequests(order: TokenOrder): { readonly s2s_card: ReadyRequest; readonly s2s_apm: ReadyRequest } {
  const { publicUrl } = order
  return {
    s2s_card: { url: `${publicUrl}/post`, body: form(cardFields(order)) },
    s2s_apm: { url: `${publicUrl}/post-va`, body: form(apmFields(order)) },
  }
}

const payer = {
  payer_first_name: 'John',
  payer_last_name: 'Doe',
  payer_address: 'Big street 1',
  payer_country: 'US',
  payer_city: 'Big City',
  payer_zip: '123456',
  payer_email: 'doe@example.com',
  payer_phone: '199999999',
  payer_ip: '203.0.113.7',
} as const

/** Not a trigger of the sandbox, which would take precedence over the card in the token. Chapter 20 §18. */
const identifier = 'doe@example.com'
const returnUrl = 'https://shop.example.com/return'

const orderFields = ({ clientKey, orderId, amount, currency }: TokenOrder) => ({
  action: 'SALE',
  client_key: clientKey,
  order_id: orderId,
  order_amount: amount,
  order_currency: currency,
  order_description: 'Simulated wallet payment',
})

/** Formula 8, chapter 10 §4. */
function cardFields(order: TokenOrder): Readonly<Record<string, string>> {
  const key = { password: order.password.reveal(), digest: order.digests.card }
  return {
    ...orderFields(order),
    digital_wallet: order.wallet,
    payment_token: order.token,
    ...payer,
    term_url_3ds: returnUrl,
    hash: sign(cardFormulas.wallet, { email: payer.payer_email }, key),
  }
}

/** Formula S1, chapter 20 §4. */
function apmFields(order: TokenOrder): Readonly<Record<string, string>> {
  const { orderId: order_id, amount: order_amount, currency: order_currency } = order
  const key = { password: order.password.reveal(), digest: order.digests.apm }
  return {
    ...orderFields(order),
    brand: order.wallet,
    identifier,
    'parameters[paymentToken]': order.token,
    ...payer,
    return_url: returnUrl,
    hash: sign(apmFormulas.start, { identifier, order_id, order_amount, order_currency }, key),
  }
}

const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString()
