/** Callbacks as a receiver gets them, good and bad, each with the verdict on its hash and on its signature headers. */
import type { Digest } from '#domain/signature/signature.ts'
import { sample, type TextTree } from './vector-requests.ts'

export interface CallbackCase {
  readonly title: string
  readonly formula: string
  readonly fields: TextTree
  readonly format?: 'form' | 'json'
  readonly digest?: Digest
  /** Values of the payment that the formula covers and the callback does not carry. */
  readonly known?: Readonly<Record<string, string>>
  /** Signs with these instead of what the receiver knows. */
  readonly password?: string
  readonly secrets?: readonly string[]
  /** What the receiver knows, where it is not the usual password and secret. */
  readonly receiver?: { readonly passwords?: readonly string[]; readonly secrets?: readonly string[] }
  /** What happens to the callback on its way. */
  readonly altered?: {
    readonly fields?: TextTree
    readonly without?: string
    readonly headers?: Readonly<Record<string, string | null>>
    readonly upperCaseHash?: true
  }
  /** Seconds between the attempt and its arrival. */
  readonly age?: number
  readonly expected: { readonly hash: boolean; readonly signature: boolean }
}

const { email, pan10, transId, orderId, previousPassword } = sample

export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const otherSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

const head = { status: 'SETTLED', order_id: orderId, trans_id: transId }
const paid = { amount: '10.00', currency: 'EUR', trans_date: '2026-03-10 11:51:53', descriptor: 'TEST' }
const known = { email, pan10 }

const sale = { action: 'SALE', result: 'SUCCESS', ...head, ...paid, card: '411111****1111' }
const apmSale = {
  action: 'SALE',
  result: 'SUCCESS',
  ...head,
  ...paid,
  custom_data: { 10: 'ten', 9: 'nine', b: 'B', a: 'é' },
}
const payout = { action: 'CREDIT2VIRTUAL', result: 'SUCCESS', ...head, ...paid }
const checkout = {
  id: transId,
  order_number: orderId,
  order_amount: '10.00',
  order_currency: 'EUR',
  order_description: 'Shoes',
  order_status: 'settled',
  type: 'sale',
  status: 'success',
  date: '2026-03-10 11:51:53',
}

const both = { hash: true, signature: true } as const
const neither = { hash: false, signature: false } as const
const onlyHash = { hash: true, signature: false } as const
const onlySignature = { hash: false, signature: true } as const

