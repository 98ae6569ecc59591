/** Who asks for the charge, how the payer was authenticated, and whether it is one of a series. */
import { type CardNetwork, networkOf } from '#domain/card.ts'
import type { ExternalThreeDs, Order } from '../connector.ts'

type Fields = Readonly<Record<string, unknown>>

/** Indicators of an authenticated payer, by the network: fully, or only attempted. */
// biome-ignore format: a table is read in columns.
const indicators: Partial<Readonly<Record<CardNetwork, readonly [full: string, attempted: string]>>> = {
  visa:       [ 'vbv',   'vbv_attempted' ],
  // Mastercard tells an attempt by the collection indicator.
  mastercard: [ 'spa',   'spa' ],
  maestro:    [ 'spa',   'spa' ],
  amex:       [ 'aesk',  'aesk_attempted' ],
  discover:   [ 'dipb',  'dipb_attempted' ],
  dinersclub: [ 'pb',    'pb_attempted' ],
  jcb:        [ 'js',    'js_attempted' ],
  elo:        [ 'cs',    'cs_attempted' ],
  unionpay:   [ 'up3ds', 'up3ds_attempted' ],
}

/** A wallet's number is authenticated by the device; Visa wants no indicator of its own for that. */
const walletIndicators: typeof indicators = { ...indicators, visa: ['internet', 'internet'] }

export function commerceIndicatorOf(order: Order): string {
  const { threeDs, wallet, storedCredential: stored, moto } = order
  if (moto) return 'moto'
  if (isMerchants(order)) return stored?.source === 'card_token' ? 'internet' : 'recurring'
  const network = order.card ? networkOf(order.card.number.reveal()) : undefined
  if (threeDs && network) return indicators[network]?.[isAttempt(threeDs) ? 1 : 0] ?? 'internet'
  if (wallet?.decrypted?.cryptogram && network) return walletIndicators[network]?.[0] ?? 'internet'
  return 'internet'
}

/** Visa, American Express and others say 06 of an attempt, Mastercard 01. */
const isAttempt = ({ eci, transStatus }: ExternalThreeDs): boolean => transStatus === 'A' || /^0?[16]$/.test(eci)

const isMerchants = ({ storedCredential: stored }: Order): boolean =>
  stored?.sequence === 'subsequent' && stored.initiator === 'merchant'

/** Undefined if neither our own authentication nor a wallet's cryptogram proves anything. */
export function authenticationOf({ threeDs, wallet, card }: Order): Fields | undefined {
  const network = card ? networkOf(card.number.reveal()) : undefined
  const isMastercards = network === 'mastercard' || network === 'maestro'
  const cryptogram = wallet?.decrypted?.panType === 'DPAN' ? wallet.decrypted.cryptogram?.reveal() : undefined
  if (!threeDs && cryptogram === undefined) return undefined
  if (!threeDs) {
    return isMastercards
      ? { ucafAuthenticationData: cryptogram, ucafCollectionIndicator: '2' }
      : { cavv: cryptogram, ...(wallet?.decrypted?.eci && { eciRaw: wallet.decrypted.eci }) }
  }
  const value = threeDs.authenticationValue.reveal()
  return {
    ...(isMastercards
      ? { ucafAuthenticationData: value, ucafCollectionIndicator: isAttempt(threeDs) ? '1' : '2' }
      : { cavv: value }),
    eciRaw: threeDs.eci,
    ...(threeDs.transStatus && { paresStatus: threeDs.transStatus }),
    paSpecificationVersion: threeDs.version,
    directoryServerTransactionId: threeDs.dsTransId,
    ...(threeDs.xid && { xid: threeDs.xid }),
  }
}

/** Reasons of a charge without the payer, which Mastercard wants to know. */
const reasons = { recurring: '7', schedule: '7', card_token: '10' } as const

/** Null where nothing is stored and nothing stored is used. */
export function initiatorOf(order: Order): Fields | null {
  const { storedCredential: stored, networkTransactionId } = order
  if (stored?.sequence === 'subsequent' && stored.initiator === 'merchant') {
    const previous = networkTransactionId ?? stored.reference
    return {
      type: 'merchant',
      storedCredentialUsed: true,
      merchantInitiatedTransaction: {
        reason: reasons[stored.source],
        ...(previous && { previousTransactionId: previous }),
      },
    }
  }
  if (stored?.sequence === 'subsequent') return { type: 'customer', storedCredentialUsed: true }
  const isStored = stored !== null || order.registerCard || order.recurringInit
  return isStored ? { type: 'customer', credentialStoredOnFile: true } : null
}
