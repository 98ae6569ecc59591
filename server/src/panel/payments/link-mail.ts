/** Sends a payment link to a payer by mail. Chapter 70 §8. */
import { linkState } from '#domain/checkout/payment-link.ts'
import { formatAmount } from '#domain/money/money.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { paymentLinkStore } from '../../store/sessions/payment-links.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { linkAddress } from './link-address.ts'
import { requireLink } from './payment-links.ts'

export async function mailPaymentLink(
  context: PanelContext,
  merchantId: string,
  linkId: string,
  to: string,
): Promise<AuditNote> {
  const { pool, clock, ids, configuration, sendsMail } = context
  const link = await requireLink(context, merchantId, linkId)
  const merchant = configuration.merchant(merchantId)
  if (merchant === null) throw notFound()
  if (!sendsMail) throw new AdminRefused('conflict', { message: 'No mail server is configured (SMTP_URL).' })
  const paid = await paymentLinkStore(pool).countPaid(link)
  if (linkState({ ...link, paid }, clock.now()) !== 'open')
    throw new AdminRefused('conflict', { message: 'The link is no longer open.' })
  const { amountMinor, currency, description, expiresAt } = link
  const amount =
    amountMinor === null
      ? []
      : [`Amount: ${formatAmount(amountMinor, currency, undefined, configuration.cryptoCurrencies())} ${currency}`]
  const until = expiresAt === null ? [] : [`Pay by ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`]
  const lines = [description, ...amount, '', linkAddress(context, link), '', ...until]
  await mailStore(pool, { clock, ids }).add({
    to,
    subject: `Payment to ${merchant.title}`,
    text: `${lines.join('\n')}\n`,
  })
  return { action: 'payment-link.mail', subject: `payment-link ${link.id}`, merchantId, after: { to } }
}
