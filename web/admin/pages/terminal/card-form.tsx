/** The second step: the card, typed into frames of the service. The panel learns whether a field is valid, never its value. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { randomUuid } from '../../../kit/random-uuid.ts'
import { type FieldName, HostedFields } from '../../../sdk/hosted-fields.ts'
import { call, type Fault } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { Notice } from '../../kit/states.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Money } from '../../kit/values/money.tsx'
import { isDark } from '../../shell/theme.ts'
import { fieldStyle } from './field-style.ts'
import type { Charge, Opened } from './terminal-steps.ts'

interface CardFormProps {
  readonly opened: Opened
  /** The attempt before this one, if its card was declined. */
  readonly declined: Charge | null
  readonly onCharged: (charge: Charge) => void
  readonly onCancel: () => void
}

export function CardForm({ opened, declined, onCharged, onCancel }: CardFormProps): JSX.Element {
  const fields = useRef<HostedFields | null>(null)
  const loading = useSignal<'loading' | 'ready' | 'failed'>('loading')
  const message = useSignal('')
  const fault = useSignal<Fault | null>(null)
  const busy = useSignal(false)
  // An attempt without an answer is repeated as it is, because it may have been charged.
  const unanswered = useRef<string | null>(null)
  const theme = isDark.value

  useEffect(() => {
    const frames = new HostedFields({ baseUrl: opened.fieldsUrl })
    fields.current = frames
    loading.value = 'loading'
    frames
      .init({ sessionToken: opened.token, fields: places, style: fieldStyle(), language: 'en' })
      .then(() => {
        if (fields.current === frames) loading.value = 'ready'
      })
      .catch(() => {
        if (fields.current === frames) loading.value = 'failed'
      })
    return () => {
      fields.current = null
      frames.destroy()
    }
  }, [opened.token, theme])

  const charge = async (): Promise<void> => {
    if (busy.value || fields.current === null) return
    busy.value = true
    message.value = ''
    fault.value = null
    const collected = unanswered.current === null ? await fields.current.collectIframesData() : null
    if (collected?.result === 'error') {
      message.value = collected.message
      busy.value = false
      return
    }
    const { merchantId, id: terminalId, email } = opened
    const attemptId = unanswered.current ?? randomUuid()
    const result = await call('POST /merchants/:merchantId/terminal/:terminalId/payment', {
      params: { merchantId, terminalId },
      body: { attemptId, sendsReceipt: email !== '' },
    })
    busy.value = false
    unanswered.current = !result.ok && result.fault.code === 'unreachable' ? attemptId : null
    if (result.ok) return onCharged(result.value)
    fault.value = result.fault
  }

  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void charge()
      }}
    >
      {declined && (
        <Notice tone="bad">
          <p>Declined{declined.declineReason === null ? '' : `: ${declined.declineReason}`}. Try another card.</p>
        </Notice>
      )}
      <KeyValues
        rows={[
          ['Amount', <Money minor={opened.amountMinor} currency={opened.currency} decimals={opened.decimals} />],
          ['Order number', opened.orderNumber],
          ['Payer', opened.payerName],
        ]}
      />
      {fault.value && <FaultView fault={fault.value} />}
      {message.value !== '' && (
        <div role="alert">
          <Notice tone="bad">{message.value}</Notice>
        </div>
      )}
      {loading.value === 'failed' && (
        <Notice tone="bad">The card fields did not load. Check that this browser reaches {opened.fieldsUrl}.</Notice>
      )}
      <div aria-busy={loading.value === 'loading'} class="terminal-card">
        <FrameField name="card" label="Card number" />
        <div class="field-row">
          <FrameField name="expiry" label="Expiry date" />
          <FrameField name="cvv" label="Security code" optional />
        </div>
      </div>
      <div class="form-actions">
        <Button type="submit" kind="primary" busy={busy.value} disabled={loading.value !== 'ready'}>
          {opened.auth ? 'Authorise' : 'Charge'}
        </Button>
        <Button kind="quiet" onClick={onCancel} disabled={busy.value}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

const places = {
  card: { id: 'terminal-card', placeholder: '0000 0000 0000 0000' },
  expiry: { id: 'terminal-expiry', placeholder: 'MM/YY' },
  cvv: { id: 'terminal-cvv' },
} as const

interface FrameFieldProps {
  readonly name: FieldName
  readonly label: string
  readonly optional?: boolean
}

/** The label is for the eye: the frame has its own, which screen readers read. */
const FrameField = ({ name, label, optional }: FrameFieldProps): JSX.Element => (
  <div class="field">
    <span class="terminal-label" aria-hidden="true">
      {label}
      {optional && <span class="optional"> (optional)</span>}
    </span>
    <div id={places[name].id} class="terminal-frame" />
  </div>
)
