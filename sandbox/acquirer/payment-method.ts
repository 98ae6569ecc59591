/** The payment method of a first step: a card, a wallet token or its decrypted data, a brand, or a brand with a wallet. */

import { isCardNumber } from '#domain/card.ts'
import { isObject } from '#domain/json.ts'

export interface PaymentMethod {
  /** The payer's; the recipient's for a payout to a card. */
  readonly card: CardMethod | null
  readonly wallet: WalletMethod | null
  readonly brand: BrandMethod | null
}

interface CardMethod {
  readonly number: string
  /** `MM/YYYY`; empty for a payout. */
  readonly expiry: string
  readonly codeSent: boolean
}

export interface WalletMethod {
  readonly name: string
  /** The exact text; null if the gateway decrypted the token, and the card has its number. */
  readonly token: string | null
  readonly panType: string | null
  readonly dataType: string | null
  readonly cryptogramSent: boolean
  readonly eci: string | null
  readonly merchantTokenSent: boolean
}

export interface BrandMethod {
  readonly code: string
  readonly kind: string
  readonly behaviour: string | null
  readonly identifier: string | null
  readonly cryptoNetwork: string | null
  /** The end of the payer's time to act, in milliseconds. */
  readonly expiresAt: number | null
  readonly parameters: Fields
}

export type Fields = Readonly<Record<string, unknown>>

/** A text instead of a payment method is an error. */
export function readMethod(credit: boolean, body: Fields): PaymentMethod | string {
  const brand = isObject(body.brand) ? readBrand(body.brand, body.parameters) : null
  if (typeof brand === 'string') return brand
  const wallet = isObject(body.wallet) ? readWallet(body.wallet) : null
  if (typeof wallet === 'string') return wallet

  const cardless = wallet ? wallet.token !== null : brand !== null
  if (cardless)
    return body.card === undefined
      ? { card: null, wallet, brand }
      : 'A card cannot be combined with this payment method.'
  const card = credit ? readRecipient(body.payee_card) : readCard(body.card)
  return typeof card === 'string' ? card : { card, wallet, brand }
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function readCard(card: unknown): CardMethod | string {
  const fields = isObject(card) ? card : {}
  const number = text(fields.number)
  if (number === null || !isCardNumber(number)) return 'The card number is missing or malformed.'
  const expiry = expiryOf(fields)
  if (expiry === null) return 'The expiry of the card is missing or malformed.'
  return { number, expiry, codeSent: typeof fields.cvv === 'string' }
}

function readRecipient(value: unknown): CardMethod | string {
  const number = text(value)
  if (number === null || !isCardNumber(number)) return 'The card number is missing or malformed.'
  return { number, expiry: '', codeSent: false }
}

function expiryOf({ exp_month, exp_year }: Fields): string | null {
  const month = Number(exp_month)
  const year = Number(exp_year)
  if (!Number.isInteger(month) || month < 1 || month > 12) return null
  if (!Number.isInteger(year) || year < 2000 || year > 2099) return null
  return `${String(month).padStart(2, '0')}/${year}`
}

function readWallet(wallet: Fields): WalletMethod | string {
  const name = text(wallet.name)
  const token = text(wallet.token)
  const panType = text(wallet.pan_type)
  if (name === null || name.length > LONGEST_NAME) return 'wallet.name is missing or malformed.'
  if (token === null && panType !== 'DPAN' && panType !== 'FPAN') return 'wallet.token or wallet.pan_type is required.'
  if (token !== null && panType !== null) return 'wallet.token and wallet.pan_type cannot be combined.'
  const cryptogramSent = text(wallet.cryptogram) !== null || text(wallet.emv_data) !== null
  const merchantTokenSent = text(wallet.merchant_token) !== null
  const [dataType, eci] = [text(wallet.data_type), text(wallet.eci)]
  return { name, token, panType, dataType, cryptogramSent, eci, merchantTokenSent }
}

function readBrand(brand: Fields, parameters: unknown): BrandMethod | string {
  const code = text(brand.code)
  const kind = text(brand.kind)
  if (code === null || code.length > LONGEST_NAME) return 'brand.code is missing or malformed.'
  if (kind === null || kind.length > LONGEST_NAME) return 'brand.kind is missing or malformed.'
  const until = text(brand.expires_at)
  const expiresAt = until === null ? null : Date.parse(until)
  if (Number.isNaN(expiresAt)) return 'brand.expires_at is malformed.'
  return {
    code,
    kind,
    behaviour: text(brand.behaviour),
    identifier: text(brand.identifier),
    cryptoNetwork: text(brand.crypto_network),
    expiresAt,
    parameters: isObject(parameters) ? parameters : {},
  }
}

const LONGEST_NAME = 36
