/** Reports open wallet alerts again a day after the last report, until they are resolved or muted. Chapter 40 §6. */
import { limits } from '#domain/limits.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import { raiseWalletAlert, type WalletAlertChannels } from '../../wallets/accounts/wallet-alert.ts'
import { type DueWork, runDueWork } from '../due-work.ts'

const pollMs = 5000

/** No lease: if two workers find the same alert, only the one that raises it reports it. */
export function runWalletAlerts(
  channels: WalletAlertChannels,
  { ids, log }: { readonly ids: Ids; readonly log: Log },
): DueWork {
  return runDueWork({
    name: 'wallet alerts',
    claim: (limit) =>
      channels.walletAlerts.listNotReportedSince(
        new Date(channels.clock.now().getTime() - limits.wallet.alertAgainMs),
        limit,
      ),
    run: (alert) => raiseWalletAlert(channels, alert),
    concurrency: 4,
    pollMs,
    ids,
    log,
  })
}
