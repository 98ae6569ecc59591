/** The names under which CyberSource files a transaction. */
import { merchantReference } from '../merchant-reference.ts'

interface TransactionKey {
  readonly paymentId: string
  readonly transactionId: string
}

/**
 * Our id of the transaction, by which a time-out reversal finds it. CyberSource takes 30 characters and the id has 36, so that its number is
 * written in base 36: 25 characters.
 */
export const merchantTransactionId = ({ transactionId }: Pick<TransactionKey, 'transactionId'>): string =>
  BigInt(`0x${transactionId.replaceAll('-', '')}`).toString(36)

/** For requests that a time-out reversal may have to find. */
export const reversibleReference = (key: TransactionKey) => ({
  code: merchantReference(key),
  transactionId: merchantTransactionId(key),
})

/**
 * For reversals and voids: they are requested again instead, which an id that must be unique would prevent. Our id is a comment, which the
 * acquirer's dashboard shows.
 */
export const plainReference = (key: TransactionKey) => ({ code: merchantReference(key), comments: key.transactionId })
