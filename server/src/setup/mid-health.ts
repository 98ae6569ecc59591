/** MID health for people: circuit breakers with the figures that they depend on, and approval rates by cell. Chapter 50 §4. */
import { limits } from '#domain/limits.ts'
import type { Cell, Tally } from '#domain/routing/approval.ts'
import {
  type BreakerOverride,
  type BreakerState,
  healthOf,
  initialBreaker,
  withOverride,
} from '#domain/routing/breaker.ts'
import {
  type ChangedBreaker,
  type ExchangeRow,
  type MidAnswerRow,
  midHealthStore,
} from '../store/configuration/mid-health.ts'
import { midStore } from '../store/configuration/mids.ts'
import type { SetupContext } from './context.ts'

export interface MidHealth {
  readonly midId: string
  readonly name: string
  readonly health: BreakerState
  /** The breaker's last change; null if there was none. */
  readonly since: Date | null
  readonly override: BreakerOverride
  /** Exchanges within the breaker's window. */
  readonly exchanges: { readonly attempts: number; readonly failed: number; readonly failureRate: number | null }
  readonly approval: ApprovalRate & { readonly cells: readonly (Cell & ApprovalRate)[] }
}

interface ApprovalRate extends Tally {
  /** Null without any answers. */
  readonly rate: number | null
}

type Context = Pick<SetupContext, 'pool' | 'clock'>

/** For every MID, with the approvals of the last minutes. Counts of the last second may still be missing. */
export async function listMidHealth({ pool, clock }: Context, minutes: number): Promise<readonly MidHealth[]> {
  const now = clock.now()
  const rows = midHealthStore(pool)
  const [mids, breakers, exchanges, answers] = await Promise.all([
    midStore(pool).list(),
    rows.listBreakers(),
    rows.listExchangesSince(new Date(now.getTime() - limits.breaker.windowMs)),
    rows.listAnswersSince(new Date(now.getTime() - minutes * 60_000)),
  ])
  return mids.map((mid) => {
    const breaker = breakers.find(({ midId }) => midId === mid.id)?.breaker
    const { since, override } = breaker ?? initialBreaker
    return {
      midId: mid.id,
      name: mid.name,
      health: healthOf(breaker ?? initialBreaker, now),
      since: breaker ? since : null,
      override,
      exchanges: exchangesOf(exchanges.filter(({ midId }) => midId === mid.id)),
      approval: approvalOf(answers.filter(({ midId }) => midId === mid.id)),
    }
  })
}

/** All processes apply it within a second. */
export const changeOverride = (
  { pool, clock }: Context,
  midId: string,
  override: BreakerOverride,
): Promise<ChangedBreaker> => midHealthStore(pool).change(midId, () => withOverride(override, clock.now()))

function exchangesOf(rows: readonly ExchangeRow[]): MidHealth['exchanges'] {
  const failed = rows.reduce((sum, row) => sum + row.failed, 0)
  const attempts = rows.reduce((sum, row) => sum + row.answered, failed)
  return { attempts, failed, failureRate: attempts === 0 ? null : failed / attempts }
}

function approvalOf(rows: readonly MidAnswerRow[]): MidHealth['approval'] {
  const byCell = Map.groupBy(rows, ({ cell }) => JSON.stringify(cell))
  const cells = [...byCell.values()].flatMap((ofCell) =>
    ofCell.slice(0, 1).map(({ cell }) => ({ ...cell, ...rateOf(ofCell) })),
  )
  return { ...rateOf(rows), cells: cells.toSorted((a, b) => b.approved + b.declined - a.approved - a.declined) }
}

function rateOf(rows: readonly Tally[]): ApprovalRate {
  const approved = rows.reduce((sum, row) => sum + row.approved, 0)
  const declined = rows.reduce((sum, row) => sum + row.declined, 0)
  return { approved, declined, rate: approved + declined === 0 ? null : approved / (approved + declined) }
}
