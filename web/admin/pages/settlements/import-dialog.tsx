/** Imports a settlement file; a file with faults is refused with a report by line. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { randomUuid } from '../../../kit/random-uuid.ts'
import { call } from '../../api/call.ts'
import { useMidChoices } from '../../api/mids.ts'
import { upload } from '../../api/upload.ts'
import { Dialog, DialogResult } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/form/fields.tsx'
import { importFault } from '../../kit/form/file-bytes.ts'
import { FileField } from '../../kit/form/file-field.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Progress } from '../../kit/progress.tsx'
import { Notice } from '../../kit/states.tsx'
import { Link } from '../../router/link.tsx'
import { CancelImport, type ImportToCancel, RunningImportList } from './running-imports.tsx'
import type { ImportAnswer } from './settlement.ts'

interface Values {
  readonly midId: string
  readonly format: (typeof formats)[number]['value']
  readonly acquirerMid: string
  readonly file: File | null
}

const formats = [
  { value: 'common', text: 'Common CSV' },
  { value: 'adyen', text: 'Adyen: Settlement details report' },
  { value: 'stripe', text: 'Stripe: itemized payout reconciliation or balance change' },
  { value: 'paypal', text: 'PayPal: Settlement Report (STL)' },
  { value: 'checkout', text: 'Checkout.com: Financial Actions by Payout ID' },
  { value: 'cybersource', text: 'CyberSource: Payment Batch Detail Report' },
  { value: 'sandbox', text: 'Sandbox acquirer' },
] as const

/** Of the endpoint: ten million rows, about. */
const largestFile = 1_000_000_000
const megabyte = 1_000_000

interface ImportDialogProps {
  readonly onDone: () => void
  readonly onClose: () => void
}

export function ImportDialog({ onDone, onClose }: ImportDialogProps): JSX.Element {
  const mids = useMidChoices()
  const refusal = useSignal<ImportAnswer | null>(null)
  const done = useSignal<ImportAnswer | null>(null)
  const sentBytes = useSignal(0)
  const importId = useSignal('')
  const toCancel = useSignal<ImportToCancel | null>(null)
  const running = useRef<AbortController | null>(null)
  /** An import whose caller has gone changes nothing. */
  const cancel = (): void => {
    if (running.current === null) return
    running.current.abort()
    // The server notices the end of the connection only when it has read what was sent before.
    void call('DELETE /settlements/imports/:importId', { params: { importId: importId.value }, body: {} })
  }
  // However the dialog is left, also by going back.
  useEffect(() => cancel, [])
  const form = useForm<Values, ImportAnswer>({
    initial: { midId: '', format: 'common', acquirerMid: '', file: null },
    check: ({ midId, file }) => ({
      midId: midId === '' ? 'Select a MID.' : null,
      file: importFault(file, 'Ask the acquirer for files of shorter periods.', largestFile),
    }),
    send: async ({ midId, format, acquirerMid, file }) => {
      refusal.value = null
      sentBytes.value = 0
      importId.value = randomUuid()
      const own = new AbortController()
      running.current = own
      const result = await upload('POST /settlements/upload', {
        query: {
          importId: importId.value,
          midId,
          format,
          name: file?.name ?? '',
          acquirerMid: acquirerMid.trim() || undefined,
        },
        file: file ?? new File([], ''),
        signal: own.signal,
        onSent: (bytes) => {
          sentBytes.value = bytes
        },
      })
      running.current = null
      return result
    },
    onDone: (answer) => {
      if (answer.result === 'refused') {
        refusal.value = answer
        return
      }
      done.value = answer
      onDone()
    },
    guards: false,
  })
  if (done.value !== null)
    return (
      <Dialog title="Import settlement file" onClose={onClose}>
        <DialogResult onClose={onClose}>
          <Imported answer={done.value} onLeave={onClose} />
        </DialogResult>
      </Dialog>
    )
  return (
    <Dialog title="Import settlement file" onClose={onClose}>
      <Form form={form} act="Import" onCancel={onClose}>
        <SelectField
          label="MID"
          at={form.at('midId')}
          options={[{ value: '', text: 'Select a MID' }, ...mids.choices]}
        />
        <SelectField label="Format" options={formats} at={form.at('format')} />
        <TextField
          label="MID at the acquirer"
          hint="Needed only if the file does not identify the MID by its name."
          optional
          at={form.at('acquirerMid')}
        />
        <FileField
          label="File"
          accept=".csv,text/csv"
          hint="Up to 1 GB. A hundred thousand rows take a minute, a million a quarter of an hour."
          at={form.at('file')}
        />
        {form.isBusy && (
          <>
            <Sending file={form.values.file} sentBytes={sentBytes.value} />
            <RunningImportList own={importId.value} toCancel={toCancel} />
            <p class="hint">Closing this dialog cancels the import; nothing is imported then.</p>
          </>
        )}
        {refusal.value && (
          <Notice tone="bad">
            <div>
              <p>Nothing was imported. Faults: {new Intl.NumberFormat().format(refusal.value.faultCount)}.</p>
              <ul>
                {refusal.value.faults.map(({ line, text }) => (
                  <li key={`${line} ${text}`}>{line === 0 ? text : `Line ${line}: ${text}`}</li>
                ))}
              </ul>
            </div>
          </Notice>
        )}
      </Form>
      <CancelImport of={toCancel} />
    </Dialog>
  )
}

interface SendingProps {
  readonly file: File | null
  readonly sentBytes: number
}

/** The file is imported while it is sent, so that the rest takes little time. */
function Sending({ file, sentBytes }: SendingProps): JSX.Element {
  const size = file?.size ?? 0
  return (
    <Progress
      label="Sent"
      done={Math.floor(Math.min(sentBytes, size) / megabyte)}
      total={Math.ceil(size / megabyte)}
      unit="megabyte"
    />
  )
}

interface ImportedProps {
  readonly answer: ImportAnswer
  readonly onLeave: () => void
}

function Imported({ answer: { result, file }, onLeave }: ImportedProps): JSX.Element {
  const number = new Intl.NumberFormat()
  if (result === 'known' || file === null) return <Notice>This file was imported before. Nothing was changed.</Notice>
  const { id, rowCount, matched, openDifferences } = file
  return (
    <Notice tone={openDifferences > 0 ? 'warn' : 'good'}>
      <div>
        <p>
          File imported. Rows: {number.format(rowCount)}, matched: {number.format(matched)}, open differences:{' '}
          {number.format(openDifferences)}.
        </p>
        {openDifferences > 0 && (
          <p>
            <Link to={`/settlements?fileId=${id}`} onClick={onLeave}>
              Show differences
            </Link>
          </p>
        )}
      </div>
    </Notice>
  )
}
