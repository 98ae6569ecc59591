/** The record of a brand as text, validated while it is typed by the rules that the service applies when it is saved. */
import type { JSX } from 'preact'
import { readBrand } from '#domain/brand/brand-record.ts'
import { isObject } from '#domain/json.ts'
import { type Answer, type Body, call } from '../../api/call.ts'
import { TextArea } from '../../kit/form/fields.tsx'
import { Form } from '../../kit/form/form.tsx'
import { useForm } from '../../kit/form/use-form.ts'
import { Notice } from '../../kit/states.tsx'
import { toast } from '../../kit/toasts.tsx'
import { may } from '../../session/session.ts'

type Brand = Answer<'POST /brands'>

interface RecordEditorProps {
  readonly record: unknown
  /** The version of the record; 0 for a new brand. */
  readonly version: number
  readonly act: string
  readonly onSaved: (brand: Brand) => void
}

export function RecordEditor({ record, version, act, onSaved }: RecordEditorProps): JSX.Element {
  const form = useForm({
    initial: { record: JSON.stringify(record, null, 2) },
    check: ({ record: text }) => ({
      record: typeof parseRecord(text) === 'string' ? 'Correct the record first.' : null,
    }),
    send: ({ record: text }) => {
      const value = parseRecord(text)
      // A text is a fault, which `check` has refused above.
      const sent = (typeof value === 'string' ? {} : value) as Body<'POST /brands'>['record']
      return call('POST /brands', { body: { record: sent, over: version } })
    },
    onDone: (brand) => {
      toast(`Brand ${brand.code} saved.`)
      onSaved(brand)
    },
  })
  const faults = faultsOf(form.values.record)
  return (
    <Form form={form} act={act} always={may('brands.write')}>
      <TextArea
        label="Record in JSON"
        hint="The fields of a brand, as named in the documentation. Fields that the service sets are ignored."
        rows={24}
        mono
        disabled={!may('brands.write')}
        at={form.at('record')}
      />
      {faults.length > 0 && (
        <Notice tone="warn">
          <ul class="faults" aria-live="polite">
            {faults.map(({ field, text }) => (
              <li key={`${field} ${text}`}>
                <span class="mono">{field}</span> {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </Form>
  )
}

interface FaultLine {
  readonly field: string
  readonly text: string
}

function faultsOf(text: string): readonly FaultLine[] {
  const value = parseRecord(text)
  if (typeof value === 'string') return [{ field: 'record', text: value }]
  const reading = readBrand(value)
  return reading.ok ? [] : reading.faults
}

/** The parsed record, or a message why it cannot be parsed. */
function parseRecord(text: string): object | string {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : 'The record must be a JSON object.'
  } catch {
    return 'The text is not valid JSON.'
  }
}
