/** What is charged: a card, a wallet's number with its cryptogram, or a token that Checkout.com made of a wallet's own token. */
import type { CardData, DecryptedWallet, Order, WalletPayment } from '../connector.ts'
import { addressOf } from './customer.ts'

type Fields = Readonly<Record<string, unknown>>

const walletTypes = { walletapay: 'applepay', walletbpay: 'googlepay' } as const

/** The request that turns a wallet's token into one of Checkout.com; null if the token is no JSON object, which every wallet's is. */
export function tokenRequestOf({ name, token }: WalletPayment): Fields | null {
  if (!token) return null
  try {
    const data: unknown = JSON.parse(token.reveal())
    return typeof data === 'object' && data !== null ? { type: walletTypes[name], token_data: data } : null
  } catch {
    return null
  }
}

/** A source that a payment is charged to. */
interface Source {
  readonly fields: Fields
  /** No cryptogram proves that the payer holds the card. */
  readonly isNumberOnly: boolean
}

/** Null if Checkout.com has no form for it: EMV data, or no card at all. */
export function sourceOf(order: Order): Source | null {
  const { card, wallet } = order
  if (!card) return null
  if (!wallet?.decrypted || wallet.decrypted.panType === 'FPAN')
    return { fields: cardOf(order, card), isNumberOnly: true }
  const { decrypted } = wallet
  if (decrypted.dataType === 'EMV') return null
  return { fields: networkTokenOf(order, card, { ...decrypted, name: wallet.name }), isNumberOnly: false }
}

/** `format` is what Checkout.com says of a wallet's token: only a number, or a number with a cryptogram. */
export const tokenSourceOf = (order: Order, token: string, format: string | null): Source => ({
  fields: { type: 'token', token, ...billingOf(order), ...storageOf(order) },
  isNumberOnly: format === 'pan_only',
})

function cardOf(order: Order, card: CardData): Fields {
  return {
    type: 'card',
    number: card.number.reveal(),
    ...expiryOf(card),
    ...(card.holder && { name: card.holder }),
    ...(card.verificationCode && { cvv: card.verificationCode.reveal() }),
    ...storageOf(order),
    ...billingOf(order),
  }
}

function networkTokenOf(
  order: Order,
  card: CardData,
  { name, cryptogram, eci }: DecryptedWallet & Pick<WalletPayment, 'name'>,
): Fields {
  return {
    type: 'network_token',
    token: card.number.reveal(),
    ...expiryOf(card),
    token_type: walletTypes[name],
    ...(cryptogram && { cryptogram: cryptogram.reveal() }),
    ...(eci && { eci }),
    ...(card.holder && { name: card.holder }),
    ...(isStored(order) && { stored: true }),
    ...billingOf(order),
  }
}

export const expiryOf = ({ expiryMonth, expiryYear }: CardData): Fields => ({
  ...(expiryMonth !== null && { expiry_month: expiryMonth }),
  ...(expiryYear !== null && { expiry_year: expiryYear }),
})

const isStored = ({ storedCredential }: Order): boolean => storedCredential?.sequence === 'subsequent'

const storageOf = (order: Order): Fields => ({
  ...(isStored(order) && { stored: true }),
  ...(order.registerCard && { store_for_future_use: true }),
})

function billingOf({ payer }: Order): Fields {
  const address = addressOf(payer)
  return address ? { billing_address: address } : {}
}
