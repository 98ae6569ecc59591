/** What a payout run can pay, before it is prepared: per merchant and currency, or why not. Chapter 70 §3, decisions/payouts#operators-account. */
import { isoExponents } from '#domain/money/currencies.ts'
import { exponentOf } from '#domain/money/money.ts'
import type { BankAccount } from '#domain/payout/bank-account.ts'
import { isBankName } from '#domain/payout/bank-text.ts'
import { listPayableRows, type PayableRow, readLastPayerAccounts } from '../../../store/finance/payable.ts'
import type { PanelContext } from '../../panel-context.ts'

/** A run takes no more merchants than this. */
export const merchantsPerRun = 1000

/**
 * Why a merchant cannot be paid: no statement was closed; it owes or is owed nothing; what it was owed was paid out after the statement's last day; no
 * bank account was entered, or one with a name that no bank accepts; a run that waits for approval, or one that was approved, has its money, or the bank
 * has paid it; no bank transfers the currency.
 */
export const obstacles = [
  'no-statement',
  'nothing-owed',
  'paid-since',
  'no-account',
  'unwritable-holder',
  'in-waiting-run',
  'in-approved-run',
  'paid',
  'no-currency',
] as const
type Obstacle = (typeof obstacles)[number]

/** A statement that can be paid to an account. */
export interface Payable extends BankAccount {
  readonly merchantId: string
  readonly currency: string
  readonly statementId: string
  readonly lastDay: string
  readonly closingMinor: bigint
  readonly paidSinceMinor: bigint
  /** The closing balance less what was paid out since. See decisions/payouts#what-is-unpaid. */
  readonly amountMinor: bigint
}

type Judged =
  | { readonly kind: 'payable'; readonly payable: Payable }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }

const runObstacles: Readonly<Record<NonNullable<PayableRow['runState']>, Obstacle>> = {
  waiting: 'in-waiting-run',
  sent: 'in-approved-run',
  paid: 'paid',
}

export function judgePayable(row: PayableRow): Judged {
  const { merchantId, currency, statementId, lastDay, closingMinor, paidSinceMinor, holder, number, bic, runState } =
    row
  if (!isoExponents.has(currency)) return { kind: 'obstacle', obstacle: 'no-currency' }
  if (runState !== null) return { kind: 'obstacle', obstacle: runObstacles[runState] }
  if (statementId === null || lastDay === null || closingMinor === null)
    return { kind: 'obstacle', obstacle: 'no-statement' }
  if (closingMinor <= 0n) return { kind: 'obstacle', obstacle: 'nothing-owed' }
  const amountMinor = closingMinor - paidSinceMinor
  if (amountMinor <= 0n) return { kind: 'obstacle', obstacle: 'paid-since' }
  if (holder === null || number === null) return { kind: 'obstacle', obstacle: 'no-account' }
  if (!isBankName(holder)) return { kind: 'obstacle', obstacle: 'unwritable-holder' }
  const account = { holder, number, bic }
  return {
    kind: 'payable',
    payable: { merchantId, currency, statementId, lastDay, closingMinor, paidSinceMinor, amountMinor, ...account },
  }
}

/** Without a currency, the merchants of the first one in which a merchant can be paid. */
export async function listPayable(context: PanelContext, wanted: string | null) {
  const { pool, configuration } = context
  const [rows, payers] = await Promise.all([listPayableRows(pool, null), readLastPayerAccounts(pool)])
  const judged = rows.map((row) => ({ row, judgement: judgePayable(row) }))
  const decimalsOf = (currency: string): number => exponentOf(currency, configuration.cryptoCurrencies()) ?? 2
  const currencies = [...new Set(rows.map(({ currency }) => currency))].toSorted().map((currency) => {
    const amounts = judged.flatMap(({ judgement }) =>
      judgement.kind === 'payable' && judgement.payable.currency === currency ? [judgement.payable.amountMinor] : [],
    )
    return {
      currency,
      decimals: decimalsOf(currency),
      payable: amounts.length,
      totalMinor: amounts.reduce((sum, minor) => sum + minor, 0n),
      from: payers.get(currency) ?? null,
    }
  })
  const currency = wanted ?? (currencies.find(({ payable }) => payable > 0) ?? currencies[0])?.currency ?? null
  const ofCurrency = judged
    .filter(({ row }) => row.currency === currency)
    .map((one) => ({ ...one, merchantTitle: configuration.merchant(one.row.merchantId)?.title ?? one.row.merchantId }))
    .toSorted((one, other) => one.merchantTitle.localeCompare(other.merchantTitle))
  const payable = ofCurrency.flatMap(({ judgement, merchantTitle }) =>
    judgement.kind === 'payable' ? [{ ...judgement.payable, merchantTitle }] : [],
  )
  const others = ofCurrency.flatMap(({ row, judgement, merchantTitle }) =>
    judgement.kind === 'obstacle'
      ? [{ ...row, amountMinor: row.closingMinor, obstacle: judgement.obstacle, merchantTitle }]
      : [],
  )
  return {
    currency,
    currencies,
    payable: payable.slice(0, merchantsPerRun),
    others: others.slice(0, merchantsPerRun),
    othersCount: others.length,
  }
}
