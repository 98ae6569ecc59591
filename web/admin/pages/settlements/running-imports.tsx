/** Imports that are running, in this panel, in another one or on the command line, and how one is cancelled. A large file takes minutes. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Notice } from '../../kit/states.tsx'
import { may } from '../../session/session.ts'

const everyMs = 3000

type RunningImport = Answer<'GET /settlements/imports'>['imports'][number]

interface RunningImportsProps {
  /** The import of the dialog in which they are shown, which has a button of its own. */
  readonly own?: string
}

export function RunningImports({ own }: RunningImportsProps): JSX.Element | null {
  const { value, reload } = useReading('GET /settlements/imports', { everyMs })
  const toCancel = useSignal<RunningImport | null>(null)
  const close = (): void => {
    toCancel.value = null
  }
  const imports = value?.imports ?? []
  return (
    <>
      {imports.length > 0 && (
        <Notice>
          {imports.map((one) => (
            <div key={one.importId} class="running-import">
              <p role="status">
                {one.importId === own ? 'This file' : `A file of ${nameOf(one)}`}: {progressText(one)}
              </p>
              {one.importId !== own && may('settlements.write') && (
                <Button
                  small
                  onClick={() => {
                    toCancel.value = one
                  }}
                >
                  Cancel import
                </Button>
              )}
            </div>
          ))}
        </Notice>
      )}
      {toCancel.value && <CancelDialog of={toCancel.value} onDone={reload} onClose={close} />}
    </>
  )
}

const nameOf = ({ midId, midName }: RunningImport): string => midName ?? midId

function progressText({ phase, rows }: RunningImport): string {
  if (phase === 'waiting') return 'Waits for another import of this MID.'
  const count = new Intl.NumberFormat().format(rows)
  return phase === 'reading' ? `${count} rows read so far.` : `${count} rows read, now matched and booked.`
}

interface CancelDialogProps {
  readonly of: RunningImport
  readonly onDone: () => void
  readonly onClose: () => void
}

const CancelDialog = ({ of, onDone, onClose }: CancelDialogProps): JSX.Element => (
  <ConfirmDialog
    title="Cancel import"
    act="Cancel import"
    danger
    onConfirm={async () => {
      const result = await call('DELETE /settlements/imports/:importId', {
        params: { importId: of.importId },
        body: {},
      })
      onDone()
      return result
    }}
    onClose={onClose}
  >
    <p>
      Another user or the command line imports a file of {nameOf(of)}. Nothing of it will be kept, and the file can be
      imported again.
    </p>
  </ConfirmDialog>
)
