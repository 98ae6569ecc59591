/** What the payer pays with at an acquirer of cards: a card, or a device number with its cryptogram. */
import type { JsonObject } from '../../../contracts/json.ts'
import type { CardData, DecryptedWallet, Order } from '../../connector.ts'
import type { PrismAbility } from '../table/row.ts'
import { cardOf, monthOf, networkName, networkOf, secretText } from './order.ts'

type WalletAbility = Extract<PrismAbility, 'wallet-a' | 'wallet-b' | 'network-token'>

/** Null where the order has nothing that the acquirer takes. */
export function paymentMethodOf(
  { card, wallet }: Pick<Order, 'card' | 'wallet'>,
  abilities: readonly PrismAbility[],
): JsonObject | null {
  if (card === null) return null
  const { decrypted } = wallet ?? {}
  if (!decrypted?.cryptogram) return { card: cardOf(card) }
  const own: WalletAbility = wallet?.name === 'walletapay' ? 'wallet-a' : 'wallet-b'
  const form = [own, 'network-token' as const].find((ability) => abilities.includes(ability))
  return form === undefined ? null : walletForms[form](card, decrypted)
}

const numberOf = (card: CardData): JsonObject => secretText(card.number.reveal())
const yearOf = ({ expiryYear }: CardData): string => String(expiryYear ?? '')
const lastDigits = ({ number }: CardData): string => number.reveal().slice(-4)
const cryptogramOf = ({ cryptogram }: DecryptedWallet): JsonObject => secretText(cryptogram?.reveal() ?? '')

/** In these words the wallets themselves name a network. */
const networkTitle = (card: CardData): string => {
  const name = networkName(card) ?? 'CARD'
  return name === 'VISA' || name === 'MASTERCARD' ? name.charAt(0) + name.slice(1).toLowerCase() : name
}

const walletForms: Readonly<Record<WalletAbility, (card: CardData, decrypted: DecryptedWallet) => JsonObject>> = {
  'wallet-a': (card, decrypted) => ({
    applePaySdk: {
      paymentData: {
        decryptedData: {
          applicationPrimaryAccountNumber: numberOf(card),
          applicationExpirationMonth: secretText(monthOf(card)),
          applicationExpirationYear: secretText(yearOf(card)),
          paymentData: {
            onlinePaymentCryptogram: cryptogramOf(decrypted),
            ...(decrypted.eci !== null && { eciIndicator: decrypted.eci }),
          },
        },
      },
      paymentMethod: {
        displayName: `${networkTitle(card)} ${lastDigits(card)}`,
        network: networkTitle(card),
        type: 'debit',
      },
      transactionIdentifier: '',
    },
  }),
  'wallet-b': (card, decrypted) => ({
    googlePaySdk: {
      type: 'CARD',
      description: `${networkTitle(card)} ${lastDigits(card)}`,
      info: { cardNetwork: networkName(card) ?? '', cardDetails: lastDigits(card) },
      tokenizationData: {
        decryptedData: {
          applicationPrimaryAccountNumber: numberOf(card),
          cardExpMonth: secretText(monthOf(card)),
          cardExpYear: secretText(yearOf(card)),
          cryptogram: cryptogramOf(decrypted),
          ...(decrypted.eci !== null && { eciIndicator: decrypted.eci }),
        },
      },
    },
  }),
  'network-token': (card, decrypted) => ({
    networkToken: {
      tokenNumber: numberOf(card),
      tokenExpMonth: secretText(monthOf(card)),
      tokenExpYear: secretText(yearOf(card)),
      tokenCryptogram: cryptogramOf(decrypted),
      cardNetwork: networkOf(card),
      ...(decrypted.eci !== null && { eci: decrypted.eci }),
    },
  }),
}
