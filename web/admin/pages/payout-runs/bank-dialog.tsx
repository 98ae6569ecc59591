/** Imports a bank statement: marks payouts as paid, and recognises what acquirers paid. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../api/call.ts'
import { Dialog, DialogResult } from '../../kit/dialog.tsx'
import { importFault, readBase64 } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { Link } from '../../router/link.tsx'

interface BankDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

type Import = Answer<'POST /bank-statements'>

export function BankDialog({ onDone, onClose }: BankDialogProps): JSX.Element {
  const result = useSignal<Import | null>(null)
  const form = useForm<{ readonly file: File | null }, Import>({
    initial: { file: null },
    check: ({ file }) => ({ file: importFault(file, 'Get statements of shorter periods from the bank.') }),
    paths: { file: 'content' },
    send: async ({ file }) =>
      call('POST /bank-statements', {
        body: { name: file?.name ?? '', content: file === null ? '' : await readBase64(file) },
      }),
    onDone: (answer) => {
      result.value = answer
      onDone()
    },
    guards: false,
  })
  return (
    <Dialog title="Import bank statement" onClose={onClose}>
      {result.value === null ? (
        <Form form={form} act="Import" onCancel={onClose}>
          <FileField label="File" accept=".xml,text/xml" hint="ISO 20022 camt.053, up to 24 MB." at={form.at('file')} />
        </Form>
      ) : (
        <DialogResult onClose={onClose}>
          <ImportResult result={result.value} onLeave={onClose} />
        </DialogResult>
      )}
    </Dialog>
  )
}

interface ImportResultProps {
  readonly result: Import
  readonly onLeave: () => void
}

function ImportResult({ result, onLeave }: ImportResultProps): JSX.Element {
  const number = new Intl.NumberFormat()
  return (
    <Notice tone={result.reports.length + result.differences > 0 ? 'warn' : 'good'}>
      <div>
        <p>
          Lines: {number.format(result.lines)}, known before: {number.format(result.known)}. Payouts marked paid:{' '}
          {number.format(result.paidItems)}. Sums of acquirers: {number.format(result.received)}.
        </p>
        {result.differences > 0 && (
          <p>
            New differences: {number.format(result.differences)}.{' '}
            <Link to="/settlements?reportedBy=bank" onClick={onLeave}>
              Show differences
            </Link>
          </p>
        )}
        {result.reports.length > 0 && (
          <ul>
            {result.reports.map(({ ref, text }) => (
              <li key={ref}>
                {ref}: {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Notice>
  )
}
