/** The tasks of the platform setup: done, open, and those that the operator marks as done. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../../api/call.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { Dialog } from '../../../kit/dialog.tsx'
import { TextField } from '../../../kit/form/fields.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { useForm } from '../../../kit/form/use-form.ts'
import { May } from '../../../kit/may.tsx'
import { Section } from '../../../kit/page.tsx'
import type { Tone } from '../../../kit/states.tsx'
import { toast, toastFault } from '../../../kit/toasts.tsx'
import { session } from '../../../session/session.ts'
import type { WalletRecordKey, WalletTask } from './wallet-record.ts'

interface WalletTasksProps {
  readonly recordKey: WalletRecordKey
  readonly tasks: readonly WalletTask[]
  readonly onChanged: () => void
}

const tones: Readonly<Record<string, Tone>> = { done: 'good', open: 'info', waiting: 'plain' }

/** Tasks that a person does by hand; the state of the others is read from the settings. */
const manualTasks = ['merchant', 'domains', 'confirm'] as const
type ManualTask = (typeof manualTasks)[number]

export function WalletTasks({ recordKey, tasks, onChanged }: WalletTasksProps): JSX.Element {
  const naming = useSignal(false)
  const params = { ...recordKey }
  const tick = async (task: ManualTask): Promise<void> => {
    if (task === 'merchant') {
      naming.value = true
      return
    }
    const result = await call('POST /merchants/:merchantId/wallets/:mode/:wallet/tasks/:task', {
      params: { ...params, task },
      body: {},
    })
    if (!result.ok) return toastFault(result.fault)
    toast('Done.')
    onChanged()
  }
  const register = async (): Promise<void> => {
    const result = await call('POST /merchants/:merchantId/wallets/:mode/:wallet/register', { params, body: {} })
    if (!result.ok) return toastFault(result.fault)
    toast('The merchant and its domains are registered with the simulated wallet provider.')
    onChanged()
  }
  return (
    <Section
      title="Through the platform"
      actions={
        session.value?.mode === 'sandbox' && (
          <May use="wallet-platform.write">
            <Button onClick={() => void register()}>Register with the simulator</Button>
          </May>
        )
      }
    >
      <ol class="steps">
        {tasks.map(({ name, title, state, missing }) => (
          <li key={name}>
            <div class="step">
              <span>
                <Badge tone={tones[state] ?? 'plain'}>{state}</Badge> {title}
              </span>
              {manualTasks
                .filter((task) => task === name && state === 'open')
                .map((task) => (
                  <May key={task} use="wallet-platform.write">
                    <Button small onClick={() => void tick(task)}>
                      Mark as done
                    </Button>
                  </May>
                ))}
            </div>
            {missing.length > 0 && <p class="faint">Still missing: {missing.join(', ')}</p>}
          </li>
        ))}
      </ol>
      {naming.value && (
        <IdentifierDialog
          recordKey={recordKey}
          onDone={() => {
            naming.value = false
            onChanged()
          }}
          onClose={() => {
            naming.value = false
          }}
        />
      )}
    </Section>
  )
}

interface IdentifierDialogProps {
  readonly recordKey: WalletRecordKey
  readonly onDone: () => void
  readonly onClose: () => void
}

function IdentifierDialog({ recordKey, onDone, onClose }: IdentifierDialogProps): JSX.Element {
  const form = useForm({
    initial: { merchantIdentifier: '' },
    guards: false,
    send: ({ merchantIdentifier }) =>
      call('POST /merchants/:merchantId/wallets/:mode/:wallet/tasks/:task', {
        params: { ...recordKey, task: 'merchant' },
        body: { merchantIdentifier: merchantIdentifier.trim() },
      }),
    onDone,
  })
  return (
    <Dialog title="Merchant registered" onClose={onClose}>
      <Form form={form} act="Mark as done" onCancel={onClose} always>
        <TextField
          label="Merchant identifier assigned by the wallet provider"
          mono
          at={form.at('merchantIdentifier')}
        />
      </Form>
    </Dialog>
  )
}
