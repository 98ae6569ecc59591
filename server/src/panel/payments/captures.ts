/** The capture queue: waiting holds, their totals, and when they are captured automatically. Chapter 50 §8. */
import type { PaymentRecord } from '../../contracts/records.ts'
import {
  capturePlans,
  type Hold,
  type HoldFilter,
  type HoldTotal,
  listWaitingHolds,
  readHoldTotals,
} from '../../store/payments/holds.ts'
import type { Grant } from '../access/permissions.ts'
import { AdminRefused, invalid } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'
import { scopeOf } from '../reports/dashboard.ts'
import { paymentAudit } from './payment-commands.ts'

type HoldQuery = Omit<HoldFilter, 'merchantIds'> & { readonly merchantId?: string | undefined }

export const captureFilterOf = (grant: Grant, { merchantId, ...filter }: HoldQuery): HoldFilter => ({
  ...filter,
  merchantIds: scopeOf(grant, merchantId ?? null),
})

export const listHoldsFor = (
  { pool }: PanelContext,
  grant: Grant,
  wish: HoldQuery,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly Hold[]> => listWaitingHolds(pool, captureFilterOf(grant, wish), page.after, page.limit)

export const readHoldTotalsFor = (
  { pool }: PanelContext,
  grant: Grant,
  wish: HoldQuery,
): Promise<readonly HoldTotal[]> => readHoldTotals(pool, captureFilterOf(grant, wish))

/** Null means no automatic capture. Planned times apply only to MIDs that capture automatically. */
export async function planCapture(context: PanelContext, payment: PaymentRecord, at: Date | null): Promise<AuditNote> {
  const { merchantId, id, midId } = payment
  if (at !== null && !(midId !== null && context.configuration.mid(midId)?.autoCaptureHours))
    throw new AdminRefused('refused', {
      message: 'The MID does not capture automatically. Set its automatic capture time first.',
    })
  if (at !== null && at <= context.clock.now()) throw invalid('captureAt', 'Enter a time in the future.')
  const plans = capturePlans(context.pool)
  const before = await plans.find(merchantId, id)
  const isChanged =
    at === null ? before === null || (await plans.drop(merchantId, id)) : await plans.put(merchantId, id, at)
  if (!isChanged)
    throw new AdminRefused('refused', { message: 'The payment has no open hold, or it is being captured now.' })
  return { ...paymentAudit('payment.plan-capture', payment), before: { captureAt: before }, after: { captureAt: at } }
}
