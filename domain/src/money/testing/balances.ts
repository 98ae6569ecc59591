import type { Account, Entry } from '../ledger.ts'

/** Balance per account over many entries; the sum over all accounts is always zero. */
export function balances(entries: Iterable<Entry>): ReadonlyMap<Account, bigint> {
  const totals = new Map<Account, bigint>()
  for (const { from, to, amountMinor } of entries) {
    totals.set(from, (totals.get(from) ?? 0n) - amountMinor)
    totals.set(to, (totals.get(to) ?? 0n) + amountMinor)
  }
  return totals
}
