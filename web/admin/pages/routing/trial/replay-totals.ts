/** What a replay adds up to: how many payments and how much money would go from one MID to another. */
import type { ReroutedPayment } from './use-replay.ts'

interface Move {
  readonly from: string
  readonly to: string
  readonly payments: number
  readonly amounts: readonly { readonly currency: string; readonly minor: string }[]
}

/** The moves with most payments first. */
export function movesOf(changed: readonly ReroutedPayment[]): readonly Move[] {
  const groups = groupBy(changed, (one) => JSON.stringify([one.wentTo ?? 'no MID', targetOf(one)]))
  return [...groups.values()]
    .flatMap((payments) => {
      const [first] = payments
      if (first === undefined) return []
      const from = first.wentTo ?? 'no MID'
      return [{ from, to: targetOf(first), payments: payments.length, amounts: amountsOf(payments) }]
    })
    .toSorted((one, other) => other.payments - one.payments)
}

const targetOf = ({ result, wouldGoTo }: ReroutedPayment): string =>
  result === 'routed' && wouldGoTo !== null ? wouldGoTo : result

const amountsOf = (payments: readonly ReroutedPayment[]): Move['amounts'] =>
  [...groupBy(payments, ({ currency }) => currency)]
    .map(([currency, of]) => ({
      currency,
      minor: String(of.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n)),
    }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1))

/** `Map.groupBy` is newer than the oldest browser of the panel. */
function groupBy(
  payments: readonly ReroutedPayment[],
  keyOf: (payment: ReroutedPayment) => string,
): ReadonlyMap<string, readonly ReroutedPayment[]> {
  const groups = new Map<string, ReroutedPayment[]>()
  for (const payment of payments) groups.set(keyOf(payment), [...(groups.get(keyOf(payment)) ?? []), payment])
  return groups
}
