/**
 * Reports why a page shows no wallet button: the first row of chapter 40 §17 that fails, in the log, in the metrics and in the panel.
 *
 * The service checks rows 1 to 4 when it answers the page. The browser checks the rest and reports a reason from a fixed list, without data
 * of the payer.
 */

import { violations } from '#domain/errors.ts'
import { type Wallet, wallets } from '#domain/mid.ts'
import type {
  BrowserReason,
  Clock,
  Log,
  MissingButton,
  MissingReason,
  WalletButtons,
} from '../../../contracts/ports.ts'
import { invalid } from '../../../contracts/refused-error.ts'
import type { Metrics } from '../../../observe/metrics.ts'
import type { LeftOut } from '../../../payments/sessions/offer.ts'
import type { SessionContext } from '../../../payments/sessions/session-context.ts'
import type { ValueTree } from '../../kit/bodies/value-tree.ts'
import { Buckets } from '../../kit/rate-limit.ts'
import { textIn } from '../../kit/values/sent.ts'
import type { PageAddress } from '../page-address.ts'
import { findButtonAt } from './wallet-button.ts'

interface MissingParts {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'missingButton'>
  readonly walletButtons: WalletButtons
}

interface MissingWallet extends MissingButton {
  readonly wallet: Wallet
}

export function noteMissing(
  { log, metrics, walletButtons }: MissingParts,
  { session, merchant }: Pick<SessionContext, 'session' | 'merchant'>,
  { wallet, reason, source }: MissingWallet,
): void {
  log.info({ merchantId: merchant.id, wallet, reason, source }, 'A wallet button is not shown.')
  metrics.missingButton({ wallet, reason, merchant: merchant.name })
  const recordKey = { merchantId: merchant.id, mode: session.mode, wallet } as const
  walletButtons.recordMissed(recordKey, { reason, source })
}

/**
 * Reports wallets that the session requests and that no MID accepts. Wallets that the session does not request are visible in the session
 * itself.
 */
export async function noteLeftOut(
  parts: MissingParts,
  context: SessionContext,
  leftOut: readonly LeftOut[],
  pageAddress: PageAddress,
): Promise<void> {
  for (const left of leftOut) {
    const wallet = wallets.find((one) => one === left.code)
    if (!wallet) continue
    const found = await findButtonAt(parts, context, wallet, pageAddress)
    const reason = reasonOf(left, found.kind === 'missing' ? found.reason : null)
    noteMissing(parts, context, { wallet, reason, source: 'service' })
  }
}

/** Rows 1 to 3, in this order. */
function reasonOf({ filter }: LeftOut, account: MissingReason | null): MissingReason {
  if (filter === null) return 'not offered'
  if (account === 'not enabled' || account === 'lapsed' || account === 'incomplete') return account
  return filter === 'card flow' ? 'needs card flow' : 'no mid'
}

const browserReasons: readonly BrowserReason[] = ['no https', 'frame', 'no card', 'browser unsupported']

/** A page reports each wallet once. A few reloads are recorded; further reports get the same answer and are dropped. */
const reportRate = { perSecond: 1 / 60, burst: 6 }
const mostSessions = 10_000

/** POST /page/v1/wallet-missing. */
export function missingReports(
  parts: MissingParts & { readonly clock: Clock },
): (context: SessionContext, body: ValueTree) => object {
  const reports = new Buckets(parts.clock, mostSessions)
  return (context, body) => {
    const wallet = wallets.find((one) => one === textIn(body, 'wallet'))
    const reason = browserReasons.find((one) => one === textIn(body, 'reason'))
    const faults = [
      ...(wallet ? [] : [{ param: 'wallet', text: violations.notChoice }]),
      ...(reason ? [] : [{ param: 'reason', text: violations.notChoice }]),
    ]
    if (!wallet || !reason) throw invalid(...faults)
    if (reports.take(context.session.id, reportRate).allowed)
      noteMissing(parts, context, { wallet, reason, source: 'browser' })
    return {}
  }
}
