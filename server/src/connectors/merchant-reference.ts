/**
 * The text under which an acquirer files a transaction, and which its notifications and reports repeat.
 *
 * It begins with the payment's id, by which support finds it in the acquirer's dashboard, and ends with the end of the transaction's id, which
 * tells a capture from its authorisation. 49 characters: the narrowest field of the acquirers takes 50.
 */

import { uuidPattern } from '#domain/uuid.ts'

/** Random digits of a version 7 UUID: unique among the transactions of one payment. */
const endLength = 12

interface TransactionKey {
  readonly paymentId: string
  readonly transactionId: string
}

export const merchantReference = ({ paymentId, transactionId }: TransactionKey): string =>
  `${paymentId}.${transactionId.slice(-endLength)}`

/** `transactionId` is the end of it. Null if the text is not ours: the account may serve other shops as well. */
export function readMerchantReference(text: string): TransactionKey | null {
  const { paymentId, transactionId } = pattern.exec(text)?.groups ?? {}
  return paymentId === undefined || transactionId === undefined ? null : { paymentId, transactionId }
}

const pattern = new RegExp(`^(?<paymentId>${uuidPattern})\\.(?<transactionId>[0-9a-f]{12})$`)

/** True if an id, whole or its end, is that of a transaction. */
export const isIdOf = (id: string, transaction: { readonly id: string }): boolean =>
  id.length >= endLength && transaction.id.endsWith(id)
