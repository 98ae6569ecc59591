/** Imports entries from a CSV file; a file with faults is refused with a report by line. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { readBase64 } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'

type ImportAnswer = Answer<'POST /risk-entries/import'>

interface ImportDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ImportDialog({ onDone, onClose }: ImportDialogProps): JSX.Element {
  const refusal = useSignal<ImportAnswer | null>(null)
  const number = new Intl.NumberFormat()
  const form = useForm<{ readonly file: File | null }, ImportAnswer>({
    initial: { file: null },
    guards: false,
    paths: { file: 'content' },
    check: ({ file }) => ({ file: file === null || file.size === 0 ? 'Select a file.' : null }),
    send: async ({ file }) =>
      call('POST /risk-entries/import', { body: { content: file === null ? '' : await readBase64(file) } }),
    onDone: (answer) => {
      if (answer.faultCount > 0) {
        refusal.value = answer
        return
      }
      toast(`${number.format(answer.added)} entries added, ${number.format(answer.changed)} changed.`)
      onDone()
      onClose()
    },
  })
  return (
    <Dialog title="Import entries" onClose={onClose}>
      <Form form={form} act="Import" onCancel={onClose} always>
        <p>
          The first line is <code>merchant,list,kind,value,reason,expires</code>. An empty merchant means all. Export
          writes the same form.
        </p>
        <FileField label="File" accept=".csv,text/csv" hint="Up to 6 MB and 50,000 rows." at={form.at('file')} />
        {refusal.value && (
          <Notice tone="bad">
            <p>Nothing was imported. {number.format(refusal.value.faultCount)} faults:</p>
            <ul>
              {refusal.value.faults.map(({ line, text }) => (
                <li key={`${line} ${text}`}>{line === 0 ? text : `Line ${line}: ${text}`}</li>
              ))}
            </ul>
          </Notice>
        )}
      </Form>
    </Dialog>
  )
}
