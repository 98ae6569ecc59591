/** Compares any two versions of a rule set. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Dialog } from '../../../kit/dialog.tsx'
import { FieldRow, SelectField } from '../../../kit/form/fields.tsx'
import { rulesFrom } from '../rule/draft-rule.ts'
import { ChangesView } from './changes-view.tsx'

interface CompareDialogProps {
  /** Newest first. */
  readonly versions: readonly { readonly version: number; readonly rules: readonly unknown[] }[]
  /** Initially compared with the version before it. */
  readonly version: number
  readonly onClose: () => void
}

export function CompareDialog({ versions, version, onClose }: CompareDialogProps): JSX.Element {
  const from = useSignal(String(version - 1))
  const to = useSignal(String(version))
  const options = versions.map(({ version: number }) => ({ value: String(number), text: `Version ${number}` }))
  const nothing = { value: '0', text: 'No rules' }
  const rulesOf = (wanted: string) => rulesFrom(versions.find((one) => String(one.version) === wanted)?.rules ?? [])
  const at = (id: string, chosen: typeof from) => ({
    id,
    value: chosen.value,
    error: null,
    set: (value: string) => {
      chosen.value = value
    },
  })
  return (
    <Dialog title="Compare versions" shape="wide" onClose={onClose}>
      <FieldRow>
        <SelectField label="From" at={at('compare-from', from)} options={[...options, nothing]} />
        <SelectField label="To" at={at('compare-to', to)} options={options} />
      </FieldRow>
      <ChangesView before={rulesOf(from.value)} after={rulesOf(to.value)} />
    </Dialog>
  )
}
