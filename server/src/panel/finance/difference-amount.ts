/** What a correcting posting books for a difference, so that nothing is owed or expected any more. Chapter 70 §3, decisions/corrections#postings. */
import type { Queryable } from '../../store/database/pool.ts'
import type { Difference } from '../../store/finance/differences.ts'
import { isTransactionOpen, readSettledMoney } from '../../store/finance/ledger-money.ts'
import { settledRows } from '../../store/finance/settled-rows.ts'

interface Correction {
  readonly currency: string
  /** What was expected and did not come: negative if more came. */
  readonly amountMinor: bigint
}

/**
 * Without those of zero. Money that leaves counts as negative on both sides, whatever it is for; the amounts that a difference shows have no sign. Two
 * currencies have no common sum: each is corrected by itself, the difference's first.
 */
export async function readCorrections(pool: Queryable, difference: Difference): Promise<readonly Correction[]> {
  return (await readAll(pool, difference)).filter(({ amountMinor }) => amountMinor !== 0n)
}

async function readAll(pool: Queryable, difference: Difference): Promise<readonly Correction[]> {
  const { kind, currency, oursMinor, theirsMinor } = difference
  switch (kind) {
    // A late row owes nothing. What the bank expected in another currency is not part of the difference.
    case 'late':
    case 'bank-currency':
      return []
    case 'bank-doubled':
      return [{ currency, amountMinor: -(theirsMinor ?? 0n) }]
    case 'bank-missing':
    case 'bank-amount':
    case 'bank-unknown':
      return [{ currency, amountMinor: (oursMinor ?? 0n) - (theirsMinor ?? 0n) }]
    default: {
      const [ours, theirs] = [await readOurs(pool, difference), await readTheirs(pool, difference)]
      if (ours === null || ours.currency === currency) return [{ currency, amountMinor: (ours?.minor ?? 0n) - theirs }]
      return [
        { currency, amountMinor: -theirs },
        { currency: ours.currency, amountMinor: ours.minor },
      ]
    }
  }
}

/** By the ledger as it is now: the transaction may have got another outcome since the file was imported. Null if it has nothing to settle. */
async function readOurs(pool: Queryable, difference: Difference): ReturnType<typeof readSettledMoney> {
  const { kind, rowKind, merchantId, paymentId, transactionId } = difference
  // Another row has settled the transaction.
  if (kind === 'doubled') return null
  if (merchantId === null || paymentId === null || transactionId === null) return null
  const isReturn = kind === 'reversal-missing' || rowKind === 'chargeback-reversal'
  return readSettledMoney(pool, { merchantId, paymentId, transactionId, isReturn })
}

/**
 * True while a posting would be owed the other way as soon as the transaction succeeds. One that failed never does:
 * decisions/settlement#never-booked.
 */
export async function isOutcomeOpen(pool: Queryable, { kind, ...of }: Difference): Promise<boolean> {
  const { merchantId, paymentId, transactionId } = of
  if (kind !== 'other-outcome' || merchantId === null || paymentId === null || transactionId === null) return false
  return isTransactionOpen(pool, merchantId, paymentId, transactionId)
}

/** In the payment's currency, as the book has it. */
async function readTheirs(pool: Queryable, { midId, ref }: Difference): Promise<bigint> {
  const row = midId === null || ref === null ? null : await settledRows(pool).find(midId, ref)
  return row === null ? 0n : (row.processingMinor ?? row.grossMinor)
}
