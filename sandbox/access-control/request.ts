/** Reads the requests of a 3DS server. A text instead of a request is an error message; it never quotes a value. */
import { isCardNumber } from '#domain/card.ts'
import { isObject } from '#domain/json.ts'

export interface AuthenticationRequest {
  readonly number: string
  /** `MM/YYYY`; empty if it was not sent. */
  readonly expiry: string
  readonly paymentId: string
  readonly amount: string
  readonly currency: string
  readonly notificationURL: string
  readonly merchantName: string
  readonly language: string
}

interface ResultRequest {
  readonly threeDSServerTransID: string
  /** The answer from the payer's browser; empty if there is none. */
  readonly pares: string
}

export function readAuthentication(body: unknown): AuthenticationRequest | string {
  if (!isObject(body)) return 'The body is not a JSON object.'
  const wrong = fields.find(([name, form]) => !form.test(text(body[name])))
  if (wrong) return `${wrong[0]} is missing or malformed.`
  if (!isCardNumber(text(body.acctNumber))) return 'acctNumber is missing or malformed.'
  if (!URL.canParse(text(body.notificationURL))) return 'notificationURL is missing or malformed.'
  return {
    number: text(body.acctNumber),
    expiry: expiryOf(text(body.cardExpiryDate)),
    paymentId: text(body.paymentId),
    amount: text(body.purchaseAmount),
    currency: text(body.purchaseCurrency),
    notificationURL: text(body.notificationURL),
    merchantName: text(body.merchantName),
    language: text(body.language),
  }
}

export function readResult(body: unknown): ResultRequest | string {
  if (!isObject(body)) return 'The body is not a JSON object.'
  const threeDSServerTransID = text(body.threeDSServerTransID)
  if (threeDSServerTransID === '') return 'threeDSServerTransID is missing or malformed.'
  return { threeDSServerTransID, pares: text(body.pares) }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

// biome-ignore format: a table is read in columns.
const fields: readonly (readonly [name: string, form: RegExp])[] = [
  // name               form
  [ 'paymentId',        /^.{1,64}$/ ],
  [ 'cardExpiryDate',   /^(?:[0-9]{2}(?:0[1-9]|1[0-2]))?$/ ],
  [ 'purchaseAmount',   /^(?:0|[1-9][0-9]{0,17})$/ ],
  [ 'purchaseCurrency', /^[A-Z]{3,5}$/ ],
  [ 'notificationURL',  /^https?:\/\/.{1,2040}$/ ],
  [ 'merchantName',     /^.{0,255}$/ ],
  [ 'language',         /^[A-Za-z0-9-]{0,35}$/ ],
]

/** `YYMM` in the messages, `MM/YYYY` in the table of test cards. */
const expiryOf = (expiry: string): string => (expiry === '' ? '' : `${expiry.slice(2)}/20${expiry.slice(0, 2)}`)
