/** Recovery codes: how many are left, and new ones, which are shown once. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Result } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { loadSession, session } from '../../session/session.ts'

/** Below this many, the section warns. */
const few = 3

export function RecoveryCodesSection(): JSX.Element | null {
  const user = session.value?.user
  const isAsking = useSignal(false)
  const codes = useSignal<readonly string[] | null>(null)
  if (user === undefined || !(user.secondFactor || user.passkeys > 0)) return null
  const renew = async (): Promise<Result<unknown>> => {
    const result = await call('POST /account/recovery-codes')
    if (result.ok) codes.value = result.value.recoveryCodes
    return result
  }
  const left = user.recoveryCodes
  return (
    <Section
      title="Recovery codes"
      actions={<Badge tone={left < few ? 'warn' : 'good'}>{left === 0 ? 'none left' : `${left} left`}</Badge>}
    >
      <div class="stack">
        <p>If you lose your device, a recovery code replaces the second factor once. Keep the codes in a safe place.</p>
        <div class="form-actions">
          <Button
            onClick={() => {
              isAsking.value = true
            }}
          >
            New recovery codes
          </Button>
        </div>
      </div>
      {isAsking.value && (
        <ConfirmDialog
          title="Create new recovery codes?"
          act="Create codes"
          onClose={() => {
            isAsking.value = false
          }}
          onConfirm={renew}
        >
          <p>{left === 0 ? 'You get ten codes.' : 'You get ten codes. Your earlier codes stop working.'}</p>
        </ConfirmDialog>
      )}
      {codes.value !== null && (
        <RecoveryCodesOnce
          codes={codes.value}
          onClose={() => {
            codes.value = null
            void loadSession()
          }}
        />
      )}
    </Section>
  )
}

interface CodesProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

export const RecoveryCodesOnce = ({ codes, onClose }: CodesProps): JSX.Element => (
  <Dialog title="Your recovery codes" onClose={onClose}>
    <Notice tone="warn">Save these codes now. They will not be shown again. Each works once.</Notice>
    <ul class="bare recovery-codes">
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </ul>
    <div class="form-actions">
      <Button kind="primary" onClick={onClose}>
        I have saved them
      </Button>
      <CopyButton text={codes.join('\n')} label="Copy all codes" />
    </div>
  </Dialog>
)
