/** One request and the answers that the user may give. Users cannot approve or refuse their own requests, only withdraw them. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { countWaitingAgain } from '../../api/waiting-approvals.ts'
import { Button } from '../../kit/button.tsx'
import { Drawer } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Notice } from '../../kit/states.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { PublishRequest } from '../routing/history/publish-request.tsx'
import { type Approval, isOwn, mayDecide, requesterText } from './approval.ts'
import { ApprovalResult } from './approval-result.tsx'
import { DecisionRequest } from './decision-request.tsx'
import { DifferenceRequest } from './difference-request.tsx'
import { LaterRequests } from './later-requests.tsx'
import { PayoutAccountRequest } from './payout-account-request.tsx'
import { PayoutRunRequest } from './payout-run-request.tsx'
import { PlainRequest } from './plain-request.tsx'
import { RefundRequest } from './refund-request.tsx'
import { StateBadge } from './state-badge.tsx'

type Verb = 'approve' | 'again' | 'dismiss' | 'refuse' | 'withdraw'

// biome-ignore format: a table is read in columns.
const acts: Readonly<Record<Verb, { readonly title: string; readonly act: string; readonly text: string }>> = {
  approve:  { title: 'Approve request?',  act: 'Approve',  text: 'The request is carried out immediately. The audit log records both of you.' },
  again:    { title: 'Carry out request?', act: 'Carry out', text: 'The request is approved but was not completed. Completed steps are not repeated.' },
  dismiss:  { title: 'Dismiss request?',  act: 'Dismiss',  text: 'The request is recorded as failed and can no longer be carried out. A payout run is cancelled. The audit log records you and the reason.' },
  refuse:   { title: 'Refuse request?',   act: 'Refuse',   text: 'The request is not carried out.' },
  withdraw: { title: 'Withdraw request?', act: 'Withdraw', text: 'The request is cancelled and no longer waits for approval.' },
}

interface ApprovalDrawerProps {
  readonly approval: Approval
  readonly title: string
  readonly merchant: string
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function ApprovalDrawer({ approval, title, merchant, onChanged, onClose }: ApprovalDrawerProps): JSX.Element {
  const chosenVerb = useSignal<Verb | null>(null)
  const password = useSignal<string | null>(null)
  const collect = async (): Promise<void> => {
    const result = await call('POST /approvals/:approvalId/password', { params: { approvalId: approval.id } })
    if (!result.ok) return toastFault(result.fault)
    password.value = result.value.password
    onChanged()
  }
  return (
    <Drawer title={title} onClose={onClose}>
      <KeyValues
        rows={[
          ['State', <StateBadge of={approval} />],
          ['Merchant', merchant],
          ['Requested by', requesterText(approval)],
          ['Requested', <DateTime at={approval.askedAt} />],
          ['Expires', <DateTime at={approval.expiresAt} />],
          ['Reason', approval.reason],
          approval.decidedByName !== null && ['Decided by', approval.decidedByName],
          approval.decidedAt !== null && ['Decided', <DateTime at={approval.decidedAt} />],
          approval.note !== null && ['Note', approval.note],
        ]}
      />
      <RequestDetails approval={approval} />
      <ApprovalResult approval={approval} />
      {approval.isLeft && (
        <Notice tone="warn">
          Approved but not completed: the service was interrupted. Carry it out if it is still wanted, otherwise dismiss
          it, or ask a user with the permission.
        </Notice>
      )}
      <LaterRequests of={approval} />
      {approval.obstacle !== null && mayDecide(approval) && (
        <Notice tone="warn">You cannot approve this request. {approval.obstacle.text}</Notice>
      )}
      <div class="form-actions">
        {verbsFor(approval).map((verb) => (
          <Button
            key={verb}
            kind={verb === 'approve' || verb === 'again' ? 'primary' : 'plain'}
            onClick={() => {
              chosenVerb.value = verb
            }}
          >
            {acts[verb].act}
          </Button>
        ))}
        {isCollectable(approval) && (
          <Button kind="primary" onClick={() => void collect()}>
            Show password
          </Button>
        )}
      </div>
      {chosenVerb.value && (
        <AnswerDialog
          approval={approval}
          verb={chosenVerb.value}
          onClose={() => {
            chosenVerb.value = null
          }}
          onDone={() => {
            onChanged()
            onClose()
          }}
        />
      )}
      {password.value !== null && (
        <SecretOnce title="The merchant’s password" secrets={[['Password', password.value]]} onClose={onClose} />
      )}
    </Drawer>
  )
}

function RequestDetails({ approval }: Pick<ApprovalDrawerProps, 'approval'>): JSX.Element | null {
  if (approval.kind === 'refund') return <RefundRequest approval={approval} />
  if (approval.kind === 'routing-publish' && approval.state === 'waiting')
    return <PublishRequest request={approval.request} />
  if (approval.kind === 'outcome' || approval.kind === 'give-back') return <DecisionRequest approval={approval} />
  if (approval.kind === 'difference') return <DifferenceRequest approval={approval} />
  if (approval.kind === 'payout-run') return <PayoutRunRequest approval={approval} />
  if (approval.kind === 'payout-account') return <PayoutAccountRequest approval={approval} />
  return <PlainRequest approval={approval} />
}

interface AnswerDialogProps {
  readonly approval: Approval
  readonly verb: Verb
  readonly onDone: () => void
  readonly onClose: () => void
}

function AnswerDialog({ approval, verb, onDone, onClose }: AnswerDialogProps): JSX.Element {
  const { title, act, text } = acts[verb]
  const answer = async (note: string): Promise<Result<unknown>> => {
    const result = await send(approval.id, verb, note)
    if (!result.ok) return result
    countWaitingAgain()
    toast(doneText(result.value.state, verb))
    onDone()
    return result
  }
  return (
    <ConfirmDialog
      title={title}
      act={act}
      danger={verb === 'refuse' || verb === 'dismiss'}
      reason={verb === 'dismiss' ? 'required' : 'optional'}
      onConfirm={answer}
      onClose={onClose}
    >
      <p>{text}</p>
      {verb === 'again' && <LaterRequests of={approval} />}
    </ConfirmDialog>
  )
}

function send(approvalId: string, verb: Verb, note: string): Promise<Result<Approval>> {
  const params = { approvalId }
  if (verb === 'dismiss') return call('POST /approvals/:approvalId/dismiss', { params, body: { reason: note } })
  const body = { note: note === '' ? null : note }
  return call(`POST /approvals/:approvalId/${verb === 'again' ? 'approve' : verb}`, { params, body })
}

function doneText(state: Approval['state'], verb: Verb): string {
  if (verb === 'dismiss') return 'The request is dismissed.'
  return state === 'failed' ? 'The request was approved but could not be carried out.' : `The request is ${state}.`
}

function verbsFor(approval: Approval): readonly Verb[] {
  if (approval.isLeft) return mayDecide(approval) ? ['again', 'dismiss'] : []
  if (approval.state !== 'waiting') return []
  if (isOwn(approval)) return ['withdraw']
  if (!mayDecide(approval)) return []
  return approval.obstacle === null ? ['approve', 'refuse'] : ['refuse']
}

const isCollectable = (approval: Approval): boolean =>
  approval.kind === 'password-reveal' && approval.state === 'approved' && isOwn(approval)
