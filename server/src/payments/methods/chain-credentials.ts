/** What an acquirer stored with the first payment of a chain: some acquirers charge by that alone. Chapter 60 §1.2. */
import type { PaymentRecord } from '../../contracts/records.ts'

/** By the MID of that payment: another acquirer has no use for it. */
export function credentialsStoredBy(first: PaymentRecord | null): Readonly<Record<string, string>> {
  const stored = first?.facts.acquirer?.storedCredential
  return first?.midId && stored ? { [first.midId]: stored } : {}
}
