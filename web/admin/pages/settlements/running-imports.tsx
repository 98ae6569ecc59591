/** Imports that are running, in this panel, in another one or on the command line, and how one is cancelled. A large file takes minutes. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Button } from '../../kit/button.tsx'
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx'
import { Notice } from '../../kit/states.tsx'
import { may } from '../../session/session.ts'

const everyMs = 3000

type RunningImport = Answer<'GET /settlements/imports'>['imports'][number]

/** With what shows the list anew. */
export interface ImportToCancel extends RunningImport {
  readonly onDone: () => void
}

type Choice = Signal<ImportToCancel | null>

interface ListProps {
  /** The import of the dialog in which they are shown, which has a button of its own. */
  readonly own?: string
  readonly toCancel: Choice
}

export function RunningImports(): JSX.Element {
  const toCancel = useSignal<ImportToCancel | null>(null)
  return (
    <>
      <RunningImportList toCancel={toCancel} />
      <CancelImport of={toCancel} />
    </>
  )
}

/** The question is asked elsewhere, because it has a form, and the list may be inside one. */
export function RunningImportList({ own, toCancel }: ListProps): JSX.Element | null {
  const { value, reload } = useReading('GET /settlements/imports', { everyMs })
  const imports = value?.imports ?? []
  if (imports.length === 0) return null
  return (
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
                toCancel.value = { ...one, onDone: reload }
              }}
            >
              Cancel import
            </Button>
          )}
        </div>
      ))}
    </Notice>
  )
}

const nameOf = ({ midId, midName }: RunningImport): string => midName ?? midId

function progressText({ phase, rows }: RunningImport): string {
  if (phase === 'waiting') return 'Waits for another import of this MID.'
  const count = new Intl.NumberFormat().format(rows)
  return phase === 'reading' ? `${count} rows read so far.` : `${count} rows read, now matched and booked.`
}

export function CancelImport({ of: { value: chosen }, of }: { readonly of: Choice }): JSX.Element | null {
  if (chosen === null) return null
  const { importId, onDone } = chosen
  return (
    <ConfirmDialog
      title="Cancel import"
      act="Cancel import"
      danger
      onConfirm={async () => {
        const result = await call('DELETE /settlements/imports/:importId', { params: { importId }, body: {} })
        onDone()
        return result
      }}
      onClose={() => {
        of.value = null
      }}
    >
      <p>
        This import of a file of {nameOf(chosen)} was started in another window or on the command line. Nothing of it
        will be kept, and the file can be imported again.
      </p>
    </ConfirmDialog>
  )
}
