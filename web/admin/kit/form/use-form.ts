/**
 * The values of a form, their faults, and whether they are saved. A refusal of the server is shown at the field that it names, so rules
 * need not be repeated here; `check` is only for faults that the page can report sooner.
 */
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import type { Fault, FieldFault, Result } from '../../api/call.ts'
import { guardLeaving } from '../../router/current-address.ts'

/** One field of a form, to be passed to an input: `<TextField at={form.at('email')} …>`. */
export interface FieldBinding<T> {
  readonly id: string
  readonly value: T
  readonly set: (value: T) => void
  readonly error: string | null
  /** For a value with members, the fault of each member. */
  readonly inner?: Readonly<Record<string, string>>
}

type FieldErrors<Values> = { readonly [Name in keyof Values]?: string | null }

interface FormOptions<Values, T> {
  readonly initial: Values
  readonly send: (values: Values) => Promise<Result<T>>
  readonly onDone?: (value: T, values: Values) => void
  readonly check?: (values: Values) => FieldErrors<Values>
  /** The server's field names, if they differ from the form's. */
  readonly paths?: { readonly [Name in keyof Values]?: string }
  /** False: the page may be left with unsaved values. */
  readonly guards?: boolean
}

export interface FormState<Values> {
  readonly values: Values
  readonly at: <Name extends keyof Values & string>(name: Name) => FieldBinding<Values[Name]>
  readonly set: (changes: Partial<Values>) => void
  readonly reset: (values?: Values) => void
  readonly submit: () => void
  readonly isDirty: boolean
  readonly isBusy: boolean
  /** The refusal as a whole, with the faults that belong to no visible field. */
  readonly fault: Fault | null
  readonly id: string
}

export function useForm<Values extends object, T>(options: FormOptions<Values, T>): FormState<Values> {
  const { initial, send, onDone, check, paths = {}, guards = true } = options
  const id = useId()
  const saved = useSignal(initial)
  const values = useSignal(initial)
  const errors = useSignal<FieldErrors<Values>>({})
  const fault = useSignal<Fault | null>(null)
  const fieldFaults = useSignal<readonly FieldFault[]>([])
  const busy = useSignal(false)
  const names = useRef(new Set<string>()).current
  const isDirty = isDifferent(values.value, saved.value)

  useEffect(() => (guards ? guardLeaving(() => isDifferent(values.peek(), saved.peek())) : undefined), [guards])

  const refuse = (refusal: Fault): void => {
    const pathOf = (name: string): string => Object.entries<unknown>(paths).find(([one]) => one === name)?.[1] as string
    const owner = (field: string): string | undefined =>
      [...names].find((name) => isWithin(field, pathOf(name) ?? name))
    const found = refusal.fields.map((one) => [owner(one.field), one] as const)
    errors.value = Object.fromEntries(
      found.flatMap(([name, { text }]) => (name === undefined ? [] : [[name, text]])),
    ) as FieldErrors<Values>
    fieldFaults.value = refusal.fields
    fault.value = { ...refusal, fields: found.flatMap(([name, one]) => (name === undefined ? [one] : [])) }
    focusFirstFault(id)
  }

  const submit = async (): Promise<void> => {
    if (busy.value) return
    errors.value = check?.(values.value) ?? {}
    fault.value = null
    if (Object.values(errors.value).some(Boolean)) return focusFirstFault(id)
    busy.value = true
    const sent = values.value
    const result = await send(sent)
    busy.value = false
    if (!result.ok) return refuse(result.fault)
    saved.value = sent
    onDone?.(result.value, sent)
  }

  const set = (changes: Partial<Values>): void => {
    values.value = { ...values.value, ...changes }
    const remaining = Object.entries(errors.value).filter(([name]) => !(name in changes))
    errors.value = Object.fromEntries(remaining) as FieldErrors<Values>
  }

  return {
    id,
    values: values.value,
    isDirty,
    isBusy: busy.value,
    fault: fault.value,
    set,
    submit: () => void submit(),
    reset: (next = saved.peek()) => {
      saved.value = next
      values.value = next
      errors.value = {}
      fault.value = null
    },
    at: (name) => {
      names.add(name)
      return {
        id: `${id}-${name}`,
        value: values.value[name],
        error: errors.value[name] ?? null,
        inner: errors.value[name] ? innerFaults(fieldFaults.value, name) : {},
        // TypeScript does not infer that the object has the one member `name`.
        set: (value) => set({ [name]: value } as unknown as Partial<Values>),
      }
    },
  }
}

const innerFaults = (faults: readonly FieldFault[], name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    faults
      .filter(({ field }) => field.startsWith(`${name}.`))
      .map(({ field, text }) => [field.slice(name.length + 1), text]),
  )

const isWithin = (field: string, name: string): boolean => field === name || field.startsWith(`${name}.`)

/** Values are plain data, so equal JSON means equal values. */
const isDifferent = (one: object, other: object): boolean => JSON.stringify(one) !== JSON.stringify(other)

function focusFirstFault(id: string): void {
  requestAnimationFrame(() => {
    const form = document.getElementById(id)
    const first =
      form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong="true"]') ??
      form?.querySelector<HTMLElement>('[role="alert"]')
    first?.focus()
    first?.scrollIntoView({ block: 'center' })
  })
}
