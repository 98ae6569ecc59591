/** One row of a brand's parameter schema. Chapter 20 §5.2. */

export const parameterTypes = [
  'string',
  'digits',
  'integer',
  'amount',
  'email',
  'phone',
  'date',
  'datetime',
  'country',
  'enum',
  'boolean',
  'json',
  'object',
  'list',
] as const
export type ParameterType = (typeof parameterTypes)[number]

export const needs = ['required', 'conditional', 'optional'] as const
export const operators = ['in', 'not_in', 'present', 'absent', 'greater'] as const

/** The order's fields that a condition may refer to, in addition to other parameters. */
export const orderFields = ['order_currency', 'payer_country', 'order_amount'] as const
export type OrderField = (typeof orderFields)[number]

export interface ParameterRow {
  readonly name: string
  /** By language code; a missing title shows the name. */
  readonly title: Readonly<Record<string, string>>
  readonly type: ParameterType
  /** For a text the length in code points, for JSON the length in bytes, for a number the value, for a list the number of entries. */
  readonly min: number | null
  readonly max: number | null
  /** Must match the whole value. */
  readonly pattern: string | null
  readonly values: readonly string[]
  readonly need: (typeof needs)[number]
  /** The parameter is required when all of these hold. */
  readonly when: readonly Condition[]
  readonly collect: boolean
  readonly default: string | null
  readonly secret: boolean
  /** The name in the connector's request; null means the row's own name. */
  readonly forwardAs: string | null
  /** The members of an object, or of each entry of a list. */
  readonly rows: readonly ParameterRow[]
}

export interface Condition {
  readonly field: string
  readonly op: (typeof operators)[number]
  readonly values: readonly string[]
}

/** A row with a name, a type and a need, and defaults for the rest. */
export function parameterRow(
  name: string,
  type: ParameterType,
  need: ParameterRow['need'],
  more: Partial<ParameterRow> = {},
): ParameterRow {
  const plain = { min: null, max: null, pattern: null, values: [], when: [], collect: false, default: null, rows: [] }
  return { ...plain, name, title: {}, type, need, secret: false, forwardAs: null, ...more }
}
