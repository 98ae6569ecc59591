/**
 * Compares what acquirers announced with what the bank booked, after each import of a settlement file or a bank statement, in its
 * transaction: either may come first, and a late one closes what it explains. See decisions/settlement#bank-per-payout.
 */

import {
  type AnnouncedPayout,
  type BankDifference,
  keyOf,
  payoutDifferences,
  usualBankingDays,
} from '#domain/payout/bank-comparison.ts'
import { bankingDaysAfter } from '#domain/payout/banking-days.ts'
import { payoutNames, payoutOf } from '#domain/payout/named-payout.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { PoolClient } from '../../store/database/pool.ts'
import { bankComparisonStore } from '../../store/finance/bank-comparison.ts'
import { bankLineStore, type OpenLine } from '../../store/finance/bank-lines.ts'
import { alertStore } from '../../store/instance/alerts.ts'
import type { AdminContext } from '../context.ts'

/** A line that named no payout for so long is left as it is. */
const watchedDays = 60

interface Comparison {
  /** The lines whose payout was recognised now. */
  readonly recognised: readonly OpenLine[]
  /** How many differences are new. */
  readonly found: number
}

/** `at` is the time of the import; `from` its first day, if it is older than the days that are watched. */
export async function compareBank(
  client: PoolClient,
  { clock, ids }: Pick<AdminContext, 'clock' | 'ids'>,
  { at, from }: { readonly at: Date; readonly from: string | null },
): Promise<Comparison> {
  const store = bankComparisonStore(client)
  await store.lock()
  const usual = utcDay(at.getTime() - watchedDays * dayMs)
  const since = from !== null && from < usual ? from : usual
  const recognised = await recognise(client, at, since)
  await store.closeNamed(at)
  const wanted = await listDifferencesOfPayouts(client)
  await closeExplained(client, wanted, at)
  let found = 0
  for (const one of [...wanted, ...(await listUnknownLines(client, at, usual))])
    if (await store.insert(one, at)) found += 1
  if (found > 0)
    await alertStore(client, { clock, ids }).raise({
      kind: 'settlement-difference',
      merchantId: null,
      paymentId: null,
      text: `The bank and the acquirers’ payouts have ${found} new differences. Resolve them under Settlements.`,
    })
  return { recognised, found }
}

/** Lines find the payouts that they name. */
async function recognise(client: PoolClient, at: Date, since: string): Promise<readonly OpenLine[]> {
  const store = bankLineStore(client)
  const lines = (await store.open(at, since)).map((line) => ({ line, names: new Set(payoutNames(line)) }))
  const announced = await store.sumAnnounced([...new Set(lines.flatMap(({ names }) => [...names]))])
  if (announced.length === 0) return []
  const byName = Map.groupBy(announced, ({ payout }) => payout)
  const owned = lines.flatMap(({ line, names }) => {
    const owner = payoutOf(
      line,
      [...names].flatMap((name) => byName.get(name) ?? []),
    )
    return owner === null ? [] : [{ line, owner }]
  })
  if (owned.length > 0)
    await store.assign(
      owned.map(({ line, owner }) => ({
        account: line.account,
        ref: line.ref,
        midId: owner.midId,
        payout: owner.payout,
      })),
    )
  return owned.map(({ line }) => line)
}

const nameOf = ({ midId, payout }: Pick<AnnouncedPayout, 'midId' | 'payout'>): string => `${midId} ${payout}`

async function listDifferencesOfPayouts(client: PoolClient): Promise<readonly BankDifference[]> {
  const store = bankComparisonStore(client)
  const payouts = await store.listDiffering()
  const lines = Map.groupBy(await store.listLinesOf(payouts), nameOf)
  const covered = await store.readCoveredDays()
  return [...Map.groupBy(payouts, nameOf)].flatMap(([name, sums]) =>
    payoutDifferences(sums, lines.get(name) ?? [], covered),
  )
}

/** Differences that no longer hold: the money came, or there is a newer one of the same payout. */
async function closeExplained(client: PoolClient, wanted: readonly BankDifference[], at: Date): Promise<void> {
  const store = bankComparisonStore(client)
  const keys = new Set(wanted.map(keyOf))
  const payouts = new Set(wanted.map(({ midId, payout }) => `${midId} ${payout}`))
  const gone = (await store.open()).filter((one) => !keys.has(keyOf(one)))
  const replaced = gone.filter(({ midId, payout }) => payouts.has(`${midId} ${payout}`))
  const agreed = gone.filter((one) => !replaced.includes(one))
  const idsOf = (of: readonly { readonly id: string }[]) => of.map(({ id }) => id)
  if (replaced.length > 0)
    await store.close(idsOf(replaced), at, 'A later import changed it; see the other differences of this payout.')
  if (agreed.length > 0)
    await store.close(idsOf(agreed), at, 'A later import explained it: the bank and the acquirer agree.')
}

/** Sums of an acquirer that are in no settlement file. The file may be some days behind the bank. */
async function listUnknownLines(client: PoolClient, at: Date, since: string): Promise<readonly BankDifference[]> {
  const today = utcDay(at)
  return (await bankComparisonStore(client).listUnnamed(since))
    .filter(({ bookedOn, currency }) => bankingDaysAfter(bookedOn, usualBankingDays, currency) <= today)
    .map(({ account, ref, currency, amountMinor, bookedOn, midId }) => ({
      kind: 'bank-unknown',
      midId,
      payout: null,
      day: bookedOn,
      currency,
      announcedMinor: null,
      bookedMinor: amountMinor,
      account,
      lineRef: ref,
    }))
}
