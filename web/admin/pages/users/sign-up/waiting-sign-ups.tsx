/** Sign-ups with a confirmed mail address that wait for an approval. Nothing is shown while there are none. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Result } from '../../../api/call.ts'
import { useMerchants } from '../../../api/merchants.ts'
import { useReading } from '../../../api/use-reading.ts'
import { Button } from '../../../kit/button.tsx'
import { DataTable, pageOfRows } from '../../../kit/data-table.tsx'
import { FaultView } from '../../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { Section } from '../../../kit/page.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { may } from '../../../session/session.ts'

type SignUp = Answer<'GET /sign-ups'>['signUps'][number]
type Decision = 'approve' | 'refuse'

export function WaitingSignUps({ onApproved }: { readonly onApproved: () => void }): JSX.Element | null {
  const read = useReading('GET /sign-ups')
  const merchants = useMerchants()
  const chosen = useSignal<{ readonly signUp: SignUp; readonly decision: Decision } | null>(null)
  const namesOf = ({ merchantIds }: SignUp): string => merchantIds.map((id) => merchants.title(id)).join(', ')
  if (read.fault !== null) return <FaultView fault={read.fault} onRetry={read.reload} />
  const rows = read.value?.signUps ?? []
  if (rows.length === 0) return null
  const choose = (signUp: SignUp, decision: Decision) => (): void => {
    chosen.value = { signUp, decision }
  }
  return (
    <Section title="Sign-ups to approve">
      <DataTable
        caption="Sign-ups to approve"
        list={pageOfRows(rows)}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Name', cell: ({ name }) => name, cut: ({ name }) => name },
          { title: 'E-mail address', cell: ({ email }) => email, cut: ({ email }) => email },
          { title: 'Role', cell: ({ role }) => role, whole: true },
          { title: 'Merchants', cell: namesOf, cut: namesOf },
          { title: 'Link', cell: ({ note }) => note || 'no note', cut: ({ note }) => note, minor: true },
          { title: 'Confirmed', cell: ({ confirmedAt }) => <DateTime at={confirmedAt} />, minor: true },
          {
            title: 'Actions',
            end: true,
            cell: (one) =>
              may('users.write') && (
                <span class="row-actions">
                  <Button small kind="primary" onClick={choose(one, 'approve')}>
                    Approve
                  </Button>
                  <Button small onClick={choose(one, 'refuse')}>
                    Refuse
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {chosen.value !== null && (
        <DecisionDialog
          {...chosen.value}
          merchants={namesOf(chosen.value.signUp)}
          onDone={() => {
            read.reload()
            onApproved()
          }}
          onClose={() => {
            chosen.value = null
          }}
        />
      )}
    </Section>
  )
}

interface DecisionDialogProps {
  readonly signUp: SignUp
  readonly decision: Decision
  readonly merchants: string
  readonly onDone: () => void
  readonly onClose: () => void
}

function DecisionDialog({ signUp, decision, merchants, onDone, onClose }: DecisionDialogProps): JSX.Element {
  const isApproval = decision === 'approve'
  const decide = async (): Promise<Result<unknown>> => {
    const params = { signUpId: signUp.id }
    const result = isApproval
      ? await call('POST /sign-ups/:signUpId/approve', { params })
      : await call('POST /sign-ups/:signUpId/refuse', { params })
    if (result.ok) {
      toast(isApproval ? `${signUp.name} can sign in now.` : 'Sign-up refused.')
      onDone()
    }
    return result
  }
  return (
    <ConfirmDialog
      title={`${isApproval ? 'Approve' : 'Refuse'} the sign-up of ${signUp.name}?`}
      act={isApproval ? 'Approve' : 'Refuse'}
      danger={!isApproval}
      onConfirm={decide}
      onClose={onClose}
    >
      <p>
        {isApproval
          ? `${signUp.email} gets the role ${signUp.role} for ${merchants}. Check that you know this person.`
          : `The data of ${signUp.email} is deleted. The person is notified by e-mail.`}
      </p>
    </ConfirmDialog>
  )
}
