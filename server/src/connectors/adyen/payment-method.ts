/** What the payer pays with: a card, a card stored at Adyen, a wallet's token as it came, or the number that it held. */
import type { CardData, Order } from '../connector.ts'
import { catalogueBrandOf } from '../order.ts'
import { readStoredReference } from './stored-card.ts'

/** Null for what Adyen does not take from us. */
export function paymentMethodOf(order: Order) {
  const { card, wallet, storedCredential, networkTransactionId } = order
  if (catalogueBrandOf(order)) return null
  if (wallet?.token) return tokenOf(wallet.name, wallet.token.reveal())
  const stored = readStoredReference(storedCredential?.reference ?? null)
  if (stored && storedCredential?.sequence === 'subsequent') {
    const { storedPaymentMethodId } = stored
    return { type: 'scheme' as const, storedPaymentMethodId, ...securityCodeOf(card) }
  }
  if (!card || card.expiryMonth === null || card.expiryYear === null) return null
  return {
    type: wallet?.decrypted?.panType === 'DPAN' ? ('networkToken' as const) : ('scheme' as const),
    number: card.number.reveal(),
    expiryMonth: String(card.expiryMonth).padStart(2, '0'),
    expiryYear: String(card.expiryYear),
    ...securityCodeOf(card),
    ...(card.holder && { holderName: card.holder }),
    ...(networkTransactionId && { networkPaymentReference: networkTransactionId }),
  }
}

const securityCodeOf = (card: CardData | null) =>
  card?.verificationCode ? { cvc: card.verificationCode.reveal() } : {}

/** Wallet A's token is JSON that Adyen wants in Base64; wallet B's is a text of its own. */
function tokenOf(wallet: 'walletapay' | 'walletbpay', token: string) {
  if (wallet === 'walletbpay') return { type: 'googlepay' as const, googlePayToken: token }
  return { type: 'applepay' as const, applePayToken: Buffer.from(token, 'utf8').toString('base64') }
}
