/** The dashboard's checks that the money adds up. Chapter 50 §8, "money invariants". */

import { dayMs, utcDay } from '#domain/time.ts'
import { differenceStore } from '../../store/finance/differences.ts'
import { disputeStore } from '../../store/finance/disputes/disputes.ts'
import { type MidRecord, settlementStore } from '../../store/finance/settlements.ts'
import { findMoneyFaults, type MoneyFault } from '../../store/payments/money-checks.ts'
import { findBeginningOfNewest } from '../../store/payments/newest-payments.ts'
import type { Grant } from '../access/permissions.ts'
import { checkNewestStatement } from '../finance/statement-check.ts'
import type { StatementFault } from '../finance/statements.ts'
import type { PanelContext } from '../panel-context.ts'
import { type DashboardQuery, scopeOf } from '../reports/dashboard.ts'
import { compareWithAcquirer } from './acquirer-record.ts'

const paymentsLookedAt = 12_000

type MoneyContext = Pick<PanelContext, 'pool' | 'clock' | 'sandboxUrl' | 'log'>

interface MoneyCheck {
  readonly name: string
  readonly title: string
  readonly ok: boolean
  /** What was compared with what. */
  readonly against: string
  /** How old what was compared is; null if it is read with each answer. */
  readonly asOf: Date | null
  readonly checked: number
  readonly offending: readonly Offending[]
  /** MIDs in use without an acquirer's record, or with an old one; the first of `gapCount`. */
  readonly gaps: readonly MidRecord[]
  readonly gapCount: number
  /** Why it was not compared, in which case it is not ok; null if it was. */
  readonly failure: string | null
}

interface Fault {
  readonly merchantId: string | null
  /** Null if the fault is not that of one payment. */
  readonly paymentId: string | null
  readonly text: string
}

