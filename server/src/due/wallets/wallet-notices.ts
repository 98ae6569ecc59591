/** Reports open wallet alarms again a day after the last report, until they are resolved or muted. Chapter 40 §6. */
import { limits } from '#domain/limits.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import { type AlarmBell, alarm } from '../../wallets/accounts/alarm.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

const pollMs = 5000

/** No lease: if two workers find the same alarm, only the one that raises it reports it. */
export function runWalletNotices(bell: AlarmBell, { ids, log }: { readonly ids: Ids; readonly log: Log }): DueWork {
  return runDueWork({
    name: 'wallet notices',
    claim: (limit) =>
      bell.notices.notToldSince(new Date(bell.clock.now().getTime() - limits.wallet.alarmAgainMs), limit),
    run: (notice) => alarm(bell, notice),
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
