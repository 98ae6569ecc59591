/** The conditions of a rule, all of which must be met. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { FieldFault } from '../../../api/call.ts'
import { Button } from '../../../kit/button.tsx'
import { CheckField, FieldGroup } from '../../../kit/form/fields.tsx'
import type { Names } from '../names.ts'
import type { Part } from './draft-rule.ts'
import { conditionKinds, freshPart } from './kinds.ts'
import { PartForm } from './part-form.tsx'
import { faultsBelow } from './use-faults.ts'

interface ConditionListProps {
  readonly id: string
  readonly conditions: readonly Part[]
  /** By the index of the condition. */
  readonly faults: readonly FieldFault[]
  readonly names: Names
  readonly onChange: (conditions: readonly Part[]) => void
}

export function ConditionList({ id, conditions, faults, names, onChange }: ConditionListProps): JSX.Element {
  // Stable keys: the condition after a removed one moves up and must not inherit its input.
  const keys = useSignal(conditions.map((_, index) => index))
  const add = (): void => {
    keys.value = [...keys.value, Math.max(-1, ...keys.value) + 1]
    onChange([...conditions, freshPart(conditionKinds, 'currency')])
  }
  const remove = (index: number): void => {
    keys.value = keys.value.toSpliced(index, 1)
    onChange(conditions.toSpliced(index, 1))
  }
  return (
    <FieldGroup
      title="If"
      hint={
        conditions.length === 0 ? 'Without conditions the rule applies to every payment.' : 'All conditions must match.'
      }
    >
      {conditions.map((part, index) => {
        const own = `${id}-${keys.value[index]}`
        const change = (next: Part): void => onChange(conditions.toSpliced(index, 1, next))
        return (
          <fieldset key={own} class="condition" aria-label={`Condition ${index + 1}`}>
            <PartForm
              id={own}
              label={`Condition ${index + 1}`}
              table={conditionKinds}
              part={part}
              faults={faultsBelow(faults, String(index))}
              names={names}
              onChange={change}
            />
            <div class="condition-end">
              <CheckField
                label="Negate"
                at={{
                  id: `${own}-not`,
                  value: part['not'] === true,
                  error: null,
                  set: (not) => change({ ...part, not }),
                }}
              />
              <Button small kind="quiet" icon="close" onClick={() => remove(index)}>
                Remove
              </Button>
            </div>
          </fieldset>
        )
      })}
      <div>
        <Button small icon="plus" onClick={add}>
          Add condition
        </Button>
      </div>
    </FieldGroup>
  )
}
