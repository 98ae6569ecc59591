/** What is charged: a card, a wallet's number with its cryptogram, or a wallet's token that CyberSource opens. */
import { type CardNetwork, networkOf } from '#domain/card.ts'
import type { CardData, Order, WalletPayment } from '../connector.ts'

type Fields = Readonly<Record<string, unknown>>

/** CyberSource's codes of card types. */
// biome-ignore format: a table is read in columns.
const cardTypes: Partial<Readonly<Record<CardNetwork, string>>> = {
  visa:       '001',
  mastercard: '002',
  amex:       '003',
  discover:   '004',
  dinersclub: '005',
  jcb:        '007',
  maestro:    '042',
  elo:        '054',
  rupay:      '061',
  unionpay:   '062',
  hipercard:  '050',
}

const paymentSolutions = { walletapay: '001', walletbpay: '012' } as const

/** Tells CyberSource that the value is Apple Pay's: FID=COMMON.APPLE.INAPP.PAYMENT. */
const tokenDescriptors = { walletapay: 'RklEPUNPTU1PTi5BUFBMRS5JTkFQUC5QQVlNRU5U', walletbpay: null } as const

interface PaymentInformation {
  readonly fields: Fields
  /** `processingInformation.paymentSolution`; null of a card. */
  readonly solution: string | null
}

/** Null if CyberSource has no form for it: EMV data, or no card at all. */
export function paymentInformationOf({ card, wallet }: Order): PaymentInformation | null {
  if (wallet?.token) return tokenOf(wallet, wallet.token.reveal())
  if (!card) return null
  const solution = wallet ? paymentSolutions[wallet.name] : null
  const { decrypted } = wallet ?? {}
  if (!decrypted || decrypted.panType === 'FPAN') return { fields: { card: cardOf(card) }, solution }
  if (decrypted.dataType === 'EMV') return null
  const tokenizedCard = {
    ...numberOf(card),
    ...(decrypted.cryptogram && { cryptogram: decrypted.cryptogram.reveal() }),
    // The payer's device gave the number in an application or on a page.
    transactionType: '1',
  }
  return { fields: { tokenizedCard }, solution }
}

function tokenOf({ name }: WalletPayment, token: string): PaymentInformation {
  const descriptor = tokenDescriptors[name]
  const fluidData = {
    value: Buffer.from(token, 'utf8').toString('base64'),
    ...(descriptor && { descriptor, encoding: 'Base64' }),
  }
  return { fields: { fluidData }, solution: paymentSolutions[name] }
}

const cardOf = (card: CardData): Fields => ({
  ...numberOf(card),
  ...(card.verificationCode && { securityCode: card.verificationCode.reveal() }),
})

/** Number, expiry and type, of a card or of a wallet's number. */
export function numberOf(card: Pick<CardData, 'number' | 'expiryMonth' | 'expiryYear'>): Fields {
  const number = card.number.reveal()
  const network = networkOf(number)
  const type = network && cardTypes[network]
  return {
    number,
    ...(card.expiryMonth !== null && { expirationMonth: String(card.expiryMonth).padStart(2, '0') }),
    ...(card.expiryYear !== null && { expirationYear: String(card.expiryYear) }),
    ...(type && { type }),
  }
}
