/** Alerts in the panel: which need attention, and which are resolved. */
import { type AlertRow, alertLog } from '../../store/instance/alert-log.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

export const alertsFor = (
  { pool }: PanelContext,
  { merchants }: Grant,
  { openOnly, before, limit }: { readonly openOnly: boolean; readonly before: string | null; readonly limit: number },
): Promise<readonly AlertRow[]> =>
  alertLog(pool).list(merchants === 'all' ? null : [...merchants], openOnly, before, limit)

export async function resolveAlert({ pool, clock }: PanelContext, grant: Grant, id: string): Promise<AuditNote> {
  const alert = await alertLog(pool).find(id)
  const mayBeSeen = alert?.merchantId ? reaches(grant, alert.merchantId) : grant.merchants === 'all'
  if (alert === null || !mayBeSeen) throw notFound()
  // Chapter 70 §1: the money would be forgotten.
  if (alert.kind === 'give-back')
    throw new AdminRefused('refused', { message: 'Record under Unresolved that the money was given back.' })
  if (!(await alertLog(pool).resolve(id, clock.now())))
    throw new AdminRefused('conflict', { message: 'The alert is already resolved.' })
  return { action: 'alert.resolve', subject: `alert ${id}`, merchantId: alert.merchantId, before: { text: alert.text } }
}
