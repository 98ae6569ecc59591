/** Reads `POST /v1/transactions`. An acquirer checks what it is sent: a malformed request is refused before anything happens. */
import { isCardNumber } from '#domain/card.ts'
import { type FirstStep, firstSteps, type LaterStep, laterSteps } from './transaction.ts'

export interface FirstRequest {
  readonly step: 'first'
  readonly id: string
  readonly type: FirstStep
  readonly mid: string
  readonly paymentId: string
  readonly orderId: string | null
  readonly amount: string
  readonly currency: string
  /** The payer's card; the recipient's for a payout. */
  readonly number: string
  /** `MM/YYYY`; empty for a payout. */
  readonly expiry: string
  readonly payeeNumber: string | null
  readonly codeSent: boolean
  readonly recurring: 'initial' | 'subsequent' | null
  /** The request rules a payer step out: mail or telephone order, authentication made elsewhere, nobody there. */
  readonly payerAbsent: boolean
  /** Where a payer's browser can be sent back to; without it there is none. */
  readonly returnUrl: string | null
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

/** A text instead of a request says what is wrong with it. It never quotes a value: that might be a card number. */
export function readRequest(key: string | undefined, body: unknown): TransactionRequest | string {
  if (!key || key.length > 255) return 'The header Idempotency-Key is required, up to 255 characters.'
  if (!isFields(body)) return 'The body is not a JSON object.'

  for (const [name, form] of required) {
    const value = body[name]
    if (typeof value !== 'string' || !form.test(value)) return `${name} is missing or malformed.`
  }

  const first = firstSteps.find((type) => type === body.type)
  if (first) return readFirst(key, first, body)
  const later = laterSteps.find((type) => type === body.type)
  if (later) return readLater(key, later, body)
  return 'type is not known.'
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const required: readonly (readonly [string, RegExp])[] = [
  ['type', /^[a-z]+$/],
  ['mid', /^.{1,64}$/],
  ['payment_id', /^.{1,64}$/],
  ['amount', /^(?:0|[1-9][0-9]{0,17})$/],
  ['currency', /^[A-Z]{3,5}$/],
]

function readFirst(id: string, type: FirstStep, body: Fields): FirstRequest | string {
  const card = isFields(body.card) ? body.card : undefined
  const payeeNumber = text(body.payee_card)
  const number = type === 'credit' ? payeeNumber : text(card?.number)
  const expiry = type === 'credit' ? '' : expiryOf(card)

  if (number === null || !isCardNumber(number)) return 'The card number is missing or malformed.'
  if (expiry === null) return 'The expiry of the card is missing or malformed.'
  if (type === 'transfer' && (payeeNumber === null || !isCardNumber(payeeNumber))) {
    return 'The card number of the recipient is missing or malformed.'
  }
  const returnUrl = text(body.return_url)
  if (returnUrl !== null && !isWebAddress(returnUrl)) return 'return_url is malformed.'
  const recurring = body.recurring === 'initial' || body.recurring === 'subsequent' ? body.recurring : null

  return {
    step: 'first',
    id,
    type,
    ...commonOf(body),
    orderId: text(body.order_id),
    number,
    expiry,
    payeeNumber,
    codeSent: typeof card?.cvv === 'string',
    recurring,
    payerAbsent:
      body.moto === true ||
      body.payer_present === false ||
      body.external_3ds !== undefined ||
      recurring === 'subsequent',
    returnUrl,
    descriptor: text(body.descriptor) ?? '',
    registersCard: body.register_card === true,
  }
}

function readLater(id: string, type: LaterStep, body: Fields): LaterRequest | string {
  const original = text(body.original_transaction_id)
  const reference = text(body.reference)
  if (original === null && reference === null) return 'original_transaction_id or reference is required.'
  return { step: 'later', id, type, ...commonOf(body), original, reference }
}

function commonOf(body: Fields): Pick<LaterRequest, 'mid' | 'paymentId' | 'amount' | 'currency'> {
  return {
    mid: String(body.mid),
    paymentId: String(body.payment_id),
    amount: String(body.amount),
    currency: String(body.currency),
  }
}

function expiryOf(card: Fields | undefined): string | null {
  const month = Number(card?.exp_month)
  const year = Number(card?.exp_year)
  if (!Number.isInteger(month) || month < 1 || month > 12) return null
  if (!Number.isInteger(year) || year < 2000 || year > 2099) return null
  return `${String(month).padStart(2, '0')}/${year}`
}

function isWebAddress(value: string): boolean {
  return value.length <= 2048 && /^https?:\/\//.test(value) && URL.canParse(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
