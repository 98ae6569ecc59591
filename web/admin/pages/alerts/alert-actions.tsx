/** What can be done about an alert: its transaction, the page that solves it, and that it is resolved. */
import type { JSX } from 'preact'
import { Button } from '../../kit/button.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { pages } from '../page-table.ts'
import { type Alert, isResolvedByHand, pageOfKind } from './alert.ts'

interface AlertActionsProps {
  readonly alert: Alert
  readonly onResolve: () => void
}

export function AlertActions({ alert, onResolve }: AlertActionsProps): JSX.Element {
  const { kind, merchantId, paymentId, resolvedAt } = alert
  const path = resolvedAt === null ? pageOfKind(kind) : null
  const page = pages.find((one) => one.path === path && (one.permission === null || may(one.permission)))
  return (
    <span class="row-actions">
      {merchantId && paymentId && <Link to={`/merchants/${merchantId}/payments/${paymentId}`}>Transaction</Link>}
      {page && <Link to={page.path}>{page.title}</Link>}
      {isResolvedByHand(alert) && may('alerts.resolve') && (
        <Button small onClick={onResolve}>
          Resolve
        </Button>
      )}
    </span>
  )
}
