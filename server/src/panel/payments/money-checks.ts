/** The dashboard's checks that the money adds up. Chapter 50 §8, "money invariants". */
import { type MoneyFault, moneyFaults } from '../../store/payments/money-checks.ts'
import { beginningOfNewest } from '../../store/payments/newest-payments.ts'
import type { Grant } from '../access/permissions.ts'
import type { PanelContext } from '../panel-context.ts'
import { type DashboardQuery, scopeOf } from '../reports/dashboard.ts'
import { compareWithAcquirer } from './acquirer-record.ts'

const paymentsLookedAt = 20_000

interface MoneyCheck {
  readonly name: string
  readonly title: string
  readonly ok: boolean
  /** What was compared with what. */
  readonly against: string
  readonly checked: number
  readonly offending: readonly {
    readonly merchantId: string | null
    readonly paymentId: string
    readonly text: string
  }[]
}

interface MoneyChecks {
  readonly ok: boolean
  readonly checkedPayments: number
  /** False if the range holds more payments than were checked; the newest were. */
  readonly complete: boolean
  readonly checks: readonly MoneyCheck[]
}

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [MoneyFault['check'], string, string])[] = [
  // check          title                                          compared
  ['captured',      'Captured amounts do not exceed authorisations', 'the totals of each payment'],
  ['refunded',      'Refunds do not exceed captured amounts',        'the totals of each payment'],
  ['postings',      'Ledger postings match the payment totals',      'the ledger with the totals of each payment'],
]

export async function moneyChecksFor(context: PanelContext, grant: Grant, wish: DashboardQuery): Promise<MoneyChecks> {
  const { from, to, test } = wish
  const merchantIds = scopeOf(grant, wish.merchantId)
  const range = { from, to, test, merchantIds }
  const begins = await beginningOfNewest(context.pool, range, paymentsLookedAt)
  const [{ lookedAt, faults }, comparison] = await Promise.all([
    moneyFaults(context.pool, { ...range, from: begins ?? from }),
    compareWithAcquirer(context, merchantIds),
  ])
  const offending = (check: MoneyFault['check']) => faults.filter((fault) => fault.check === check)
  const own = rows.map(([name, title, against]) =>
    checkOf({ name, title, against, checked: lookedAt.payments, offending: offending(name) }),
  )
  const record = comparison
    ? { against: 'the newest entries of the acquirer’s ledger with our transactions', checked: comparison.compared }
    : { against: 'our ledger with our transactions; the acquirer provides no records', checked: lookedAt.transactions }
  const title = 'Our records match the acquirer’s'
  const disagreeing = comparison
    ? [...comparison.disagreements, ...offending('transactions')]
    : offending('transactions')
  const checks = [...own, checkOf({ name: 'acquirer', title, ...record, offending: disagreeing })]
  return {
    ok: checks.every(({ ok }) => ok),
    checkedPayments: lookedAt.payments,
    complete: begins === null,
    checks,
  }
}

const checkOf = (check: Omit<MoneyCheck, 'ok'>): MoneyCheck => ({ ...check, ok: check.offending.length === 0 })
