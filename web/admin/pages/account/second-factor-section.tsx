/** Sets up an authenticator app. The new secret takes effect with its first valid code; until then the old one stays valid. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call, type Fault, type Result } from '../../api/call.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { Copyable } from '../../kit/copy-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Section } from '../../kit/page.tsx'
import { toast } from '../../kit/toasts.tsx'
import { QrCode } from '../../kit/values/qr-code.tsx'
import { loadSession, session } from '../../session/session.ts'
import { RecoveryCodesOnce } from './recovery-codes.tsx'

type Enrolment = Answer<'POST /account/second-factor'>

export function SecondFactorSection(): JSX.Element {
  const isOn = session.value?.user.secondFactor === true
  const enrolment = useSignal<Enrolment | null>(null)
  const isRemoving = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const codes = useSignal<readonly string[] | null>(null)
  const begin = async (): Promise<void> => {
    const result = await call('POST /account/second-factor')
    fault.value = result.ok ? null : result.fault
    if (result.ok) enrolment.value = result.value
  }
  return (
    <Section title="Second factor" actions={isOn ? <Badge tone="good">on</Badge> : <Badge tone="warn">off</Badge>}>
      <div class="stack">
        <p>
          {isOn
            ? 'Signing in with your password also requires a code from your authenticator app.'
            : 'With a second factor, signing in requires your password and a code from an authenticator app.'}
        </p>
        {fault.value && <FaultView fault={fault.value} />}
        <div class="form-actions">
          <Button kind={isOn ? 'plain' : 'primary'} onClick={() => void begin()}>
            {isOn ? 'Set up another device' : 'Set up second factor'}
          </Button>
          {isOn && (
            <Button
              kind="danger"
              onClick={() => {
                isRemoving.value = true
              }}
            >
              Remove second factor
            </Button>
          )}
        </div>
      </div>
      {enrolment.value !== null && (
        <SetUpDialog
          enrolment={enrolment.value}
          onCodes={(made) => {
            codes.value = made
          }}
          onClose={() => {
            enrolment.value = null
          }}
        />
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
      {isRemoving.value && (
        <ConfirmDialog
          title="Remove the second factor?"
          act="Remove"
          danger
          onClose={() => {
            isRemoving.value = false
          }}
          onConfirm={remove}
        >
          <p>You will sign in with your password alone.</p>
        </ConfirmDialog>
      )}
    </Section>
  )
}

interface SetUpProps {
  readonly enrolment: Enrolment
  readonly onCodes: (codes: readonly string[]) => void
  readonly onClose: () => void
}

const SetUpDialog = (props: SetUpProps): JSX.Element => (
  <Dialog title="Set up second factor" onClose={props.onClose}>
    <ConfirmCode {...props} />
  </Dialog>
)

async function remove(): Promise<Result<unknown>> {
  const result = await call('DELETE /account/second-factor')
  if (!result.ok) return result
  toast('Second factor removed.')
  void loadSession()
  return result
}

function ConfirmCode({ enrolment, onCodes, onClose }: SetUpProps): JSX.Element {
  const form = useForm({
    initial: { code: '' },
    guards: false,
    send: ({ code }) => call('PUT /account/second-factor', { body: { code: code.replaceAll(' ', '') } }),
    onDone: ({ recoveryCodes }) => {
      toast('Second factor enabled.')
      // The session is read again when the codes are saved: the account page may go as soon as nothing holds the user up.
      onCodes(recoveryCodes)
      onClose()
    },
  })
  return (
    <>
      <p>Scan this code with your authenticator app, then enter the code it shows.</p>
      <QrCode text={enrolment.address} label="Code for the authenticator app" />
      <p>
        <span class="faint">Or enter this secret manually:</span>
        <br />
        <Copyable text={enrolment.secret} label="Copy the secret" />
      </p>
      <Form form={form} act="Enable" onCancel={onClose}>
        <TextField label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} at={form.at('code')} />
      </Form>
    </>
  )
}
