/** Mail about wallets: alarms to the operator and the merchant's contact, the go-live message to the contact. Chapter 40 §2, §6. */
import type { Merchant } from '#domain/merchant.ts'
import type { WalletNotice, WalletRecordKey } from '../../contracts/wallet-records.ts'
import type { MailQueue } from '../../mail/mail.ts'
import { PLATFORM_SCOPE } from '../../vault/port.ts'

export interface WalletMail {
  alarm(notice: WalletNotice): Promise<void>
  /** The wallet takes payments everywhere. */
  live(place: WalletRecordKey): Promise<void>
}

/** For an instance that sends no mail. */
export const noMail: WalletMail = { alarm: async () => {}, live: async () => {} }

interface WalletMailOptions {
  readonly mails: MailQueue
  /** The operator's address; null if none is configured. */
  readonly operator: string | null
  readonly merchant: (id: string) => Pick<Merchant, 'name' | 'title' | 'contactEmail'> | null
}

export function walletMail({ mails, operator, merchant }: WalletMailOptions): WalletMail {
  return {
    alarm: async (notice) => {
      const of = merchant(notice.merchantId)
      const subject = `${notice.kind}: ${of?.title ?? 'the platform'}, ${walletName(notice)}`
      if (operator !== null) await mails.add({ to: operator, subject, text: forOperator(notice, of?.name ?? null) })
      if (of?.contactEmail) await mails.add({ to: of.contactEmail, subject, text: forMerchant(notice) })
    },
    live: async (place) => {
      const of = merchant(place.merchantId)
      if (!of?.contactEmail) return
      const subject = `${place.wallet} is live: ${of.title}`
      const text = `Payments with ${walletName(place)}, are live for ${of.title}. All checks of the settings have passed.\n`
      await mails.add({ to: of.contactEmail, subject, text })
    },
  }
}

const walletName = ({ wallet, mode }: WalletRecordKey): string => `${wallet}, ${mode} mode`

function forOperator(notice: WalletNotice, name: string | null): string {
  const { kind, subject, wallet, mode, text, merchantId } = notice
  const whose = merchantId === PLATFORM_SCOPE || name === null ? '--platform' : `${name} --side ${mode}`
  const about = subject === '' ? '' : ` --subject "${subject}"`
  const mute = `gatehouse wallet alarm mute "${kind}" ${whose} --wallet ${wallet}${about} --reason "…"`
  return `${text}\n\nThis mail is sent daily until the problem is fixed or the alert is muted with a reason:\n  ${mute}\n`
}

const forMerchant = ({ text }: WalletNotice): string =>
  `${text}\n\nYou receive this mail every day until the problem is solved. Your payment service provider can help.\n`
