/** The address of the list that shows exactly the payments that a figure counted. */

interface CountedRange {
  /** The beginning and the end of what was counted. */
  readonly countedFrom: string
  readonly to: string
}

/** Payouts and transfers are counted apart. With instants, because the figures of an unchosen range begin and end within a day. */
export function countedPayments({ countedFrom, to }: CountedRange, query: Readonly<Record<string, string>>): string {
  const set = Object.entries({ from: countedFrom, to, kind: 'income', ...query }).filter(([, value]) => value !== '')
  return `/payments?${new URLSearchParams(set)}`
}
