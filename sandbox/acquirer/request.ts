/** Reads `POST /v1/transactions`. A malformed request is refused without any effect. */

import { isCardNumber } from '#domain/card.ts'
import { isObject } from '#domain/json.ts'
import { type Fields, type PaymentMethod, readMethod, text } from './payment-method.ts'
import { type FirstStep, firstSteps, type LaterStep, laterSteps } from './transaction.ts'

export interface FirstRequest {
  readonly step: 'first'
  readonly id: string
  readonly type: FirstStep
  readonly mid: string
  readonly paymentId: string
  readonly orderId: string | null
  /** Minor units; null if the payer decides the amount. */
  readonly amount: string | null
  readonly currency: string
  readonly paymentMethod: PaymentMethod
  readonly payeeNumber: string | null
  readonly recurring: 'initial' | 'subsequent' | null
  /** No payer step is possible: mail or telephone order, an authentication made elsewhere, or a payment without the payer. */
  readonly payerAbsent: boolean
  /** The gateway has authenticated the payer. */
  readonly authenticated: boolean
  /** The return address of the payer's browser; absent if there is no browser. */
  readonly returnUrl: string | null
  /** The name that the payer's pages show. */
  readonly merchant: string
  /** The text on the payer's statement; empty if the MID has none. */
  readonly descriptor: string
  readonly registersCard: boolean
}

export interface LaterRequest {
  readonly step: 'later'
  readonly id: string
  readonly type: LaterStep
  readonly mid: string
  readonly paymentId: string
  readonly original: string | null
  readonly reference: string | null
  readonly amount: string
  readonly currency: string
}

export type TransactionRequest = FirstRequest | LaterRequest

/** A text instead of a request is an error. It never quotes a value, which might be a card number. */
export function readRequest(key: string | undefined, body: unknown): TransactionRequest | string {
  if (!key || key.length > 255) return 'The header Idempotency-Key is required, up to 255 characters.'
  if (!isObject(body)) return 'The body is not a JSON object.'

  for (const [name, form] of requiredFields) {
    const value = body[name]
    if (typeof value !== 'string' || !form.test(value)) return `${name} is missing or malformed.`
  }

  const first = firstSteps.find((type) => type === body.type)
  if (first) return readFirst(key, first, body)
  const later = laterSteps.find((type) => type === body.type)
  if (later) return readLater(key, later, body)
  return 'type is unknown.'
}

const requiredFields: readonly (readonly [string, RegExp])[] = [
  ['type', /^[a-z]+$/],
  ['mid', /^.{1,64}$/],
  ['payment_id', /^.{1,64}$/],
  // Chapter 20 §2: some crypto currencies have names of six letters and digits.
  ['currency', /^[A-Z0-9]{3,6}$/],
]

/** The smallest unit of some crypto currencies is so small that an ordinary amount has twenty digits. */
const amountForm = /^(?:0|[1-9][0-9]{0,37})$/

function readFirst(id: string, type: FirstStep, body: Fields): FirstRequest | string {
  const paymentMethod = readMethod(type === 'credit', body)
  if (typeof paymentMethod === 'string') return paymentMethod
  const amount = text(body.amount)
  if (amount === null ? !isOpenOrder(type, paymentMethod) : !amountForm.test(amount))
    return 'amount is missing or malformed.'
  const payeeNumber = text(body.payee_card)
  if (type === 'transfer' && (payeeNumber === null || !isCardNumber(payeeNumber))) {
    return 'The card number of the recipient is missing or malformed.'
  }
  const returnUrl = text(body.return_url)
  if (returnUrl !== null && !isWebAddress(returnUrl)) return 'return_url is malformed.'

  return {
    step: 'first',
    id,
    type,
    ...commonOf(body),
    orderId: text(body.order_id),
    amount,
    paymentMethod,
    payeeNumber,
    ...circumstancesOf(body),
    returnUrl,
    merchant: text(body.merchant) ?? text(body.descriptor) ?? '',
    descriptor: text(body.descriptor) ?? '',
    registersCard: body.register_card === true,
  }
}

/** Only the sender of a crypto payment may decide the amount. Chapter 20 §5.1, `amount_optional`. */
function isOpenOrder(type: FirstStep, { brand }: PaymentMethod): boolean {
  return type === 'sale' && brand?.kind === 'crypto'
}

function circumstancesOf(body: Fields): Pick<FirstRequest, 'recurring' | 'payerAbsent' | 'authenticated'> {
  const recurring = body.recurring === 'initial' || body.recurring === 'subsequent' ? body.recurring : null
  const authenticated = body.external_3ds !== undefined
  const payerAbsent = body.moto === true || body.payer_present === false || authenticated || recurring === 'subsequent'
  return { recurring, authenticated, payerAbsent }
}

function readLater(id: string, type: LaterStep, body: Fields): LaterRequest | string {
  const original = text(body.original_transaction_id)
  const reference = text(body.reference)
  const amount = text(body.amount)
  if (amount === null || !amountForm.test(amount)) return 'amount is missing or malformed.'
  if (original === null && reference === null) return 'original_transaction_id or reference is required.'
  return { step: 'later', id, type, ...commonOf(body), original, reference, amount }
}

function commonOf(body: Fields): Pick<LaterRequest, 'mid' | 'paymentId' | 'currency'> {
  return { mid: String(body.mid), paymentId: String(body.payment_id), currency: String(body.currency) }
}

function isWebAddress(value: string): boolean {
  return value.length <= 2048 && /^https?:\/\//.test(value) && URL.canParse(value)
}
