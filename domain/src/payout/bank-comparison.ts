/** What an acquirer announced as a payout, compared with what the bank booked for it. Chapter 70 §3. */
import { bankingDaysAfter } from './banking-days.ts'

/** A payout that the bank has not booked so many banking days after its last row is missing. */
export const usualBankingDays = 5

export interface AnnouncedPayout {
  readonly midId: string
  readonly payout: string
  readonly currency: string
  /** What the rows of the payout add up to; negative if the acquirer collects it. */
  readonly netMinor: bigint
  /** What was posted to the account of differences, and is no longer expected from the bank. */
  readonly postedMinor: bigint
  /** The day of its last row, `YYYY-MM-DD`. */
  readonly lastDay: string
}

export interface BookedLine {
  readonly account: string
  readonly ref: string
  readonly currency: string
  readonly amountMinor: bigint
  readonly bookedOn: string
}

/** The days of a currency's accounts that were read. */
export interface CoveredDays {
  readonly firstDay: string
  readonly lastDay: string
}

type BankDifferenceKind = 'bank-missing' | 'bank-amount' | 'bank-currency' | 'bank-doubled' | 'bank-unknown'

export interface BankDifference {
  readonly kind: BankDifferenceKind
  /** Null for a line of the bank of which no MID is known. */
  readonly midId: string | null
  readonly payout: string | null
  readonly day: string
  readonly currency: string
  readonly announcedMinor: bigint | null
  readonly bookedMinor: bigint | null
  /** The line of the bank, if it is about one. */
  readonly account: string | null
  readonly lineRef: string | null
}

export const isOverdue = (lastDay: string, currency: string, today: string): boolean =>
  bankingDaysAfter(lastDay, usualBankingDays, currency) < today

/** All sums of one payout, one per currency, against all lines of the bank that name it. */
export function payoutDifferences(
  announced: readonly AnnouncedPayout[],
  lines: readonly BookedLine[],
  covered: ReadonlyMap<string, CoveredDays>,
): readonly BankDifference[] {
  const [first] = announced
  if (!first) return []
  const known = new Set(announced.map(({ currency }) => currency))
  const foreign = lines.filter(({ currency }) => !known.has(currency))
  const others = foreign.map((line) => ({
    ...differenceBase(first, line),
    kind: 'bank-currency' as const,
    announcedMinor: null,
  }))
  const own = announced.flatMap((payout) => {
    const booked = lines.filter(({ currency }) => currency === payout.currency)
    // A sum that came in another currency is one difference, not two.
    if (booked.length === 0 && foreign.length > 0) return []
    return differencesOf(payout, booked, covered.get(payout.currency))
  })
  return [...own, ...others]
}

function differencesOf(
  payout: AnnouncedPayout,
  booked: readonly BookedLine[],
  covered: CoveredDays | undefined,
): readonly BankDifference[] {
  const { netMinor, postedMinor } = payout
  const expectedMinor = netMinor - postedMinor
  const bookedMinor = booked.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)
  if (bookedMinor === expectedMinor) return []
  const whole = { ...differenceBase(payout, null), announcedMinor: expectedMinor }
  if (booked.length === 0) return isMissing(payout, covered) ? [{ ...whole, kind: 'bank-missing' }] : []
  const isRepeated = postedMinor === 0n && booked.every(({ amountMinor }) => amountMinor === netMinor)
  if (!isRepeated) return [{ ...whole, kind: 'bank-amount', bookedMinor }]
  const [, ...again] = booked.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  return again.map((line) => ({ ...differenceBase(payout, line), kind: 'bank-doubled', announcedMinor: expectedMinor }))
}

const orderOf = ({ bookedOn, ref }: BookedLine): string => `${bookedOn} ${ref}`

/** Missing only if a bank statement covers the due day. */
const isMissing = ({ lastDay, currency }: AnnouncedPayout, covered: CoveredDays | undefined): boolean =>
  covered !== undefined &&
  covered.firstDay <= lastDay &&
  bankingDaysAfter(lastDay, usualBankingDays, currency) <= covered.lastDay

const differenceBase = ({ midId, payout, currency, lastDay }: AnnouncedPayout, line: BookedLine | null) => ({
  midId,
  payout,
  day: lastDay,
  currency: line?.currency ?? currency,
  bookedMinor: line?.amountMinor ?? null,
  account: line?.account ?? null,
  lineRef: line?.ref ?? null,
})

/** Two findings of the same cause have the same key. */
export const keyOf = (one: BankDifference): string =>
  [one.kind, one.midId, one.payout, one.currency, one.account, one.lineRef, one.announcedMinor, one.bookedMinor].join(
    '\n',
  )
