/** The differences that a month's settlement files contain: one of each kind per acquirer's account. */
import assert from 'node:assert/strict'

/** What an acquirer pays for one effect. */
export interface SettledRow {
  /** The acquirer's own; empty where it has none for the effect. */
  readonly ref: string
  readonly effect: string
  readonly paymentId: string
  readonly transactionId: string
  readonly currency: string
  readonly gross: bigint
  readonly fee: bigint
}

/** What a file needs to know besides the rows of its own MID. */
interface Planting {
  /** A payment that was declined at this MID. */
  readonly declined: string
  /** A payment of another MID. */
  readonly elsewhere: string
}

interface PlantedRows {
  readonly rows: readonly SettledRow[]
  /** The row that comes only with a later file. */
  readonly late: SettledRow
  /** The differences that have to be found, as the panel lists them. */
  readonly differences: readonly string[]
}

export const rowInEuros = (ref: string, paymentId: string, gross: bigint, fee: bigint): SettledRow => ({
  ref,
  effect: 'sale',
  paymentId,
  transactionId: '',
  currency: 'EUR',
  gross,
  fee,
})

/** The first nine sales are three in each of EUR, JPY and KWD. Chargebacks that were won come back, except those in EUR. */
export function withDifferences(own: readonly SettledRow[], { declined, elsewhere }: Planting): PlantedRows {
  const sales = own.filter(({ effect }) => effect === 'sale')
  const [less, doubled, forgotten, , currency, , , late] = sales
  assert.ok(less && doubled && forgotten && currency && late)
  const unpaid = own.filter((one) => one.effect === 'chargeback_reversal' && one.currency === 'EUR')
  const rows = own
    .filter((one) => one !== forgotten && one !== late && !unpaid.includes(one))
    .map((one) => {
      if (one === less) return { ...one, gross: one.gross - 1n }
      return one === currency ? { ...one, currency: 'EUR' } : one
    })
  const unknown = crypto.randomUUID()
  const planted = [
    { ...doubled, ref: 'TWICE' },
    rowInEuros('UNKNOWN', unknown, 500n, 0n),
    rowInEuros('DECLINED', declined, 500n, 7n),
    rowInEuros('ELSEWHERE', elsewhere, 250n, 3n),
  ]
  return {
    rows: [...rows, ...planted],
    late,
    differences: [
      `amount ${less.paymentId}`,
      `doubled ${doubled.paymentId}`,
      `missing-there ${forgotten.paymentId}`,
      ...unpaid.map(({ paymentId }) => `reversal-missing ${paymentId}`),
      `currency ${currency.paymentId}`,
      `late ${late.paymentId}`,
      `missing-here ${unknown}`,
      `other-outcome ${declined}`,
      `other-mid ${elsewhere}`,
    ],
  }
}
