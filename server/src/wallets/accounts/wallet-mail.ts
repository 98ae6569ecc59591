/** Mail about wallets: alerts to the operator and the merchant's contact, the go-live message to the contact. Chapter 40 §2, §6. */
import type { Merchant } from '#domain/merchant.ts'
import type { WalletAlert, WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { MailQueue } from '../../mail/mail.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'

export interface WalletMail {
  alert(alert: WalletAlert): Promise<void>
  /** The wallet takes payments everywhere. */
  announceLive(recordKey: WalletRecordKey): Promise<void>
}

/** For an instance that sends no mail. */
export const noMail: WalletMail = { alert: async () => {}, announceLive: async () => {} }

interface WalletMailOptions {
  readonly mails: MailQueue
  /** The operator's address; null if none is configured. */
  readonly operator: string | null
  readonly merchant: (id: string) => Pick<Merchant, 'name' | 'title' | 'contactEmail'> | null
}

export function walletMail({ mails, operator, merchant }: WalletMailOptions): WalletMail {
  return {
    alert: async (alert) => {
      const of = merchant(alert.merchantId)
      const subject = `${alert.kind}: ${of?.title ?? 'the platform'}, ${walletName(alert)}`
      if (operator !== null) await mails.add({ to: operator, subject, text: forOperator(alert, of?.name ?? null) })
      if (of?.contactEmail) await mails.add({ to: of.contactEmail, subject, text: forMerchant(alert) })
    },
    announceLive: async (recordKey) => {
      const of = merchant(recordKey.merchantId)
      if (!of?.contactEmail) return
      const subject = `${recordKey.wallet} is live: ${of.title}`
      const text = `Payments with ${walletName(recordKey)}, are live for ${of.title}. All checks of the settings have passed.\n`
      await mails.add({ to: of.contactEmail, subject, text })
    },
  }
}

const walletName = ({ wallet, mode }: WalletRecordKey): string => `${wallet}, ${mode} mode`

function forOperator(alert: WalletAlert, name: string | null): string {
  const { kind, subject, wallet, mode, text, merchantId } = alert
  const whose = merchantId === PLATFORM_SCOPE || name === null ? '--platform' : `${name} --side ${mode}`
  const about = subject === '' ? '' : ` --subject "${subject}"`
  const mute = `gatehouse wallet alarm mute "${kind}" ${whose} --wallet ${wallet}${about} --reason "…"`
  return `${text}\n\nThis mail is sent daily until the problem is fixed or the alert is muted with a reason:\n  ${mute}\n`
}

const forMerchant = ({ text }: WalletAlert): string =>
  `${text}\n\nYou receive this mail every day until the problem is solved. Your payment service provider can help.\n`
