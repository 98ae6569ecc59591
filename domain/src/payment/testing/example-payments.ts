/** Payments for the tests of the rules. */
import type { Payment, Status } from '../payment.ts'

export const today = '2026-03-10'

const blank: Payment = {
  status: 'PREPARE',
  kind: 'sale',
  recurring: false,
  holds: false,
  amountMinor: 1000n,
  authorisedMinor: 0n,
  capturedMinor: 0n,
  refundedMinor: 0n,
  chargedBackMinor: 0n,
  financialDay: null,
  declineClass: null,
  inFlight: false,
}
const capturedTotals = { authorisedMinor: 1000n, capturedMinor: 1000n, financialDay: today }

/** A sale of 10.00 in each status, as it would stand after the events that lead there. */
export const saleIn: Readonly<Record<Status, Payment>> = {
  PREPARE: { ...blank, inFlight: true },
  '3DS': { ...blank, status: '3DS', inFlight: true },
  REDIRECT: { ...blank, status: 'REDIRECT', inFlight: true },
  PENDING: { ...blank, status: 'PENDING', holds: true, authorisedMinor: 1000n },
  SETTLED: { ...blank, ...capturedTotals, status: 'SETTLED' },
  REVERSAL: { ...blank, status: 'REVERSAL', holds: true, authorisedMinor: 1000n },
  REFUND: { ...blank, ...capturedTotals, status: 'REFUND', refundedMinor: 1000n },
  VOID: { ...blank, ...capturedTotals, status: 'VOID', refundedMinor: 1000n },
  CHARGEBACK: { ...blank, ...capturedTotals, status: 'CHARGEBACK', chargedBackMinor: 400n },
  DECLINED: { ...blank, status: 'DECLINED', recurring: true, declineClass: 'soft' },
}

export const asDebit = (payment: Payment): Payment => ({ ...payment, kind: 'debit' })
