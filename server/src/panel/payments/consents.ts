/** Payers' consents at the panel: listed, and withdrawn when a payer asks for it. Chapter 30 §5.5, §7.5. */
import { type Withdrawal, withdrawConsent } from '../../setup/consent.ts'
import { type ConsentFilter, type ListedConsent, listConsents } from '../../store/plans/consent-log.ts'
import { AdminRefused } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { requirePayment } from './payment-commands.ts'

export const listConsentsFor = (
  { pool }: PanelContext,
  merchantId: string,
  filter: ConsentFilter,
): Promise<readonly ListedConsent[]> => listConsents(pool, merchantId, filter)

/** `paymentId` is any payment of the chain. */
export async function withdraw(
  context: PanelContext,
  merchantId: string,
  paymentId: string,
): Promise<{ readonly endedPlans: number; readonly audit: AuditNote }> {
  await requirePayment(context, merchantId, paymentId)
  const withdrawal = await withdrawConsent(context, paymentId)
  if (!withdrawal.ok) throw new AdminRefused('refused', { message: withdrawal.fault })
  return { endedPlans: withdrawal.endedPlans, audit: withdrawalNote(paymentId, withdrawal) }
}

export const withdrawalNote = (
  paymentId: string,
  { merchantId, consentId, endedPlans }: Extract<Withdrawal, { readonly ok: true }>,
): AuditNote => ({
  action: 'consent.withdraw',
  subject: `payment ${paymentId}`,
  merchantId,
  after: { consentId, endedPlans },
})
