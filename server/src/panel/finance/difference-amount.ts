/** What a correcting posting books for a difference, so that nothing is owed or expected any more. Chapter 70 §3, decision 0300. */
import type { Queryable } from '../../store/database/pool.ts'
import type { Difference } from '../../store/finance/differences.ts'
import { readSettledMoney } from '../../store/finance/ledger-money.ts'
import { settledRows } from '../../store/finance/settled-rows.ts'

/**
 * What was expected and did not come: negative if more came. Money that leaves counts as negative on both sides, whatever it is for; the amounts that
 * a difference shows have no sign. A late row owes nothing; two currencies have no common sum.
 */
export async function readCorrection(pool: Queryable, difference: Difference): Promise<bigint> {
  const { kind, oursMinor, theirsMinor } = difference
  switch (kind) {
    case 'late':
    case 'currency':
    case 'bank-currency':
      return 0n
    case 'bank-doubled':
      return -(theirsMinor ?? 0n)
    case 'bank-missing':
    case 'bank-amount':
    case 'bank-unknown':
      return (oursMinor ?? 0n) - (theirsMinor ?? 0n)
    default:
      return (await readOurs(pool, difference)) - (await readTheirs(pool, difference))
  }
}

/** By the ledger as it is now: the transaction may have got another outcome since the file was imported. */
async function readOurs(pool: Queryable, difference: Difference): Promise<bigint> {
  const { kind, rowKind, merchantId, paymentId, transactionId } = difference
  // Another row has settled the transaction.
  if (kind === 'doubled') return 0n
  if (merchantId === null || paymentId === null || transactionId === null) return 0n
  const isReturn = kind === 'reversal-missing' || rowKind === 'chargeback-reversal'
  return readSettledMoney(pool, { merchantId, paymentId, transactionId, isReturn })
}

/** In the payment's currency, as the book has it. */
async function readTheirs(pool: Queryable, { midId, ref }: Difference): Promise<bigint> {
  const row = midId === null || ref === null ? null : await settledRows(pool).find(midId, ref)
  return row === null ? 0n : (row.processingMinor ?? row.grossMinor)
}
