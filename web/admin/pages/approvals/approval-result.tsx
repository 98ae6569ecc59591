/** What became of an approved request, as far as the request itself does not say it. */
import type { JSX } from 'preact'
import { textAt, wordAt } from '../../api/call.ts'
import { Status } from '../../kit/badge.tsx'
import { Notice } from '../../kit/states.tsx'
import { type KeyValue, KeyValues } from '../../kit/values/key-values.tsx'
import type { Approval } from './approval.ts'

export function ApprovalResult({ approval }: { readonly approval: Approval }): JSX.Element | null {
  const { kind, result, dismissedByName } = approval
  if (dismissedByName !== null)
    return (
      <Notice tone="warn">
        Dismissed by {dismissedByName}, not carried out: {textAt(result, 'dismissed')}
      </Notice>
    )
  const refusal = textAt(result, 'refused')
  if (refusal !== '') return <Notice tone="bad">Not carried out: {refusal}</Notice>
  const rows = rowsOf(kind, result)
  return rows.length === 0 ? null : <KeyValues rows={rows} />
}

function rowsOf(kind: Approval['kind'], result: Approval['result']): readonly KeyValue[] {
  if (result === null) return []
  if (kind === 'payout-run') return [['Payouts in the file', wordAt(result, 'items')]]
  if (kind === 'routing-publish') return [['Published version', wordAt(result, 'version')]]
  if (kind !== 'refund' && kind !== 'outcome' && kind !== 'give-back') return []
  const declined = textAt(result, 'declineReason')
  return [
    ['Status afterwards', <Status of={textAt(result, 'status')} />],
    [textAt(result, 'type'), <Status of={textAt(result, 'state')} />],
    declined !== '' && ['Declined because', declined],
  ]
}
