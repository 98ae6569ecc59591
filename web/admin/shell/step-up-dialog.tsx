/** "Confirm it is you": by the second factor, or by the password if there is none. The waiting request then continues. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call, type Fault, type Result } from '../api/call.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { FaultView } from '../kit/fault-view.tsx'
import { TextField } from '../kit/form/fields.tsx'
import { Form } from '../kit/form/form.tsx'
import { useForm } from '../kit/form/use-form.ts'
import { knowsPasskeys, provePasskey } from '../session/passkey.ts'
import { currentAddressText, session, singleSignOnAddress } from '../session/session.ts'
import { type ProofRequest, requestedProof } from '../session/step-up.ts'

export function StepUpDialog(): JSX.Element | null {
  const request = requestedProof.value
  return request === null ? null : <Question request={request} />
}

function Question({ request }: { readonly request: ProofRequest }): JSX.Element {
  const proofs = session.value?.proofs ?? []
  const close = (): void => request.answer(false)
  return (
    <Dialog title="Confirm it is you" onClose={close}>
      <div class="stack">
        <p>This action shows a secret or changes permissions. Your confirmation is valid for five minutes.</p>
        {proofs.includes('totp') && <ProofForm kind="code" request={request} />}
        {proofs.includes('password') && <ProofForm kind="password" request={request} />}
        {proofs.includes('sso') && <ProviderProof />}
        {proofs.includes('passkey') && knowsPasskeys() && <PasskeyProof request={request} />}
      </div>
    </Dialog>
  )
}

function ProofForm({
  kind,
  request,
}: {
  readonly kind: 'code' | 'password'
  readonly request: ProofRequest
}): JSX.Element {
  const form = useForm({
    initial: { proof: '' },
    guards: false,
    check: ({ proof }) => ({ proof: proof === '' ? `Enter ${kind === 'code' ? 'the code' : 'your password'}.` : null }),
    send: ({ proof }) =>
      call('POST /session/proof', {
        body: kind === 'code' ? { code: proof.replaceAll(' ', '') } : { password: proof },
      }),
    onDone: () => request.answer(true),
  })
  return (
    <Form form={form} act="Confirm" onCancel={() => request.answer(false)}>
      {kind === 'code' ? (
        <TextField
          label="Code"
          hint="Six digits from your authenticator app."
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={7}
          at={form.at('proof')}
        />
      ) : (
        <TextField label="Password" type="password" autoComplete="current-password" at={form.at('proof')} />
      )}
    </Form>
  )
}

/** Leaves the page: the user comes back to it and repeats the action. */
const ProviderProof = (): JSX.Element => (
  <>
    <p>You will sign in with the identity provider again and come back to this page. Then repeat the action.</p>
    <Button kind="primary" onClick={() => window.location.assign(singleSignOnAddress(currentAddressText(), true))}>
      Sign in again
    </Button>
  </>
)

function PasskeyProof({ request }: { readonly request: ProofRequest }): JSX.Element {
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const press = async (): Promise<void> => {
    busy.value = true
    const result = await proveByPasskey()
    busy.value = false
    fault.value = result === null || result.ok ? null : result.fault
    if (result?.ok) request.answer(true)
  }
  return (
    <div>
      {fault.value && <FaultView fault={fault.value} />}
      <Button icon="key" onClick={() => void press()} busy={busy.value}>
        Confirm with a passkey
      </Button>
    </div>
  )
}

/** Null if the user cancelled. */
async function proveByPasskey(): Promise<Result<unknown> | null> {
  const begun = await call('POST /session/proof/challenge')
  if (!begun.ok) return begun
  const { challengeId, options } = begun.value
  const response = await provePasskey(options)
  return response === null ? null : call('POST /session/proof', { body: { challengeId, response } })
}
