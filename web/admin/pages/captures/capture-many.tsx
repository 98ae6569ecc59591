/** Captures many holds in full as a long task: the selected ones, or all that match the filters. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { May } from '../../kit/may.tsx'
import { toast } from '../../kit/toasts.tsx'
import { showWork } from '../../kit/work-progress.tsx'
import type { Hold, HoldFilter } from './hold.ts'
import { sumsOf } from './sums.ts'
import { holdsText, sumText, type Total } from './totals.tsx'

interface CaptureManyProps {
  readonly chosen: readonly Hold[]
  readonly filter: HoldFilter
  /** The totals of all holds that match the filters. */
  readonly totals: readonly Total[]
}

type CaptureScope = 'chosen' | 'all'

export function CaptureMany({ chosen, filter, totals }: CaptureManyProps): JSX.Element {
  const scope = useSignal<CaptureScope | null>(null)
  const all = totals.reduce((sum, { holds }) => sum + holds, 0)
  const ask = (wish: CaptureScope) => () => {
    scope.value = wish
  }
  return (
    <May use="payments.capture">
      {chosen.length > 0 && (
        <Button kind="primary" icon="capture" onClick={ask('chosen')}>
          Capture {chosen.length} selected
        </Button>
      )}
      {all > 0 && (
        <Button icon="capture" onClick={ask('all')}>
          Capture all {new Intl.NumberFormat().format(all)}
        </Button>
      )}
      {scope.value && (
        <CaptureManyDialog
          body={scope.value === 'all' ? { filter } : { payments: chosen.map(placeOf) }}
          sums={scope.value === 'all' ? totals : sumsOf(chosen)}
          onClose={() => {
            scope.value = null
          }}
        />
      )}
    </May>
  )
}

const placeOf = ({ merchantId, id }: Hold) => ({ merchantId, paymentId: id })

interface CaptureManyDialogProps {
  readonly body: { readonly filter: HoldFilter } | { readonly payments: readonly ReturnType<typeof placeOf>[] }
  readonly sums: readonly Total[]
  readonly onClose: () => void
}

function CaptureManyDialog({ body, sums, onClose }: CaptureManyDialogProps): JSX.Element {
  const holds = sums.reduce((sum, one) => sum + one.holds, 0)
  return (
    <ConfirmDialog
      title={`Capture ${holdsText(holds)}?`}
      act="Capture"
      onClose={onClose}
      onConfirm={async () => {
        const result = await call('POST /captures/work', { body })
        if (result.ok) {
          toast(`${result.value.total} holds are being captured.`)
          showWork(result.value.id)
        }
        return result
      }}
    >
      <p>Each hold is captured in full, one after the other. A refused capture does not stop the others.</p>
      <ul>
        {sums.map((sum) => (
          <li key={sum.currency}>
            <strong>{sumText(sum)}</strong> in {holdsText(sum.holds)}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