// biome-ignore format: a table is read in columns.
export const callbackCases: readonly CallbackCase[] = [
  { title: 'S2S CARD, form', formula: 'card.follow-up', fields: sale, known, expected: both },
  { title: 'S2S CARD, JSON', formula: 'card.follow-up', fields: sale, known, format: 'json', expected: both },
  { title: 'S2S CARD with sha256', formula: 'card.follow-up', fields: sale, known, digest: 'sha256', expected: both },
  { title: 'S2S CARD, the card is read from its mask', formula: 'card.follow-up', fields: sale, known: { email }, expected: both },
  { title: 'S2S CARD, the e-mail is among the fields', formula: 'card.follow-up', fields: { ...sale, payer_email: email }, expected: both },
  { title: 'S2S CARD, a refund', formula: 'card.follow-up', fields: { action: 'CREDITVOID', result: 'SUCCESS', ...head, creditvoid_id: '0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02', amount: '4.00' }, known, expected: both },
  { title: 'S2S CARD, a chargeback', formula: 'card.follow-up', fields: { action: 'CHARGEBACK', result: 'SUCCESS', ...head, status: 'CHARGEBACK', amount: '10.00' }, known, expected: both },
  { title: 'S2S CARD, a wallet in virtual flow has no card', formula: 'card.follow-up', fields: { action: 'SALE', result: 'SUCCESS', ...head, ...paid, digital_wallet: 'walletapay' }, known: { email }, expected: both },
  { title: 'S2S CARD, a payout is signed without the e-mail', formula: 'card.credit-follow-up', fields: { action: 'CREDIT2CARD', result: 'SUCCESS', ...head, ...paid }, known, expected: both },
  { title: 'S2S APM, every parameter signs: numbers first, then names by their bytes', formula: 'apm.callback', fields: apmSale, expected: both },
  { title: 'S2S APM, JSON', formula: 'apm.callback', fields: apmSale, format: 'json', expected: both },
  { title: 'S2S APM with sha256', formula: 'apm.callback', fields: apmSale, digest: 'sha256', expected: both },
  { title: 'S2S APM, a payout', formula: 'apm.payout-callback', fields: payout, expected: both },
  { title: 'S2S APM, a crypto payout', formula: 'apm.payout-callback', fields: { ...payout, action: 'CREDIT2CRYPTO' }, expected: both },
  { title: 'S2S APM, a sale with a crypto brand', formula: 'apm.crypto-callback', fields: { action: 'SALE', result: 'SUCCESS', ...head, ...paid, crypto_address: 'bc1qexample' }, known: { payer_email: email }, expected: both },
  { title: 'Checkout, form', formula: 'checkout.callback', fields: checkout, expected: both },
  { title: 'Checkout, JSON', formula: 'checkout.callback', fields: checkout, format: 'json', expected: both },
  { title: 'Checkout with sha256', formula: 'checkout.callback', fields: checkout, digest: 'sha256', expected: both },
  { title: 'Checkout, a description that is not ASCII', formula: 'checkout.callback', fields: { ...checkout, order_description: 'Café à la crème' }, expected: both },

  { title: 'a hash in capitals is as good', formula: 'card.follow-up', fields: sale, known, altered: { upperCaseHash: true }, expected: onlyHash },
  { title: 'an earlier password that is still valid', formula: 'card.follow-up', fields: sale, known, password: previousPassword, receiver: { passwords: [sample.password, previousPassword] }, expected: both },
  { title: 'two secrets during a rotation: one good entry is enough', formula: 'card.follow-up', fields: sale, known, secrets: [otherSecret, secret], expected: both },
  { title: 'the receiver knows two secrets', formula: 'card.follow-up', fields: sale, known, receiver: { secrets: [otherSecret, secret] }, expected: both },
  { title: 'an attempt of five minutes ago is the oldest that is accepted', formula: 'card.follow-up', fields: sale, known, age: 300, expected: both },

  { title: 'another password', formula: 'card.follow-up', fields: sale, known, password: 'not the password', expected: onlySignature },
  { title: 'an amount that was changed on its way is not covered by the hash of S2S CARD', formula: 'card.follow-up', fields: sale, known, altered: { fields: { amount: '1.00' } }, expected: onlyHash },
  { title: 'another payment', formula: 'card.follow-up', fields: sale, known, altered: { fields: { trans_id: '0d5e7a44-93c2-4f6b-b0a7-6c1e2f8d9a02' } }, expected: neither },
  { title: 'S2S APM covers the amount', formula: 'apm.callback', fields: apmSale, altered: { fields: { amount: '1.00' } }, expected: neither },
  { title: 'S2S APM covers added parameters', formula: 'apm.callback', fields: apmSale, altered: { fields: { extra: '1' } }, expected: neither },
  { title: 'S2S APM, a payout: another status', formula: 'apm.payout-callback', fields: payout, altered: { fields: { status: 'DECLINED' } }, expected: neither },
  { title: 'Checkout: another amount', formula: 'checkout.callback', fields: checkout, altered: { fields: { order_amount: '1.00' } }, expected: neither },
  { title: 'no hash', formula: 'card.follow-up', fields: sale, known, altered: { without: 'hash' }, expected: neither },
  { title: 'another secret', formula: 'card.follow-up', fields: sale, known, secrets: [otherSecret], expected: onlyHash },
  { title: 'no signature headers', formula: 'card.follow-up', fields: sale, known, altered: { headers: { 'webhook-signature': null } }, expected: onlyHash },
  { title: 'an entry of another version', formula: 'card.follow-up', fields: sale, known, altered: { headers: { 'webhook-signature': 'v2,AAAA' } }, expected: onlyHash },
  { title: 'another webhook-id', formula: 'card.follow-up', fields: sale, known, altered: { headers: { 'webhook-id': 'msg_0d5e7a4493c24f6bb0a76c1e2f8d9a02' } }, expected: onlyHash },
  { title: 'a timestamp that is no number', formula: 'card.follow-up', fields: sale, known, altered: { headers: { 'webhook-timestamp': '1e9' } }, expected: onlyHash },
  { title: 'a recorded callback that is replayed later', formula: 'card.follow-up', fields: sale, known, age: 301, expected: onlyHash },
  { title: 'a timestamp in the future', formula: 'card.follow-up', fields: sale, known, age: -301, expected: onlyHash },
]
