/** What the money of a difference is for: as the acquirer's row says, or by the type of our transaction where no row came. */
import { type SettlementKind, settlementKinds } from '#domain/settlement/settlement-kind.ts'
import { kindOfType } from '#domain/settlement/settlement-match.ts'
import type { Queryable } from '../../store/database/pool.ts'
import type { Difference } from '../../store/finance/differences.ts'
import { readMovementTypes } from '../../store/finance/ledger-money.ts'

export async function addMovements<Row extends Difference>(pool: Queryable, differences: readonly Row[]) {
  const types = await readMovementTypes(
    pool,
    differences.flatMap(({ kind, merchantId, paymentId, transactionId }) =>
      kind === 'missing-there' && merchantId !== null && paymentId !== null && transactionId !== null
        ? [{ merchantId, paymentId, transactionId }]
        : [],
    ),
  )
  return differences.map((one) => ({ ...one, movement: movementOf(one, types) }))
}

/** Null for what the bank reported: its amounts have their own sign. */
function movementOf(
  { kind, rowKind, transactionId }: Difference,
  types: ReadonlyMap<string, string>,
): SettlementKind | null {
  if (kind === 'reversal-missing') return 'chargeback-reversal'
  const type = transactionId === null ? undefined : types.get(transactionId)
  return settlementKinds.find((one) => one === rowKind) ?? (type === undefined ? null : kindOfType(type))
}
