/** A condition or an action in a form: its value, its faults, and how to change it. */
import type { Json } from '../../../api/api-types.ts'
import type { FieldFault } from '../../../api/call.ts'
import type { FieldBinding } from '../../../kit/form/use-form.ts'
import type { Names } from '../names.ts'
import type { Members, Part } from './draft-rule.ts'
import type { FieldSpec } from './kinds.ts'
import { faultAt } from './use-faults.ts'

export interface PartProps {
  readonly id: string
  readonly part: Part
  /** With paths relative to the part. */
  readonly faults: readonly FieldFault[]
  readonly names: Names
  readonly set: (changes: Members) => void
}

export interface PartFieldProps extends PartProps {
  readonly row: FieldSpec
}

/** A member of a part, bound to an input. */
export const bindMember = <T extends Json>(
  { id, set, faults }: PartProps,
  name: string,
  value: T,
): FieldBinding<T> => ({
  id: `${id}-${name}`,
  value,
  error: faultAt(faults, name),
  set: (next) => set({ [name]: next }),
})
