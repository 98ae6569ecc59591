/** One rule as a form. It is added to the draft once the service finds no fault in it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { limits } from '#domain/limits.ts'
import { call, type Fault, type FieldFault } from '../../../api/call.ts'
import { Button } from '../../../kit/button.tsx'
import { Drawer } from '../../../kit/dialog.tsx'
import { FaultView } from '../../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { CheckField, FieldGroup, TextField } from '../../../kit/form/fields.tsx'
import { Notice } from '../../../kit/states.tsx'
import type { Names } from '../names.ts'
import { ConditionList } from './condition-list.tsx'
import { type DraftRule, isSame } from './draft-rule.ts'
import { actionKinds } from './kinds.ts'
import { PartForm } from './part-form.tsx'
import { ruleSentence } from './rule-sentence.ts'
import { NumberField } from './typed-fields.tsx'
import { faultAt, faultsBelow, useFaults } from './use-faults.ts'

interface RuleDrawerProps {
  readonly title: string
  readonly act: string
  readonly rule: DraftRule
  /** All rules of the draft with this one in its place. */
  readonly among: (rule: DraftRule) => { readonly rules: readonly DraftRule[]; readonly index: number }
  readonly names: Names
  readonly onDone: (rule: DraftRule) => void
  readonly onClose: () => void
}

export function RuleDrawer({ title, act, rule: initial, among, names, onDone, onClose }: RuleDrawerProps): JSX.Element {
  const id = useId()
  const rule = useSignal(initial)
  const busy = useSignal(false)
  const asking = useSignal(false)
  const isAsked = useSignal(false)
  const fault = useSignal<Fault | null>(null)
  const { rules, index } = among(rule.value)
  const isTouched = !isSame(rule.value, initial)
  const found = faultsBelow(useFaults(rules), String(index))
  // No faults are shown before the first input.
  const faults = isTouched || isAsked.value ? found : []
  const set = (changes: Partial<DraftRule>): void => {
    rule.value = { ...rule.value, ...changes }
  }
  const close = (): void => {
    if (isTouched) asking.value = true
    else onClose()
  }
  const submit = async (): Promise<void> => {
    if (busy.value) return
    isAsked.value = true
    busy.value = true
    const result = await call('POST /routing/validate', { body: { rules } })
    busy.value = false
    fault.value = result.ok ? null : result.fault
    if (!result.ok) return
    if (faultsBelow(result.value.faults, String(index)).length === 0) onDone(rule.value)
    else requestAnimationFrame(() => document.getElementById(id)?.querySelector<HTMLElement>(firstFault)?.focus())
  }
  return (
    <Drawer title={title} onClose={close}>
      <form
        id={id}
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <RuleFields id={id} rule={rule.value} faults={faults} names={names} set={set} />
        {fault.value && <FaultView fault={fault.value} />}
        <div class="form-actions">
          <Button type="submit" kind="primary" busy={busy.value}>
            {act}
          </Button>
          <Button kind="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
      {asking.value && (
        <ConfirmDialog
          title="Discard your changes?"
          act="Discard"
          danger
          onConfirm={async () => {
            onClose()
            return { ok: true, value: null }
          }}
          onClose={() => {
            asking.value = false
          }}
        >
          <p>Your changes to this rule are lost.</p>
        </ConfirmDialog>
      )}
    </Drawer>
  )
}

const firstFault = '[aria-invalid="true"], .wrong, [role="alert"]'

interface RuleFieldsProps {
  readonly id: string
  readonly rule: DraftRule
  readonly faults: readonly FieldFault[]
  readonly names: Names
  readonly set: (changes: Partial<DraftRule>) => void
}

function RuleFields({ id, rule, faults, names, set }: RuleFieldsProps): JSX.Element {
  const own = faults.filter(({ field }) => field === '')
  return (
    <>
      <TextField
        label="Name"
        hint="Shown in explanations."
        maxLength={100}
        at={{ id: `${id}-name`, value: rule.name, error: faultAt(faults, 'name'), set: (name) => set({ name }) }}
      />
      <p class="rule-reads" aria-live="polite">
        {ruleSentence(rule)}
      </p>
      {own.length > 0 && (
        <Notice tone="bad">
          <ul class="faults" role="alert" tabIndex={-1}>
            {own.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ConditionList
        id={`${id}-conditions`}
        conditions={rule.conditions}
        faults={faultsBelow(faults, 'conditions')}
        names={names}
        onChange={(conditions) => set({ conditions })}
      />
      <FieldGroup title="Then">
        <PartForm
          id={`${id}-action`}
          label="Action"
          table={actionKinds}
          part={rule.action}
          faults={faultsBelow(faults, 'action')}
          names={names}
          onChange={(action) => set({ action })}
        />
      </FieldGroup>
      <RuleEnds id={id} rule={rule} faults={faults} set={set} />
    </>
  )
}

const RuleEnds = ({ id, rule, faults, set }: Omit<RuleFieldsProps, 'names'>): JSX.Element => (
  <FieldGroup title="And">
    <NumberField
      label="Maximum MIDs to try"
      hint={`From 1 to ${limits.cascade.attemptsAtMost}. Leave empty to let later rules decide; the default is ${limits.cascade.attempts}.`}
      optional
      at={{
        id: `${id}-attempts`,
        value: rule.maximumAttempts,
        error: faultAt(faults, 'maximumAttempts'),
        set: (maximumAttempts) => set({ maximumAttempts }),
      }}
    />
    <CheckField
      label="Stop after this rule matches"
      at={{ id: `${id}-final`, value: rule.final, error: null, set: (final) => set({ final }) }}
    />
    <CheckField
      label="Enabled"
      at={{ id: `${id}-enabled`, value: rule.enabled, error: null, set: (enabled) => set({ enabled }) }}
    />
  </FieldGroup>
)
