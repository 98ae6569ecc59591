/** Disables, enables and unlocks a user, and sets a new password. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { toast, toastFault } from '../../kit/toasts.tsx'
import { SecretOnce } from '../../kit/values/secret-once.tsx'
import { session } from '../../session/session.ts'
import { savedText, type User } from '../users/user-state.tsx'

export function UserActions({ user, onChanged }: { readonly user: User; readonly onChanged: () => void }): JSX.Element {
  const openDialog = useSignal<'status' | 'password' | 'factor' | null>(null)
  const password = useSignal<string | null>(null)
  const close = (): void => {
    openDialog.value = null
  }
  const isActive = user.status === 'active'
  const switchStatus = async (): Promise<Result<unknown>> => {
    const status = isActive ? 'disabled' : 'active'
    const result = await call('PATCH /users/:userId', { params: { userId: user.id }, body: { status } })
    if (!result.ok) return result
    toast(isActive ? 'User disabled.' : savedText(result.value.waitingApproval !== null, 'User enabled.'))
    onChanged()
    return result
  }
  const unlock = async (): Promise<void> => {
    const result = await call('DELETE /users/:userId/lock-out', { params: { userId: user.id } })
    if (!result.ok) return toastFault(result.fault)
    toast('User unlocked.')
    onChanged()
  }
  const askReset = async (reason: string): Promise<Result<unknown>> => {
    const request = { params: { userId: user.id }, body: { reason } }
    const result = await call('POST /users/:userId/second-factor/reset', request)
    if (result.ok) toast('Another administrator must now approve the reset under Approvals.')
    return result
  }
  const invite = async (): Promise<void> => {
    const result = await call('POST /users/:userId/invitation', { params: { userId: user.id } })
    if (!result.ok) return toastFault(result.fault)
    toast(`An invitation is being sent to ${user.email}.`)
    onChanged()
  }
  return (
    <>
      {isActive && user.passwordTemporary && session.value?.sendsMail && (
        <Button onClick={() => void invite()}>
          {user.invitedUntil === null ? 'Send invitation' : 'Send invitation again'}
        </Button>
      )}
      {user.lockedUntil !== null && <Button onClick={() => void unlock()}>Unlock</Button>}
      {(user.secondFactor || user.passkeys > 0) && (
        <Button
          onClick={() => {
            openDialog.value = 'factor'
          }}
        >
          Reset second factor
        </Button>
      )}
      {!user.isSso && (
        <Button
          onClick={() => {
            openDialog.value = 'password'
          }}
        >
          New password
        </Button>
      )}
      <Button
        kind={isActive ? 'danger' : 'plain'}
        onClick={() => {
          openDialog.value = 'status'
        }}
      >
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      {openDialog.value === 'status' && (
        <ConfirmDialog
          title={isActive ? `Disable ${user.name}?` : `Enable ${user.name}?`}
          act={isActive ? 'Disable' : 'Enable'}
          danger={isActive}
          onConfirm={switchStatus}
          onClose={close}
        >
          <p>{isActive ? 'All sessions of this user end immediately.' : 'The user can sign in again.'}</p>
        </ConfirmDialog>
      )}
      {openDialog.value === 'factor' && (
        <ConfirmDialog
          title={`Reset the second factor of ${user.name}?`}
          act="Request reset"
          danger
          reason="required"
          onConfirm={askReset}
          onClose={close}
        >
          <p>
            For a user who has lost the device and has no recovery code. Once another administrator has approved, the
            authenticator app and the passkeys stop working, and all sessions end. Verify the identity of the person who
            asks.
          </p>
        </ConfirmDialog>
      )}
      {openDialog.value === 'password' && (
        <NewPasswordDialog
          user={user}
          onClose={close}
          onMade={(newPassword) => {
            password.value = newPassword
            onChanged()
          }}
        />
      )}
      {password.value !== null && (
        <SecretOnce
          title="New password"
          secrets={[['Password', password.value]]}
          onClose={() => {
            password.value = null
          }}
        />
      )}
    </>
  )
}

interface NewPasswordProps {
  readonly user: User
  readonly onMade: (password: string) => void
  readonly onClose: () => void
}

function NewPasswordDialog({ user, onMade, onClose }: NewPasswordProps): JSX.Element {
  const give = async (): Promise<Result<unknown>> => {
    const result = await call('POST /users/:userId/password', { params: { userId: user.id } })
    if (result.ok) onMade(result.value.password)
    return result
  }
  return (
    <ConfirmDialog
      title={`New password for ${user.name}?`}
      act="Set password"
      danger
      onConfirm={give}
      onClose={onClose}
    >
      <p>
        The old password stops working and all sessions of this user end. The user must change the new password at the
        next sign-in.
      </p>
    </ConfirmDialog>
  )
}
