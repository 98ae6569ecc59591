/** The receipt of a payment that was taken at the virtual terminal, by mail. Chapter 70 §8. */

import { formatAmount } from '#domain/money/money.ts'
import { utcText } from '#domain/time.ts'
import type { PaymentRecord } from '../../contracts/records.ts'
import type { SessionContext } from '../../payments/sessions/session-context.ts'
import { mailStore } from '../../store/instance/mails.ts'
import type { PanelContext } from '../panel-context.ts'

/** False if there is no mail server or no address. */
export async function mailReceipt(
  { pool, clock, ids, sendsMail }: PanelContext,
  { session, merchant }: SessionContext,
  payment: PaymentRecord,
): Promise<boolean> {
  const { customer, order, auth } = session.request
  const to = customer['email']
  if (!sendsMail || to === undefined) return false
  const { amountMinor, currency, amountDecimals, cardMask, createdAt, id } = payment
  const lines = [
    auth
      ? `${merchant.title} has reserved an amount on your card.`
      : `Thank you for your payment to ${merchant.title}.`,
    '',
    `Amount: ${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`,
    `For: ${order.description}`,
    `Order: ${order.number}`,
    ...(cardMask === null ? [] : [`Card: ending in ${cardMask.slice(-4)}`]),
    `Date: ${utcText(createdAt)}`,
    `Payment: ${id}`,
  ]
  await mailStore(pool, { clock, ids }).add({
    to,
    subject: `${auth ? 'Reservation' : 'Receipt'}: ${merchant.title}`,
    text: `${lines.join('\n')}\n`,
  })
  return true
}
