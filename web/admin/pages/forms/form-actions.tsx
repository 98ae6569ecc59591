/** The actions on a form: the merchant's users request a review or withdraw it, the operator's approve or return it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'
import type { FormView } from './form-view.ts'

type OpenDialog = 'approve' | 'give back' | 'withdraw'

interface FormActionsProps {
  readonly view: FormView
  /** The digest of the code that is shown; null until it is loaded, and nothing can be approved before. */
  readonly digest: string | null
  readonly onChanged: () => void
}

export function FormActions({ view, digest, onChanged }: FormActionsProps): JSX.Element {
  const openDialog = useSignal<OpenDialog | null>(null)
  const { form, findings, obstacle } = view
  const ask = (what: OpenDialog | null) => () => {
    openDialog.value = what
  }
  const move = async (state: 'draft' | 'in review'): Promise<void> => {
    const result = await call('POST /merchants/:merchantId/forms/:form/state', {
      params: paramsOf(view),
      body: { state },
    })
    if (!result.ok) return toastFault(result.fault)
    toast(state === 'draft' ? 'The form is a draft again.' : 'Submitted for review.')
    onChanged()
  }
  const [mayWrite, mayReview] = [may('branding.write'), may('forms.review')]
  const isApproved = form.state === 'approved'
  return (
    <div class="form-actions review-actions">
      {mayReview && obstacle === null && !isApproved && findings.faults.length === 0 && digest !== null && (
        <Button kind="primary" onClick={ask('approve')}>
          Approve
        </Button>
      )}
      {mayReview && form.state === 'in review' && <Button onClick={ask('give back')}>Return</Button>}
      {mayWrite && (form.state === 'draft' || form.state === 'withdrawn') && (
        <Button onClick={() => void move('in review')}>Submit for review</Button>
      )}
      {mayWrite && form.state === 'in review' && <Button onClick={() => void move('draft')}>Cancel review</Button>}
      {mayWrite && form.state !== 'withdrawn' && (
        <Button kind="danger" onClick={ask('withdraw')}>
          Withdraw
        </Button>
      )}
      {openDialog.value === 'approve' && digest !== null && (
        <ApproveDialog view={view} digest={digest} onChanged={onChanged} onClose={ask(null)} />
      )}
      {openDialog.value === 'give back' && <ReturnDialog view={view} onChanged={onChanged} onClose={ask(null)} />}
      {openDialog.value === 'withdraw' && <WithdrawDialog view={view} onChanged={onChanged} onClose={ask(null)} />}
    </div>
  )
}

const paramsOf = ({ form: { merchantId, id } }: FormView) => ({ merchantId, form: id })

interface QuestionProps extends Pick<FormActionsProps, 'view' | 'onChanged'> {
  readonly onClose: () => void
}

interface ApproveProps extends QuestionProps {
  readonly digest: string
}

const ApproveDialog = ({ view, digest, onChanged, onClose }: ApproveProps): JSX.Element => (
  <ConfirmDialog
    title="Approve form?"
    act="Approve"
    onClose={onClose}
    onConfirm={async () => {
      const result = await call('POST /merchants/:merchantId/forms/:form/review', {
        params: paramsOf(view),
        body: { decision: 'approve', digest },
      })
      if (result.ok) {
        toast(`Approved. Payers now see version ${view.form.version} of ${view.form.formId}.`)
        onChanged()
      }
      return result
    }}
  >
    <p>
      Its scripts will run in payers’ browsers, where card data is entered. The previously approved version is
      withdrawn.
    </p>
    <p class="code-digest">
      Digest of the reviewed code: <span class="mono">{digest}</span>
    </p>
  </ConfirmDialog>
)

const ReturnDialog = ({ view, onChanged, onClose }: QuestionProps): JSX.Element => (
  <ConfirmDialog
    title="Return form?"
    act="Return"
    reason="required"
    onClose={onClose}
    onConfirm={async (reason) => {
      const result = await call('POST /merchants/:merchantId/forms/:form/review', {
        params: paramsOf(view),
        body: { decision: 'refuse', reason },
      })
      if (result.ok) {
        toast('Form returned to draft with your reason.')
        onChanged()
      }
      return result
    }}
  >
    <p>The form becomes a draft again. The merchant sees your reason.</p>
  </ConfirmDialog>
)

const WithdrawDialog = ({ view, onChanged, onClose }: QuestionProps): JSX.Element => (
  <ConfirmDialog
    title="Withdraw form?"
    act="Withdraw"
    danger
    onClose={onClose}
    onConfirm={async () => {
      const result = await call('POST /merchants/:merchantId/forms/:form/state', {
        params: paramsOf(view),
        body: { state: 'withdrawn' },
      })
      if (result.ok) {
        toast(`Version ${view.form.version} of ${view.form.formId} withdrawn.`)
        onChanged()
      }
      return result
    }}
  >
    <p>
      {view.form.state === 'approved'
        ? 'Payers see the standard page until another version is approved.'
        : 'The form leaves the review. It can be submitted again later.'}
    </p>
  </ConfirmDialog>
)
