/** Sends a payment link to a payer by mail. Chapter 70 §8. */
import { linkState } from '#domain/checkout/payment-link.ts'
import { formatAmount } from '#domain/money/money.ts'
import { type LanguageCode, languageOf, languages } from '#domain/place/language.ts'
import { mailStore } from '../../store/instance/mails.ts'
import { paymentLinkStore } from '../../store/sessions/payment-links.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { linkAddress } from './link-address.ts'
import { linkMail } from './link-mail-texts-generated.ts'
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
  const language = languageOf(link.language ?? undefined)
  const texts = linkMail[language]
  const amount =
    amountMinor === null
      ? []
      : [
          `${texts.amount}: ${formatAmount(amountMinor, currency, undefined, configuration.cryptoCurrencies())} ${currency}`,
        ]
  const until = expiresAt === null ? [] : [texts.payBy.replace('{date}', dateIn(language, expiresAt))]
  const lines = [description, ...amount, '', linkAddress(context, link), '', ...until]
  await mailStore(pool, { clock, ids }).add({
    to,
    subject: texts.title.replace('{merchant}', () => merchant.title),
    text: `${lines.join('\n')}\n`,
  })
  return { action: 'payment-link.mail', subject: `payment-link ${link.id}`, merchantId, after: { to } }
}

function dateIn(code: LanguageCode, at: Date): string {
  const tag = languages.find((language) => language.code === code)?.tag
  // The digits are those of the amount, which is the same in every language.
  const format = new Intl.DateTimeFormat(tag, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  })
  return `${format.format(at)} UTC`
}
