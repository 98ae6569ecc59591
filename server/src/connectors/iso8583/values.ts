/** The values of a message, by the names that dialects use. */

import { currencyNumber } from '#domain/money/currency-number.ts'
import { acquirerAmounts } from '../amounts.ts'
import type { CardData, Order, SentTransaction } from '../connector.ts'
import { merchantReference } from '../merchant-reference.ts'
import type { Iso8583Credentials } from './credentials.ts'
import type { Dialect } from './dialect.ts'
import { numbersOf, type Purpose, retrievalReference } from './original.ts'
import type { Values } from './template.ts'

/** Why the order cannot be written; safe to show to the merchant. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

const amountRefused = 'The acquirer cannot take this amount'

function amountIn({ decimals }: Dialect, currency: string, amountMinor: bigint): string {
  const amount = acquirerAmounts(decimals).toAcquirer(amountMinor, currency)
  if (amount === null) throw new UnwritableError(amountRefused)
  return String(amount)
}

type Transaction = Pick<SentTransaction, 'transactionId' | 'paymentId' | 'createdAt' | 'currency'>

/** Fills in the terminal, the time and the amount. */
export function transactionValues(
  dialect: Dialect,
  credentials: Iso8583Credentials,
  transaction: Transaction & { readonly amountMinor: bigint },
  purpose: Purpose = 'request',
): Values {
  const { transactionId, currency, amountMinor } = transaction
  const number = currencyNumber(currency)
  if (number === undefined) throw new UnwritableError(amountRefused)
  return {
    ...numbersOf(transaction, purpose),
    amount: amountIn(dialect, currency, amountMinor),
    currency: number,
    rrn: retrievalReference(transactionId),
    reference: merchantReference(transaction),
    transactionId,
    acquirerId: credentials.acquirer_id,
    terminalId: credentials.terminal_id,
    acceptorId: credentials.acceptor_id,
    city: credentials.city,
    country: credentials.country,
    mcc: credentials.mcc,
    ...(credentials.forwarder_id !== undefined && { forwarderId: credentials.forwarder_id }),
  }
}

export function orderValues(dialect: Dialect, order: Order, card: CardData): Values {
  const { threeDs, wallet, networkTransactionId } = order
  const { cryptogram, emvData, eci: walletEci } = wallet?.decrypted ?? {}
  const eci = threeDs?.eci ?? walletEci
  const situation = situationOf(order)
  const use = credentialUseOf(order)
  return {
    pan: card.number.reveal(),
    ...expiryOf(card),
    ...(card.verificationCode && { cvv: card.verificationCode.reveal() }),
    descriptor: inAscii(order.descriptor),
    posEntry: dialect.posEntry[situation],
    ...(dialect.posCondition && { posCondition: dialect.posCondition[situation] }),
    ...(use && { credentialUse: dialect.credentialUse[use] }),
    ...(networkTransactionId !== null && { networkTransactionId }),
    ...(eci && { eci }),
    ...(threeDs && {
      cavv: threeDs.authenticationValue.reveal(),
      cavvHex: inHex(threeDs.authenticationValue.reveal()),
      dsTransId: threeDs.dsTransId,
      threeDsVersion: threeDs.version,
    }),
    ...(cryptogram && { cryptogram: cryptogram.reveal(), cryptogramHex: inHex(cryptogram.reveal()) }),
    ...(emvData && { emvHex: inHex(emvData.reveal()) }),
  }
}

interface Original {
  readonly transactionId: string
  readonly createdAt: Date
  readonly amountMinor: bigint
  readonly approvalCode: string | undefined
  /** The host's own, where it answered with one. */
  readonly rrn: string | undefined
  /** The trace number under which it was sent, if it is not the first one that its id derives. */
  readonly stan: string | undefined
}

/** An earlier message, as a later one names it. Its amount was written in this currency before. */
export function originalValues(dialect: Dialect, currency: string, original: Original, mti: string): Values {
  const { stan, transmitted, localDateTime } = numbersOf(original, 'request')
  return {
    'original.mti': mti,
    'original.stan': original.stan ?? stan,
    'original.transmitted': transmitted,
    'original.localDateTime': localDateTime,
    'original.rrn': original.rrn ?? retrievalReference(original.transactionId),
    'original.amount': amountIn(dialect, currency, original.amountMinor),
    ...(original.approvalCode !== undefined && { 'original.approvalCode': original.approvalCode }),
  }
}

function situationOf({ moto, storedCredential, wallet }: Order): keyof Dialect['posEntry'] {
  if (storedCredential?.initiator === 'merchant') return 'merchantInitiated'
  if (moto) return 'moto'
  if (wallet) return 'deviceWallet'
  return storedCredential?.sequence === 'subsequent' ? 'storedCard' : 'ecommerce'
}

function credentialUseOf({
  storedCredential,
  recurringInit,
  registerCard,
}: Order): keyof Dialect['credentialUse'] | null {
  if (storedCredential?.sequence === 'subsequent') {
    if (storedCredential.initiator === 'cardholder') return 'cardholder'
    return storedCredential.source === 'card_token' ? 'unscheduled' : 'recurring'
  }
  return storedCredential || recurringInit || registerCard ? 'initial' : null
}

function expiryOf({ expiryMonth, expiryYear }: CardData): Values {
  if (expiryMonth === null || expiryYear === null) return {}
  return { expiry: `${String(expiryYear).slice(-2)}${String(expiryMonth).padStart(2, '0')}` }
}

const inHex = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

/** Hosts know no letters beyond ASCII; accents are dropped. */
const inAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ')
