/** The frame of a page that is reached by a link with a code behind `#` of the address: what the code is for, a form, and the result. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Fault, Result } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { Notice, Skeleton } from '../../kit/states.tsx'
import { go } from '../../router/current-address.ts'
import { leaveOpenPage } from '../../session/session.ts'
import { Mark } from '../../shell/shell.tsx'

interface LinkPageProps<T> {
  readonly title: string
  readonly read: (code: string) => Promise<Result<T>>
  /** What was achieved; null while the form is shown. */
  readonly done: { readonly text: string; readonly canSignIn: boolean } | null
  readonly children: (value: T, code: string) => ComponentChildren
}

export function LinkPage<T>({ title, read, done, children }: LinkPageProps<T>): JSX.Element {
  const code = useSignal(window.location.hash.slice(1))
  const value = useSignal<T | null>(null)
  const fault = useSignal<Fault | null>(null)
  useEffect(() => {
    document.title = `${title} · Gatehouse`
    void read(code.value).then((result) => {
      if (result.ok) value.value = result.value
      else fault.value = result.fault
    })
  }, [])
  const goToSignIn = (): void => {
    leaveOpenPage()
    go('/', { replace: true, stay: true })
  }
  return (
    <main class="alone">
      <h1>
        <Mark /> Gatehouse
      </h1>
      <div class="section">
        {done !== null ? (
          <div role="status" class="stack">
            <Notice tone="good">{done.text}</Notice>
            {done.canSignIn && (
              <Button kind="primary" onClick={goToSignIn}>
                Sign in
              </Button>
            )}
          </div>
        ) : fault.value !== null ? (
          <div class="stack">
            <FaultView fault={fault.value} />
            <Button onClick={goToSignIn}>Go to sign-in</Button>
          </div>
        ) : value.value === null ? (
          <Skeleton lines={3} />
        ) : (
          children(value.value, code.value)
        )}
      </div>
    </main>
  )
}
