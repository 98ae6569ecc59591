/**
 * The acquirer reports something else than people decided about a transaction. A charge that was recorded as not executed is reversed by the
 * late-success rule; everything else needs a person again. Chapter 70 §1.
 */
import { formatAmount } from '#domain/money/money.ts'
import type { Answer } from '../../connectors/connector.ts'
import type { PaymentRecord, TransactionRecord } from '../../contracts/records.ts'
import type { Deps } from '../request/deps.ts'

/** True if the acquirer's answer and the decision exclude each other. An answer that says nothing contradicts nothing. */
export function contradicts({ state, facts }: TransactionRecord, { result }: Answer): boolean {
  if (facts.byHand === undefined) return false
  if (state === 'success') return result === 'declined' || result === 'not-executed'
  return state === 'fail' && result === 'approved'
}

export async function alertContradiction(
  deps: Deps,
  payment: PaymentRecord,
  { type, id, amountMinor, midId, state }: TransactionRecord,
): Promise<void> {
  const mid = deps.configuration.mid(midId)?.name ?? midId
  const amount = `${formatAmount(amountMinor, payment.currency, payment.amountDecimals)} ${payment.currency}`
  const decided = state === 'success' ? 'executed' : 'not executed'
  const reported = state === 'success' ? 'it was not' : 'it was'
  await deps.alerts.raise({
    kind: 'decision-contradicted',
    merchantId: payment.merchantId,
    paymentId: payment.id,
    text: `${type} ${id} of ${amount} at MID ${mid} was decided by hand as ${decided}, and the acquirer reports that ${reported}. Clarify it with the acquirer and correct the payment.`,
    once: true,
  })
}
