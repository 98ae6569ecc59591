/** Verifies the chain of hashes from the first entry to the last, on demand. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Notice } from '../../kit/states.tsx'
import { toastFault } from '../../kit/toasts.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'

type VerificationAnswer = Answer<'GET /audit/verification'>

export function Verification(): JSX.Element {
  const busy = useSignal(false)
  const verified = useSignal<VerificationAnswer | null>(null)
  const verify = async (): Promise<void> => {
    busy.value = true
    const result = await call('GET /audit/verification')
    busy.value = false
    if (result.ok) verified.value = result.value
    else toastFault(result.fault)
  }
  return (
    <>
      <Button icon="shield" busy={busy.value} onClick={() => void verify()}>
        Verify
      </Button>
      {verified.value && (
        <Dialog
          title="Verification"
          onClose={() => {
            verified.value = null
          }}
        >
          <Outcome {...verified.value} />
        </Dialog>
      )}
    </>
  )
}

function Outcome({ entries, head, faults }: VerificationAnswer): JSX.Element {
  return (
    <>
      {faults.length === 0 ? (
        <Notice tone="good">The audit log is intact: no entry was changed or removed.</Notice>
      ) : (
        <Notice tone="bad">
          <ul>
            {faults.map(({ seq, text }) => (
              <li key={seq}>
                Entry {seq}: {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <KeyValues
        rows={[
          ['Entries', entries],
          ['Hash of the last entry', <code>{head}</code>],
        ]}
      />
    </>
  )
}
