/** Mail of this process: mail about wallets is queued, and the queue is sent. */
import type { DueWork } from '../due/due-work.ts'
import { runMails } from '../due/mails.ts'
import { smtpMail } from '../mail/smtp.ts'
import type { LoadedConfiguration } from '../store/configuration/configuration.ts'
import { mailStore, readMailBacklog } from '../store/instance/mails.ts'
import { noMail, type WalletMail, walletMail } from '../wallets/accounts/wallet-mail.ts'
import type { ProcessContext } from './process-context.ts'

/** Without a mail server, alerts appear only in the log, the metrics and the list of alerts. */
export async function assembleWalletMail(
  base: ProcessContext,
  configuration: LoadedConfiguration,
): Promise<WalletMail> {
  const { config, pool, clock, ids, log } = base
  const { mail } = config
  if (mail === null) {
    const { waiting, oldestAt } = await readMailBacklog(pool)
    if (oldestAt === null) log.info('No mail is sent: SMTP_URL is not set.')
    else
      log.warn(`SMTP_URL is not set: ${waiting} mails are waiting for it, the oldest since ${oldestAt.toISOString()}.`)
    return noMail
  }
  const merchant = (id: string) => configuration.merchant(id)
  return walletMail({ mails: mailStore(pool, { clock, ids }), operator: mail.operator, merchant })
}

export function startMail({ config, pool, clock, ids, log }: ProcessContext, holder: number): readonly DueWork[] {
  if (config.mail === null) return []
  return [runMails({ rows: mailStore(pool, { clock, ids, holder }), mail: smtpMail(config.mail), clock, ids, log })]
}
