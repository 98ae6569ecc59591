/** What a row of money in a settlement file is for, and which way its money goes. Chapter 60 §5. */

/** `chargeback-reversal` returns what a chargeback took; `fee` and `adjustment` belong to no transaction. */
export const settlementKinds = [
  'charge',
  'refund',
  'chargeback',
  'chargeback-reversal',
  'payout',
  'fee',
  'adjustment',
] as const
export type SettlementKind = (typeof settlementKinds)[number]

// biome-ignore format: a table is read in columns.
const directions: Readonly<Record<SettlementKind, 'in' | 'out' | 'either'>> = {
  'charge': 'in',      'refund': 'out',  'chargeback': 'out',  'chargeback-reversal': 'in',  'payout': 'out',
  'fee':    'either',  'adjustment': 'either',
}

/** Its money belongs to a transaction of ours, whose id or reference its row has. */
export const isOfTransaction: Readonly<Record<SettlementKind, boolean>> = {
  charge: true,
  refund: true,
  chargeback: true,
  'chargeback-reversal': true,
  payout: true,
  fee: false,
  adjustment: false,
}

/** A sum of zero goes neither way. */
export function isAgainst(kind: SettlementKind, grossMinor: bigint): boolean {
  const direction = directions[kind]
  return (direction === 'in' && grossMinor < 0n) || (direction === 'out' && grossMinor > 0n)
}

/** Money of the kind leaves the operator. */
export const isOutgoing = (kind: SettlementKind): boolean => directions[kind] === 'out'
