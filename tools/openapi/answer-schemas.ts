/** JSON Schemas of answers and callbacks, from the columns of the reference: one variant per outcome. */
import { type FieldColumn, headOf } from '../docs/answers/answers.ts'
import type { Schema } from './value-schemas.ts'

/** An answer that is always the same is its only variant. */
export function answerSchema(columns: readonly FieldColumn[]): Schema {
  const variants = columns.map(variantOf)
  const [only] = variants
  return variants.length === 1 && only ? only : { anyOf: variants }
}

function variantOf(column: FieldColumn): Schema {
  const { fields, statuses, example, result } = column
  const properties = Object.fromEntries(
    [...fields].map(([name, condition]) => [
      name,
      {
        ...fieldSchema(name, example[name], { statuses, result }),
        ...(condition === '' ? {} : { description: `Sent ${plainCondition(condition)}.` }),
      },
    ]),
  )
  return {
    title: headOf(column),
    type: 'object',
    properties,
    required: [...fields].flatMap(([name, condition]) => (condition === '' ? [name] : [])),
    ...(column.reportFields ? { description: 'The operator may add report fields.', additionalProperties: true } : {}),
  }
}

interface Heading {
  readonly statuses: readonly string[]
  readonly result: string
}

function fieldSchema(name: string, value: unknown, { statuses, result }: Heading): Schema {
  if (name === 'result') return { type: 'string', const: result }
  if (name === 'status') return { type: 'string', enum: statuses }
  // An object of names and values at `/post`, a list of them at `/v2/post`.
  if (name === 'redirect_params') return { type: ['object', 'array'] }
  return { type: typeOf(value) }
}

function typeOf(value: unknown): string | readonly string[] {
  // A rule of the schedule that is not set is shown as null, and set as a text or a number.
  if (value === null) return ['string', 'integer', 'null']
  if (Array.isArray(value)) return 'array'
  return typeof value === 'object' ? 'object' : typeof value
}

const plainCondition = (words: string): string => words.replaceAll('`', '')
