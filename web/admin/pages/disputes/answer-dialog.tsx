/** Contests or accepts a dispute; it says where the answer goes. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { CheckField, SelectField } from '../../kit/form/fields.tsx'
import { ReadResult } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import type { DisputeDetails } from './dispute.ts'

interface AnswerDialogProps {
  readonly details: DisputeDetails
  readonly answer: 'accepted' | 'contested'
  readonly onDone: () => void
  readonly onClose: () => void
}

export function AnswerDialog({ details, answer, onDone, onClose }: AnswerDialogProps): JSX.Element {
  const { merchantId, id, acquirer, isSent, needsReason } = details
  const reason = useSignal('')
  const byHand = useSignal(!isSent)
  const isContested = answer === 'contested'
  const asksReason = isContested && needsReason && !byHand.value
  const confirm = async (): Promise<Result<unknown>> => {
    const result = await call('POST /merchants/:merchantId/disputes/:disputeId/answer', {
      params: { merchantId, disputeId: id },
      body: { answer, reason: asksReason && reason.value !== '' ? reason.value : null, byHand: byHand.value },
    })
    if (result.ok) {
      toast(byHand.value ? 'Answer recorded.' : `The answer is being sent to ${acquirer}.`)
      onDone()
    }
    return result
  }
  return (
    <ConfirmDialog
      title={isContested ? 'Contest the dispute' : 'Accept the dispute'}
      act={isContested ? 'Contest' : 'Accept'}
      danger={!isContested}
      isReady={!asksReason || reason.value !== ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{wordsOf(details, isContested, byHand.value)}</p>
      {!details.isChargedBack && <p>{inquiryText}</p>}
      {isSent && (
        <CheckField
          label={`I will answer in the portal of ${acquirer}`}
          hint="Nothing is sent. The answer is only recorded."
          at={{
            id: 'answer-by-hand',
            value: byHand.value,
            error: null,
            set: (value) => {
              byHand.value = value
            },
          }}
        />
      )}
      {asksReason && (
        <ReasonField
          details={details}
          value={reason.value}
          onChange={(value) => {
            reason.value = value
          }}
        />
      )}
    </ConfirmDialog>
  )
}

const inquiryText = 'This is an inquiry: no money was taken. A chargeback that follows is answered again.'

function wordsOf({ acquirer, files, isChargedBack }: DisputeDetails, isContested: boolean, byHand: boolean): string {
  const loss = isChargedBack ? 'The amount stays with the payer.' : 'The chargeback may follow.'
  if (!isContested)
    return byHand
      ? `${loss} Also accept it in the portal of ${acquirer}.`
      : `The acceptance is sent to ${acquirer}. ${loss} This cannot be undone.`
  const count = files.length === 1 ? '1 file' : `${files.length} files`
  return byHand
    ? `The evidence (${count}) is marked as sent. Download the bundle and upload it in the portal of ${acquirer}.`
    : `The evidence (${count}) is sent to ${acquirer} once. Nothing can be added afterwards.`
}

interface ReasonFieldProps {
  readonly details: DisputeDetails
  readonly value: string
  readonly onChange: (value: string) => void
}

function ReasonField({ details: { merchantId, id, acquirer }, value, onChange }: ReasonFieldProps): JSX.Element {
  const read = useReading('GET /merchants/:merchantId/disputes/:disputeId/reasons', {
    params: { merchantId, disputeId: id },
  })
  return (
    <ReadResult read={read} lines={2}>
      {({ reasons }) => {
        const chosen = reasons.find(({ code }) => code === value)
        return (
          <SelectField
            label="Reason"
            options={[
              { value: '', text: 'Choose a reason' },
              ...reasons.map(({ code }) => ({ value: code, text: wordsOfCode(code) })),
            ]}
            hint={
              chosen
                ? `${acquirer} requires: ${chosen.required.map(wordsOfCode).join(', ') || 'any document'}.`
                : `The grounds on which ${acquirer} can defend this dispute.`
            }
            at={{ id: 'answer-reason', value, error: null, set: onChange }}
          />
        )
      }}
    </ReadResult>
  )
}

/** Codes are written together: `GoodsNotReturned`. */
const wordsOfCode = (code: string): string => code.replaceAll(/([a-z])([A-Z])/g, '$1 $2')
