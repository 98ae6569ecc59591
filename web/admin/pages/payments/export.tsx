/** Exports the payments that were found as a file of any size, with progress and cancellation. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type Answer, addressOf, call, type Fault, type Query } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { FaultView } from '../../kit/fault-view.tsx'
import { Progress } from '../../kit/progress.tsx'
import { Notice, Skeleton } from '../../kit/states.tsx'
import { toastFault } from '../../kit/toasts.tsx'
import { Link } from '../../router/link.tsx'

type Filter = Query<'GET /payments'>
type Export = Answer<'POST /exports'>

export function ExportButton({ filter }: { readonly filter: Filter }): JSX.Element {
  const isOpen = useSignal(false)
  return (
    <>
      <Button
        icon="download"
        onClick={() => {
          isOpen.value = true
        }}
      >
        Export
      </Button>
      {isOpen.value && (
        <ExportDialog
          filter={filter}
          onClose={() => {
            isOpen.value = false
          }}
        />
      )}
    </>
  )
}

function ExportDialog({ filter, onClose }: { readonly filter: Filter; readonly onClose: () => void }): JSX.Element {
  const begun = useSignal<Export | null>(null)
  const fault = useSignal<Fault | null>(null)
  const kind = useSignal<Export['kind']>('payments')
  const begin = async (): Promise<void> => {
    begun.value = null
    const words = Object.entries(filter).map(([name, value]) => [name, String(value)])
    const result = await call('POST /exports', { body: { kind: kind.value, filter: Object.fromEntries(words) } })
    if (result.ok) begun.value = result.value
    else fault.value = result.fault
  }
  useEffect(() => void begin(), [kind.value])
  return (
    <Dialog title="Export payments" onClose={onClose}>
      <div class="filter">
        <label for="export-kind">Rows</label>
        <select
          id="export-kind"
          value={kind.value}
          onChange={({ currentTarget }) => {
            kind.value = currentTarget.value === 'transactions' ? 'transactions' : 'payments'
          }}
        >
          <option value="payments">One for each payment</option>
          <option value="transactions">One for each transaction: charges, captures, refunds</option>
        </select>
      </div>
      {fault.value && <FaultView fault={fault.value} />}
      <p>
        <Link to={scheduleAddress(filter)}>Schedule this export</Link>
      </p>
      {begun.value === null ? fault.value === null && <Skeleton lines={2} /> : <Download begun={begun.value} />}
    </Dialog>
  )
}

/** The schedule chooses the period. */
function scheduleAddress({ from: _from, to: _to, ...filter }: Filter): string {
  const words = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]))
  return `/export-schedules?new=${encodeURIComponent(JSON.stringify(words))}`
}

const everyMs = 700

function Download({ begun }: { readonly begun: Export }): JSX.Element {
  const isOver = useSignal(false)
  const params = { exportId: begun.id }
  const read = useReading('GET /exports/:exportId', { params, everyMs: isOver.value ? 0 : everyMs })
  const { state, rowsWritten, rowsTotal } = read.value ?? begun
  const address = addressOf('/exports/:exportId/content', params)
  useEffect(() => {
    isOver.value = state === 'done' || state === 'cancelled' || state === 'failed'
  }, [state])
  const cancel = async (): Promise<void> => {
    const result = await call('DELETE /exports/:exportId', { params, body: {} })
    if (!result.ok) return toastFault(result.fault)
    read.reload()
  }
  return (
    <>
      {state === 'ready' && (
        <>
          <p>
            {countText(rowsTotal)} {rowsTotal === '1' ? 'fits' : 'fit'} the filters. The file is written while it is
            downloaded; closing this does not stop it.
          </p>
          <div class="form-actions">
            <a class="button primary" href={address} download>
              Download as CSV
            </a>
          </div>
        </>
      )}
      {state === 'running' && (
        <Progress
          label="Writing the file"
          done={Number(rowsWritten)}
          total={Number(rowsTotal)}
          onCancel={() => void cancel()}
        />
      )}
      {isOver.value && <FinishedExport state={state} rows={rowsWritten} />}
    </>
  )
}

function FinishedExport({ state, rows }: { readonly state: Export['state']; readonly rows: string }): JSX.Element {
  if (state === 'done') return <Notice tone="good">The file is complete: {countText(rows)}.</Notice>
  return (
    <Notice tone="warn">
      {state === 'cancelled' ? 'The export was cancelled.' : 'The export stopped.'} The file is incomplete. Start the
      export again.
    </Notice>
  )
}

const countText = (rows: string): string =>
  `${new Intl.NumberFormat().format(Number(rows))} ${rows === '1' ? 'payment' : 'payments'}`
