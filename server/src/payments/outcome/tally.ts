/** What a settled first step tells about its MID. Chapter 50 §4. */
import { firstStepTypes, isSoft } from '#domain/payment/payment.ts'
import type { Cell } from '#domain/routing/approval.ts'
import type { PaymentRecord, Settlement, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

export function tally({ midHealth }: Deps, { after, transaction }: Pick<Settlement, 'after' | 'transaction'>): void {
  if (!firstStepTypes.includes(transaction.type)) return
  if (transaction.state === 'success') midHealth.heard(transaction.midId, cellOf(after), 'approved')
  if (transaction.state === 'fail' && isAboutTheMid(transaction)) {
    midHealth.heard(transaction.midId, cellOf(after), 'declined')
  }
}

/** As routing knows it beforehand: what the acquirer tells about the issuer comes too late to choose by. */
const cellOf = ({ currency, facts }: Pick<PaymentRecord, 'currency' | 'facts'>): Cell => ({
  network: facts.network ?? null,
  country: facts.issuer?.country ?? null,
  currency,
})

/** A payer who never came back did not meet a worse acquirer. */
const payersOwn: ReadonlySet<string | null> = new Set(['Expired', 'Cancelled by payer'])

const isAboutTheMid = ({ declineClass, declineReason }: TransactionRecord): boolean =>
  declineClass !== null && isSoft(declineClass) && !payersOwn.has(declineReason)
