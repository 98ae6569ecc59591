/**
 * Raises a wallet alert: stores it, and reports it on the Alerts page, by mail to operator and merchant, and in the log. It is repeated
 * daily until it is resolved. Chapter 40 §6.
 */
import type { Alerts, Clock, Log } from '../../contracts/ports.ts'
import type { WalletAlert } from '../../contracts/wallet-records.ts'
import type { walletAlertStore } from '../../store/wallets/wallet-alerts.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'
import type { WalletMail } from './wallet-mail.ts'

export interface WalletAlertChannels {
  readonly walletAlerts: ReturnType<typeof walletAlertStore>
  readonly alerts: Alerts
  readonly mail: WalletMail
  readonly clock: Clock
  readonly log: Log
}

export async function raiseWalletAlert(
  { walletAlerts, alerts, mail, clock, log }: WalletAlertChannels,
  alert: WalletAlert,
): Promise<void> {
  if (!(await walletAlerts.raise(alert, clock.now()))) return
  const { kind, merchantId, mode, wallet, text } = alert
  log.warn({ merchantId, side: mode, wallet, alarm: kind }, text)
  // The operator's own record belongs to no merchant.
  await alerts.raise({ kind, merchantId: merchantId === PLATFORM_SCOPE ? null : merchantId, paymentId: null, text })
  await mail.alert(alert)
}