interface Offending extends Fault {
  /** If the fault is an open difference of a settlement. */
  readonly difference: { readonly kind: string; readonly day: string } | null
  /** If the statements of a merchant do not add up to its ledger. */
  readonly statements: Omit<StatementFault, 'merchantId'> | null
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

export async function readMoneyChecksFor(
  context: MoneyContext,
  grant: Grant,
  wish: DashboardQuery,
): Promise<MoneyChecks> {
  const { from, to, mode } = wish
  const merchantIds = scopeOf(grant, wish.merchantId)
  const range = { from, to, mode, merchantIds }
  const begins = await findBeginningOfNewest(context.pool, range, paymentsLookedAt)
  const ofAll = grant.merchants === 'all' && wish.merchantId === null
  const [{ lookedAt, faults }, comparison, statements, disputes, settlements] = await Promise.all([
    findMoneyFaults(context.pool, { ...range, from: begins ?? from }),
    compareWithAcquirer(context, merchantIds),
    checkStatements(context, merchantIds),
    checkDisputes(context, merchantIds),
    ofAll ? checkSettlements(context) : null,
  ])
  const offending = (check: MoneyFault['check']) => faults.filter((fault) => fault.check === check)
  const own = rows.map(([name, title, against]) =>
    checkOf({ name, title, against, checked: lookedAt.payments, offending: offending(name) }),
  )
  const acquirer = comparison && {
    name: 'acquirer',
    title: acquirerTitle,
    against: 'the newest entries of the acquirer’s ledger, read now, with our transactions',
    checked: comparison.compared,
    offending: comparison.disagreements,
  }
  const ledger = {
    name: 'ledger',
    title: 'Ledger postings match the transactions',
    against: 'our ledger with our transactions',
    checked: lookedAt.transactions,
    offending: offending('transactions'),
  }
  const checks = [
    ...own,
    checkOf(ledger),
    ...(acquirer ? [checkOf(acquirer)] : []),
    ...(settlements ? [settlements] : []),
    ...(statements ? [statements] : []),
    ...(disputes ? [disputes] : []),
  ]
  return {
    ok: checks.every(({ ok }) => ok),
    checkedPayments: lookedAt.payments,
    complete: begins === null,
    checks,
  }
}

const acquirerTitle = 'Our records match the acquirer’s'
const differencesShown = 50
const gapsShown = 20
/** A MID without payments for longer is no longer in use. */
const inUseDays = 30
/** Acquirers send a file each day or each week. */
const oldAfterDays = 10

/**
 * Chapter 70 §3: there is no such light before an acquirer's record was read, and it says how old the record is: that of the MID in use whose record
 * is oldest. MIDs without a record, or with an old one, are named. See decisions/settlement#lights.
 */
async function checkSettlements({ pool, clock }: MoneyContext): Promise<MoneyCheck | null> {
  const now = clock.now().getTime()
  const [{ at, rows }, records] = await Promise.all([
    settlementStore(pool).readNewestRecord(),
    settlementStore(pool).listRecordsInUse(utcDay(now - inUseDays * dayMs)),
  ])
  if (at === null) return null
  const gaps = records.filter((record) => record.at === null || record.at.getTime() < now - oldAfterDays * dayMs)
  const oldest = records.find((record) => record.at !== null)?.at ?? at
  const all = { midId: null, day: null, fileId: null, after: null, limit: differencesShown }
  const differences = await differenceStore(pool).list({ ...all, reportedBy: 'acquirer', openOnly: true })
  return {
    ...checkOf({
      name: 'settlements',
      title: acquirerTitle,
      against: 'the acquirers’ settlement files with our transactions',
      asOf: oldest,
      checked: Number(rows),
      offending: differences.flatMap(({ merchantId, paymentId, kind, day }) =>
        paymentId === null ? [] : [{ merchantId, paymentId, text: `${kind} on ${day}`, difference: { kind, day } }],
      ),
    }),
    ok: differences.length === 0,
    gaps: gaps.slice(0, gapsShown),
    gapCount: gaps.length,
  }
}

/** Chapter 70 §3: the sum of all statements equals the ledger. There is no such light before the first statement. */
async function checkStatements(
  context: MoneyContext,
  merchantIds: readonly string[] | null,
): Promise<MoneyCheck | null> {
  const found = await checkNewestStatement(context, merchantIds)
  if (found === null) return null
  const light = {
    name: 'statements',
    title: 'Statements add up to the ledger',
    against: 'the sum of all statements per merchant and currency with the ledger',
  }
  if (found.kind === 'failed')
    return { ...checkOf({ ...light, checked: 0, asOf: found.at, offending: [] }), ok: false, failure: notCompared }
  return checkOf({
    ...light,
    asOf: found.at,
    checked: found.checked,
    offending: found.faults.map(({ merchantId, ...statements }) => ({
      merchantId,
      paymentId: null,
      text: `The statements in ${statements.currency} until ${statements.lastDay} differ from the ledger.`,
      statements,
    })),
  })
}

/** Chapter 70 §4: the acquirer keeps the money of a lost dispute. There is no such light before the first chargeback. */
async function checkDisputes(
  { pool }: MoneyContext,
  merchantIds: readonly string[] | null,
): Promise<MoneyCheck | null> {
  const { checked, found } = await disputeStore(pool).listLostAndReturned(merchantIds, differencesShown)
  if (checked === 0) return null
  return checkOf({
    name: 'disputes',
    title: 'Money of lost disputes is not here',
    against: 'what our ledger returned of chargebacks with the acquirers’ decisions',
    checked,
    offending: found.map(({ merchantId, paymentId, reference }) => ({
      merchantId,
      paymentId,
      text: `The dispute ${reference} is lost, and its money was returned here.`,
    })),
  })
}

const notCompared = 'The comparison was not finished. It is repeated after ten minutes, and the log has the reason.'

interface Compared extends Omit<MoneyCheck, 'ok' | 'asOf' | 'offending' | 'gaps' | 'gapCount' | 'failure'> {
  readonly asOf?: Date | null
  readonly offending: readonly (Fault & Partial<Offending>)[]
}

const checkOf = ({ asOf, offending, ...check }: Compared): MoneyCheck => ({
  ...check,
  asOf: asOf ?? null,
  ok: offending.length === 0,
  gaps: [],
  gapCount: 0,
  failure: null,
  offending: offending.map((one) => ({ difference: null, statements: null, ...one })),
})
