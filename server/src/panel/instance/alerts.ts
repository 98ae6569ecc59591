/** Alerts in the panel: which need attention, and which are resolved. */
import { severityOf } from '#domain/alert/alert-kinds.ts'
import { alertLog } from '../../store/instance/alert-log.ts'
import { type Grant, reaches } from '../access/permissions.ts'
import { AdminRefused, notFound } from '../admin-refused.ts'
import type { AuditNote } from '../audit/audit.ts'
import type { PanelContext } from '../panel-context.ts'

type AlertPage = Omit<Parameters<ReturnType<typeof alertLog>['list']>[0], 'merchantIds'>

export async function listAlertsFor({ pool }: PanelContext, { merchants }: Grant, page: AlertPage) {
  const rows = await alertLog(pool).list({ ...page, merchantIds: merchants === 'all' ? null : [...merchants] })
  return rows.map((row) => ({ ...row, severity: severityOf(row.kind) }))
}

export async function resolveAlert({ pool, clock }: PanelContext, grant: Grant, id: string): Promise<AuditNote> {
  const alert = await alertLog(pool).find(id)
  const mayBeSeen = alert?.merchantId ? reaches(grant, alert.merchantId) : grant.merchants === 'all'
  if (alert === null || !mayBeSeen) throw notFound()
  // Chapter 70 §1: the money would be forgotten.
  if (alert.kind === 'give-back')
    throw new AdminRefused('refused', { message: 'Record the refund under Unresolved first.' })
  if (!(await alertLog(pool).resolve(id, clock.now())))
    throw new AdminRefused('conflict', { message: 'The alert is already resolved.' })
  return { action: 'alert.resolve', subject: `alert ${id}`, merchantId: alert.merchantId, before: { text: alert.text } }
}
