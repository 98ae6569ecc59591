/** What stands in the fields of a dialect's message. A dialect does not change once its MID is loaded, so that its templates are read once. */
import { FieldError } from './codec/field.ts'
import { writeSubfields } from './codec/subfields.ts'
import type { Dialect, DialectMessage, FieldTemplates } from './dialect.ts'
import { compileTemplate, namesIn, type Values } from './template.ts'

interface MessageLayout {
  readonly fields: readonly FieldLayout[]
  /** The names of all values that the message can carry. */
  readonly names: ReadonlySet<string>
}

interface FieldLayout {
  readonly number: number
  /** Null if the field is left out. */
  readonly fill: (values: Values) => string | null
}

const layouts = new WeakMap<DialectMessage, MessageLayout>()

export function layoutOf(dialect: Dialect, message: DialectMessage): MessageLayout {
  const known = layouts.get(message)
  if (known) return known
  const templates = Object.entries(templatesOf(dialect, message))
  const layout = {
    fields: templates.map(([number, template]) => ({
      number: Number(number),
      fill: compileField(dialect, number, template),
    })),
    names: new Set(templates.flatMap(([, template]) => textsOf(template).flatMap(namesIn))),
  }
  layouts.set(message, layout)
  return layout
}

export const templatesOf = (dialect: Dialect, { with: groups = [], fields = {} }: DialectMessage): FieldTemplates =>
  Object.assign({}, ...groups.map((group) => dialect.groups[group]), fields)

export const textsOf = (template: FieldTemplates[string]): readonly string[] =>
  typeof template === 'string' ? [template] : Object.values(template)

function compileField(dialect: Dialect, number: string, template: FieldTemplates[string]): FieldLayout['fill'] {
  if (typeof template === 'string') return compileTemplate(template)
  const format = dialect.subfields[number]
  if (!format) throw new FieldError(`The elements of field ${number} have no format.`)
  const elements = Object.entries(template).map(([tag, text]) => [tag, compileTemplate(text)] as const)
  return (values) => {
    const written = elements.flatMap(([tag, fill]) => {
      const value = fill(values)
      return value === null ? [] : [[tag, value] as const]
    })
    return written.length === 0 ? null : writeSubfields(format, written)
  }
}
