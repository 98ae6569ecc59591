/** Verifies callbacks: the signature headers, which cover every byte of the body, and the `hash` of older receivers. */
import { type Bytes, concat, sameText, utf8 } from './bytes.ts'
import { nowSeconds } from './clock.ts'
import { CallbackError } from './errors.ts'
import { decodeForm, type Tree } from './form.ts'
import { type Digest, type FormulaName, hashOf } from './formulas.ts'
import { type KnownPayment, paymentValues } from './known-payment.ts'
import { isWebhookSignature } from './webhook-signature.ts'

export interface ReceivedCallback {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** Exactly as received. */
  readonly body: string | Uint8Array
}

export interface Receiver {
  /** The current password and, during a change, the earlier one. */
  readonly passwords: readonly string[]
  readonly digest?: Digest
  /** Texts that begin with `whsec_`; during a rotation two. */
  readonly secrets?: readonly string[]
  readonly toleranceSeconds?: number
  readonly now?: () => number
}

export interface Callback {
  /** The same on every attempt and in the events feed: handle each once. */
  readonly id: string | undefined
  /** The callback's number within its payment, from 1. */
  readonly sequence: number | undefined
  readonly fields: Tree
}

export interface Verdicts {
  readonly hash: boolean
  readonly signature: boolean
}

/** An order as the receiver has stored it. */
export interface ExpectedOrder {
  readonly amount: string
  readonly currency: string
}

type Expected = ExpectedOrder | undefined

export interface CallbackOptions extends KnownPayment {
  /** Your order, or how to find it by its number; undefined if it is not yours to compare. */
  readonly expected?: ExpectedOrder | ((orderNumber: string) => Expected | Promise<Expected>)
}

/**
 * Throws a CallbackError unless the signature is valid or, for a receiver without a secret, the hash; and if the payment is not of the
 * expected amount and currency.
 */
export async function verifyCallback(
  received: ReceivedCallback,
  receiver: Receiver,
  { expected, ...payment }: CallbackOptions = {},
): Promise<Callback> {
  const fields = readFields(received)
  if (fields === undefined) throw new CallbackError('The body is neither a form nor a JSON object.')
  const isValid = receiver.secrets?.length
    ? await hasSignature(received, receiver)
    : await hasHash(fields, receiver, payment)
  if (!isValid) {
    throw new CallbackError(
      receiver.secrets?.length
        ? 'The signature is not valid: compare the secret and the clock, and pass the body as received.'
        : 'The hash is not valid: compare the password, and pass the e-mail and card of the payment.',
    )
  }
  const sequence = Number(header(received, 'webhook-sequence') ?? Number.NaN)
  const callback = {
    id: header(received, 'webhook-id'),
    sequence: Number.isNaN(sequence) ? undefined : sequence,
    fields,
  }
  const { order_number, order_id = '' } = textsOf(fields)
  const order = typeof expected === 'function' ? await expected(order_number ?? order_id) : expected
  if (order && !agreesWith(callback, order))
    throw new CallbackError(
      'The amount or currency is not that of your order: do not deliver, and look at the payment.',
    )
  return callback
}

/**
 * Whether the payment is of the order's amount and currency. Checkout repeats both in every callback; on the other protocols those of a
 * capture, refund or chargeback are its own and are not compared.
 */
export function agreesWith({ fields }: Pick<Callback, 'fields'>, { amount, currency }: ExpectedOrder): boolean {
  const texts = textsOf(fields)
  const { order_number, action = '', exchange_amount, exchange_currency } = texts
  if (order_number === undefined && !['SALE', 'DEBIT', 'RECURRING_SALE'].includes(action)) return true
  const paid = texts['order_amount'] ?? exchange_amount ?? texts['amount']
  // An order whose amount the payer chooses has none until the money came.
  if (paid === undefined) return true
  const paidIn = texts['order_currency'] ?? exchange_currency ?? texts['currency']
  return plain(paid) === plain(amount) && paidIn === currency
}

/** `010.50` and `10.5` are one amount. */
const plain = (amount: string): string =>
  amount
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')

/** Both schemes by themselves, for a receiver that decides otherwise. */
export async function checkCallback(
  received: ReceivedCallback,
  receiver: Receiver,
  payment: KnownPayment = {},
): Promise<Verdicts> {
  const fields = readFields(received)
  if (fields === undefined) return { hash: false, signature: false }
  return { hash: await hasHash(fields, receiver, payment), signature: await hasSignature(received, receiver) }
}

async function hasSignature(received: ReceivedCallback, receiver: Receiver): Promise<boolean> {
  const { secrets = [], toleranceSeconds = 300, now = nowSeconds } = receiver
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    header(received, name),
  )
  if (id === undefined || signature === undefined || !/^[1-9][0-9]{0,11}$/.test(timestamp ?? '')) return false
  if (Math.abs(now() - Number(timestamp)) > toleranceSeconds) return false

  const message = concat([utf8(`${id}.${timestamp}.`), bodyBytes(received)])
  const entries = signature.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []))
  for (const secret of secrets)
    for (const entry of entries) if (await isWebhookSignature(secret, entry, message)) return true
  return false
}

async function hasHash(fields: Tree, { passwords, digest = 'md5' }: Receiver, payment: KnownPayment): Promise<boolean> {
  const hash = fields['hash']
  if (typeof hash !== 'string') return false
  const values = { ...textsOf(fields), ...paymentValues(withFields(payment, fields)) }
  for (const formula of formulasFor(fields)) {
    for (const password of passwords) {
      const expected = await hashOf(formula, formula === 'apm.callback' ? fields : values, { password, digest })
      if (sameText(hash.toLowerCase(), expected)) return true
    }
  }
  return false
}

/** A callback does not name its protocol, but its fields leave only a few formulas. */
function formulasFor({ order_number, action }: Tree): readonly FormulaName[] {
  if (order_number !== undefined) return ['checkout.callback']
  switch (action) {
    case 'CREDIT2CARD':
      return ['card.credit-follow-up']
    case 'CREDIT2VIRTUAL':
    case 'CREDIT2CRYPTO':
      return ['apm.payout-callback']
    case 'SALE':
      return ['card.follow-up', 'apm.callback', 'apm.crypto-callback']
    default:
      return ['card.follow-up', 'apm.callback']
  }
}

/** What the receiver does not know may be among the fields. */
function withFields({ email, card }: KnownPayment, fields: Tree): KnownPayment {
  const { card: mask, payer_email } = textsOf(fields)
  return { email: email ?? payer_email, card: card ?? mask }
}

const textsOf = (fields: Tree): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

function readFields(received: ReceivedCallback): Tree | undefined {
  const text = new TextDecoder().decode(bodyBytes(received))
  if (!text.trimStart().startsWith('{')) return decodeForm(text)
  try {
    const parsed: unknown = JSON.parse(text)
    return isTree(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Callbacks contain only texts. */
function isTree(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).every((member) => typeof member === 'string' || isTree(member))
}

const bodyBytes = ({ body }: ReceivedCallback): Bytes => (typeof body === 'string' ? utf8(body) : Uint8Array.from(body))

function header({ headers }: ReceivedCallback, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}
