/** Sends all callbacks of a time range again, of one merchant or of all, as a long task. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { useMerchants } from '../../api/merchants.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { FieldRow, SelectField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { instantOf } from '../../kit/values/instants.ts'
import { showWork } from '../../kit/work-progress.tsx'

interface Values {
  readonly merchantId: string
  readonly state: 'failed' | 'delivered'
  readonly from: string
  readonly to: string
  readonly target: 'original' | 'current'
}

interface ResendRangeProps {
  readonly merchantId: string
  readonly onClose: () => void
}

export function ResendRangeDialog({ merchantId, onClose }: ResendRangeProps): JSX.Element {
  const merchants = useMerchants()
  const initial: Values = { merchantId, state: 'failed', from: '', to: '', target: 'original' }
  const form = useForm({
    initial,
    check: (values) => ({
      from: instantOf(values.from) === undefined ? 'Enter a start time.' : null,
      to: instantOf(values.to) === undefined ? 'Enter an end time.' : null,
    }),
    send: ({ merchantId: of, state, from, to, target }) => {
      const body = { state, target, from: instantOf(from) ?? '', to: instantOf(to) ?? '' }
      return of === ''
        ? call('POST /callbacks/resend/work', { body })
        : call('POST /merchants/:merchantId/callbacks/resend/work', { params: { merchantId: of }, body })
    },
    onDone: ({ id, total }) => {
      toast(total === '0' ? 'No callbacks to resend in this time range.' : `${total} callbacks are being resent.`)
      if (total !== '0') showWork(id)
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title="Resend callbacks of a time range" onClose={onClose}>
      <Form form={form} act="Resend" onCancel={onClose}>
        <p>Each callback is sent again with its full retry plan. The merchant may receive a callback twice.</p>
        <SelectField
          label="Merchant"
          options={[{ value: '', text: 'All merchants' }, ...merchants.choices]}
          at={form.at('merchantId')}
        />
        <SelectField label="State" options={states} at={form.at('state')} />
        <SelectField label="Send to" options={targets} at={form.at('target')} />
        <FieldRow>
          <TextField label="Created from" type="datetime-local" at={form.at('from')} />
          <TextField label="Created before" type="datetime-local" at={form.at('to')} />
        </FieldRow>
      </Form>
    </Dialog>
  )
}

const targets = [
  { value: 'original', text: 'The address of each callback' },
  { value: 'current', text: 'The merchant’s current notification address' },
] as const

const states = [
  { value: 'failed', text: 'Failed' },
  { value: 'delivered', text: 'Delivered' },
] as const
