/** Sign-in by password, with a code if a second factor is set up, or by a passkey. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { call, type Fault, type Result } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { knowsPasskeys, provePasskey } from '../../session/passkey.ts'
import { loadSession } from '../../session/session.ts'
import { Mark } from '../../shell/shell.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { SsoButton, SsoRefusal } from './single-sign-on.tsx'

export function SignInPage(): JSX.Element {
  useEffect(() => {
    document.title = 'Sign in · Gatehouse'
  }, [])
  const options = useReading('GET /session/options').value
  const hasForgotten = useSignal(false)
  const forget = (now: boolean) => (): void => {
    hasForgotten.value = now
  }
  return (
    <main class="alone">
      <h1>
        <Mark /> Gatehouse
      </h1>
      <div class="section">
        {hasForgotten.value ? (
          <ForgotPassword onBack={forget(false)} />
        ) : (
          <>
            <SsoRefusal />
            <PasswordForm
              more={
                options?.passwordReset && (
                  <Button kind="quiet" onClick={forget(true)}>
                    Forgot password?
                  </Button>
                )
              }
            />
            {knowsPasskeys() && <PasskeyButton />}
            {options?.singleSignOn && <SsoButton title={options.singleSignOn} />}
          </>
        )}
      </div>
    </main>
  )
}

function PasswordForm({ more }: { readonly more: ComponentChildren }): JSX.Element {
  const needsCode = useSignal(false)
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    guards: false,
    check: ({ email, password, code }) => ({
      email: email.trim() === '' ? 'Enter your e-mail address.' : null,
      password: password === '' ? 'Enter your password.' : null,
      code:
        needsCode.value && code.trim() === ''
          ? 'Enter the code from your authenticator app, or a recovery code.'
          : null,
    }),
    send: async ({ email, password, code }): Promise<Result<object | null>> => {
      const shown = code.replaceAll(' ', '')
      const body = { email: email.trim(), password, ...(shown === '' ? {} : { code: shown }) }
      const result = await call('POST /session', { body })
      if (!result.ok && result.fault.code === 'second_factor_required') {
        needsCode.value = true
        return { ok: true, value: null }
      }
      // The passkey may be lost: a recovery code can replace it.
      if (!result.ok && result.fault.code === 'passkey_required') needsCode.value = true
      return result
    },
    onDone: (value) => {
      if (value !== null) void loadSession()
    },
  })
  return (
    <Form form={form} act={needsCode.value ? 'Continue' : 'Sign in'} more={more}>
      <TextField label="E-mail address" type="email" autoComplete="username" at={form.at('email')} />
      <TextField label="Password" type="password" autoComplete="current-password" at={form.at('password')} />
      {needsCode.value && (
        <FocusedOnce>
          <TextField
            label="Code"
            hint="Six digits from your authenticator app, or a recovery code."
            autoComplete="one-time-code"
            maxLength={40}
            at={form.at('code')}
          />
        </FocusedOnce>
      )}
    </Form>
  )
}

/** Focuses a field that has just appeared because it is needed next. */
function FocusedOnce({ children }: { readonly children: JSX.Element }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => frame.current?.querySelector('input')?.focus(), [])
  return <div ref={frame}>{children}</div>
}

function PasskeyButton(): JSX.Element {
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  const press = async (): Promise<void> => {
    busy.value = true
    const result = await signInByPasskey()
    busy.value = false
    fault.value = result === null || result.ok ? null : result.fault
    if (result?.ok) await loadSession()
  }
  return (
    <div class="or">
      <p class="faint">or</p>
      {fault.value && <FaultView fault={fault.value} />}
      <Button icon="key" onClick={() => void press()} busy={busy.value}>
        Sign in with a passkey
      </Button>
    </div>
  )
}

/** Null if the user cancelled. */
async function signInByPasskey(): Promise<Result<unknown> | null> {
  const begun = await call('POST /session/passkey/challenge')
  if (!begun.ok) return begun
  const { challengeId, options } = begun.value
  const response = await provePasskey(options)
  return response === null ? null : call('POST /session/passkey', { body: { challengeId, response } })
}
