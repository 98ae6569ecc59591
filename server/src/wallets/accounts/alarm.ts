/**
 * Raises an alarm: an open notice, an alert, mail to operator and merchant, and a log line; repeated daily until it is resolved. Chapter 40
 * §6.
 */
import type { Alerts, Clock, Log } from '../../contracts/ports.ts'
import type { WalletNotice } from '../../contracts/wallet-records.ts'
import type { walletNoticeStore } from '../../store/wallets/wallet-notices.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import type { WalletMail } from './wallet-mail.ts'

export interface AlarmBell {
  readonly notices: ReturnType<typeof walletNoticeStore>
  readonly alerts: Alerts
  readonly mail: WalletMail
  readonly clock: Clock
  readonly log: Log
}

export async function alarm({ notices, alerts, mail, clock, log }: AlarmBell, notice: WalletNotice): Promise<void> {
  if (!(await notices.raise(notice, clock.now()))) return
  const { kind, merchantId, mode, wallet, text } = notice
  log.warn({ merchantId, side: mode, wallet, alarm: kind }, text)
  // The operator's own record belongs to no merchant.
  await alerts.raise({ kind, merchantId: merchantId === PLATFORM_SCOPE ? null : merchantId, paymentId: null, text })
  await mail.alarm(notice)
}
