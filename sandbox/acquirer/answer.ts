/** What the acquirer tells of a transaction, a ledger entry and a chargeback. */
import type { Chargeback } from './book.ts'
import type { LedgerEntry } from './ledger.ts'
import {
  acquirerReferenceOf,
  approvalCodeOf,
  networkTransactionIdOf,
  referenceOf,
  retrievalReferenceOf,
  storedCredentialOf,
} from './references.ts'
import { reasonOf, type State, stateOf, type Transaction, type TransactionRecord } from './transaction.ts'

export function answerOf(
  transaction: Transaction,
  now: number,
  dropAnswer: boolean,
): Readonly<Record<string, unknown>> {
  const { record, decision } = transaction
  const state = shownState(transaction, now)
  return {
    transaction_id: record.id,
    reference: referenceOf(record.number),
    type: record.type,
    mid: record.mid,
    state,
    ...(state === 'declined' && {
      reason: reasonOf(transaction),
      decline_class: (decision ?? record).declineClass,
    }),
    ...(state === 'redirect' && redirectOf(record)),
    amount: record.amount,
    currency: record.currency,
    ...(state === 'approved' && {
      approval_code: approvalCodeOf(record.number),
      arn: acquirerReferenceOf(record.number, record.at),
    }),
    rrn: retrievalReferenceOf(record.number),
    network_transaction_id: networkTransactionIdOf(record.number),
    ...(record.card !== null && { avs_result: 'Y', cvv_result: record.codeSent ? 'M' : 'P' }),
    descriptor: 'TEST',
    ...(state === 'approved' && record.registersCard && { stored_credential: storedCredentialOf(record.number) }),
    ...(dropAnswer && { drop_answer: true }),
  }
}

export function ledgerEntryOf({ sequence, at, type, transaction }: LedgerEntry): Readonly<Record<string, unknown>> {
  const { record } = transaction
  return {
    sequence,
    at: new Date(at).toISOString(),
    type,
    mid: record.mid,
    transaction_id: record.id,
    payment_id: record.paymentId,
    amount: record.amount,
    currency: record.currency,
    reference: referenceOf(record.number),
  }
}

export function chargebackOf({ sequence, at, transaction, reasonCode }: Chargeback): Readonly<Record<string, unknown>> {
  const { record } = transaction
  const instant = new Date(at).toISOString()
  return {
    sequence,
    at: instant,
    bank_date: instant.slice(0, 10),
    mid: record.mid,
    transaction_id: record.id,
    payment_id: record.paymentId,
    amount: record.amount,
    currency: record.currency,
    reference: referenceOf(record.number),
    reason_code: reasonCode,
  }
}

/** Only a path, since the page is reached through whoever serves it; the return address says where that is. */
function redirectOf({ paymentId, redirect }: TransactionRecord): Readonly<Record<string, unknown>> {
  if (!redirect) return {}
  return {
    redirect_path: `/sandbox/redirect/${encodeURIComponent(paymentId)}/${redirect.key}`,
    return_url: redirect.returnUrl,
  }
}

/** An unseen success is executed, but the acquirer's own status service learns of it late. */
function shownState(transaction: Transaction, now: number): State {
  const { record } = transaction
  const unseen = record.state === 'approved' && record.decidesAt !== null && now < record.decidesAt
  return unseen ? 'pending' : stateOf(transaction)
}
