/**
 * Records why pages showed no wallet button (Chapter 40 §17). A busy page would write the same row over and over, so a process sums up
 * reports and writes them after a few seconds. A crash loses at most those seconds, which is acceptable for these counts.
 */
import { dayMs, utcDay } from '#domain/time.ts'
import type { Clock, Log, WalletButtons } from '../../contracts/ports.ts'
import type { WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { Pool, Queryable } from '../../store/database/pool.ts'
import { type MissedOnDay, missingButtonStore, type RecordedMissing } from '../../store/wallets/missing-buttons.ts'

const writtenAfterMs = 3000
const keptDays = 30
const recentDays = 7

interface MissingOptions {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
}

export function reportMissingButtons({ pool, clock, log }: MissingOptions): WalletButtons['recordMissed'] {
  const waiting = new Map<string, MissedOnDay>()
  const store = missingButtonStore(pool)
  let isPlanned = false
  let forgottenOn = ''

  const write = async (): Promise<void> => {
    isPlanned = false
    const missed = [...waiting.values()]
    waiting.clear()
    if (pool.ending) return
    try {
      await store.add(missed)
      const today = utcDay(clock.now())
      if (forgottenOn !== today) await store.forget(daysBefore(clock.now(), keptDays))
      forgottenOn = today
    } catch (error) {
      log.warn({ err: error }, 'Reasons for missing wallet buttons could not be stored.')
    }
  }

  return (recordKey, missing) => {
    const lastAt = clock.now()
    const row = { ...recordKey, ...missing, day: utcDay(lastAt), lastAt }
    const key = [row.merchantId, row.mode, row.wallet, row.day, row.reason, row.source].join(' ')
    waiting.set(key, { ...row, count: (waiting.get(key)?.count ?? 0) + 1 })
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => void write(), writtenAfterMs).unref()
  }
}

/** Reports of the last days, newest first. */
export const findRecentlyMissed = (
  on: Queryable,
  recordKey: WalletRecordKey,
  now: Date,
): Promise<readonly RecordedMissing[]> => missingButtonStore(on).listSince(recordKey, daysBefore(now, recentDays))

const daysBefore = (now: Date, days: number): string => utcDay(now.getTime() - days * dayMs)
