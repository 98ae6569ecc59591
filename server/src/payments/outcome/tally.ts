/** Counts settled first steps for MID health. Chapter 50 §4. */
import { allowsRetry, firstStepTypes } from '#domain/payment/payment.ts'
import type { Cell } from '#domain/routing/approval.ts'
import type { OutcomeRecord, PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export function countForHealth(
  { midHealth }: Deps,
  { after, transaction }: Pick<OutcomeRecord, 'after' | 'transaction'>,
): void {
  if (!firstStepTypes.includes(transaction.type)) return
  if (transaction.state === 'success') midHealth.record(transaction.midId, cellOf(after), 'approved')
  if (transaction.state === 'fail' && isAboutTheMid(transaction)) {
    midHealth.record(transaction.midId, cellOf(after), 'declined')
  }
}

/** Only attributes known before routing: the acquirer reports the issuer too late to choose a MID by it. */
const cellOf = ({ currency, facts }: Pick<PaymentRecord, 'currency' | 'facts'>): Cell => ({
  network: facts.network ?? null,
  country: facts.issuer?.country ?? null,
  currency,
})

/** Declines caused by the payer say nothing about the MID. */
const payerReasons: ReadonlySet<string | null> = new Set(['Expired', 'Cancelled by payer'])

const isAboutTheMid = ({ declineClass, declineReason }: TransactionRecord): boolean =>
  declineClass !== null && allowsRetry(declineClass) && !payerReasons.has(declineReason)
