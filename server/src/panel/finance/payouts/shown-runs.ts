/** Payout runs as the panel shows them. Chapter 70 §3. */

import { isoExponents } from '#domain/money/currencies.ts'
import { isSameAccount } from '#domain/payout/bank-account.ts'
import { isOverdue } from '#domain/payout/bank-comparison.ts'
import { dayMs, utcDay } from '#domain/time.ts'
import type { Queryable } from '../../../store/database/pool.ts'
import { bankLineStore } from '../../../store/finance/bank-lines.ts'
import { type PayoutItem, type PayoutRun, payoutStore } from '../../../store/finance/payouts.ts'
import { readUserNames } from '../../../store/people/user-names.ts'
import { AdminRefused, notFound } from '../../admin-refused.ts'
import type { PanelContext } from '../../panel-context.ts'

/** Cancels the runs whose approval was refused or has lapsed. Call it before runs, or the merchants of a run, are shown. */
export const cancelLapsedRuns = ({ pool, clock }: PanelContext): Promise<void> =>
  payoutStore(pool).cancel(null, clock.now())

export const listPayoutRuns = async ({ pool }: PanelContext, before: string | null, limit: number) =>
  (await payoutStore(pool).listRuns(before, limit)).map(showRun)

export async function requirePayoutRun({ pool, configuration }: PanelContext, id: string) {
  const store = payoutStore(pool)
  const run = await store.findRun(id)
  if (run === null) throw notFound()
  const accounts = new Map((await store.listAccounts(null, run.currency)).map((one) => [one.merchantId, one]))
  const isChanged = ({ merchantId, ...item }: PayoutItem): boolean => {
    const present = accounts.get(merchantId)
    return present === undefined || !isSameAccount(present, item)
  }
  const list = (await store.listItems(id)).map((item) => ({
    ...item,
    merchantTitle: configuration.merchant(item.merchantId)?.title ?? item.merchantId,
    accountChanged: item.state === 'waiting' && isChanged(item),
  }))
  return { ...showRun(run), ...(await readPeople(pool, id)), list }
}

async function readPeople(pool: Queryable, runId: string) {
  const people = await payoutStore(pool).readPeople(runId)
  const names = await readUserNames(pool, people === null ? [] : [people.askedBy, people.approvedBy ?? people.askedBy])
  const nameOf = (id: string | null | undefined): string | null => (id ? (names.get(id) ?? 'a deleted user') : null)
  return { preparedByName: nameOf(people?.askedBy), approvedByName: nameOf(people?.approvedBy) }
}

const showRun = (run: PayoutRun) => ({
  ...run,
  state: run.state === 'sent' && run.paid === run.items ? ('paid' as const) : run.state,
  decimals: isoExponents.get(run.currency) ?? 2,
})

export async function readPayoutFile({ pool }: PanelContext, id: string) {
  const store = payoutStore(pool)
  if ((await store.findRun(id)) === null) throw notFound()
  const content = await store.readFile(id)
  if (content === null)
    throw new AdminRefused('conflict', { message: 'The run has no file: a second person has not approved it.' })
  return { name: `payout-run-${id}.xml`, content }
}

const usualDays = 31

export async function listReceivedPayouts({ pool, clock }: PanelContext, midId: string, from?: string, to?: string) {
  const now = clock.now().getTime()
  const payouts = await bankLineStore(pool).listPayouts(
    midId,
    from ?? utcDay(now - usualDays * dayMs),
    to ?? utcDay(now),
  )
  return payouts.map((one) => {
    const matches = one.netMinor - one.postedMinor === one.bankMinor
    return { ...one, decimals: isoExponents.get(one.currency) ?? 2, matches, state: stateOf(one, matches, utcDay(now)) }
  })
}

type ComparedPayout = Awaited<ReturnType<ReturnType<typeof bankLineStore>['listPayouts']>>[number]

function stateOf(
  { bookedOn, lastDay, currency }: ComparedPayout,
  matches: boolean,
  today: string,
): 'matches' | 'waiting' | 'overdue' | 'differs' {
  if (matches) return 'matches'
  if (bookedOn !== null) return 'differs'
  return isOverdue(lastDay, currency, today) ? 'overdue' : 'waiting'
}
