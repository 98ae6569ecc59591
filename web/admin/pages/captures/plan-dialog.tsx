/** Sets when a hold is captured automatically. Only a MID with auto-capture hours does so. */
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { CheckField, TextField } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { toast } from '../../kit/toasts.tsx'
import { dayOf, instantOf } from '../../kit/values/instants.ts'
import type { Hold } from './hold.ts'

interface PlanDialogProps {
  readonly hold: Hold
  readonly onDone: () => void
  readonly onClose: () => void
}

export function PlanDialog({ hold, onDone, onClose }: PlanDialogProps): JSX.Element {
  const { merchantId, id: paymentId, captureAt } = hold
  const form = useForm({
    initial: { isPlanned: captureAt !== null, at: captureAt === null ? '' : localOf(captureAt) },
    check: ({ isPlanned, at }) => ({ at: isPlanned && instantOf(at) === undefined ? 'Enter a time.' : null }),
    paths: { at: 'captureAt' },
    send: ({ isPlanned, at }) =>
      call('PUT /merchants/:merchantId/payments/:paymentId/capture-plan', {
        params: { merchantId, paymentId },
        body: { captureAt: isPlanned ? (instantOf(at) ?? null) : null },
      }),
    onDone: (_, { isPlanned }) => {
      toast(isPlanned ? 'Automatic capture scheduled.' : 'Automatic capture turned off.')
      onDone()
      onClose()
    },
    guards: false,
  })
  return (
    <Dialog title={`Schedule capture of order ${hold.orderId}`} onClose={onClose}>
      <Form form={form} act="Save" onCancel={onClose}>
        <CheckField
          label="Capture automatically"
          hint="Otherwise the hold waits until it is captured or released by hand."
          at={form.at('isPlanned')}
        />
        {form.values.isPlanned && <TextField label="When" type="datetime-local" at={form.at('at')} />}
      </Form>
    </Dialog>
  )
}

/** The value of a datetime input, in the viewer's time zone. */
function localOf(at: string): string {
  const instant = new Date(at)
  const pad = (number: number): string => String(number).padStart(2, '0')
  return `${dayOf(instant)}T${pad(instant.getHours())}:${pad(instant.getMinutes())}`
}
