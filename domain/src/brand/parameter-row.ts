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

/** Facts of the order that a condition may ask for beside the other parameters. */
export const orderFields = ['order_currency', 'payer_country', 'order_amount'] as const
export type OrderField = (typeof orderFields)[number]

export interface ParameterRow {
  readonly name: string
  /** By language code; without one the name is shown. */
  readonly title: Readonly<Record<string, string>>
  readonly type: ParameterType
  /** Of texts the length in code points, of a JSON text in bytes, of numbers the value, of a list the number of its entries. */
  readonly min: number | null
  readonly max: number | null
  /** Matches the whole value. */
  readonly pattern: string | null
  readonly values: readonly string[]
  readonly need: (typeof needs)[number]
  /** All must hold. */
  readonly when: readonly Condition[]
  readonly collect: boolean
  readonly default: string | null
  readonly secret: boolean
  /** The name in the connector's request; null keeps the row's. */
  readonly forwardAs: string | null
  /** Of an object its members, of a list those of each entry. */
  readonly rows: readonly ParameterRow[]
}

export interface Condition {
  readonly field: string
  readonly op: (typeof operators)[number]
  readonly values: readonly string[]
}

/** A row that says nothing but its name, type and need. */
export function parameterRow(
  name: string,
  type: ParameterType,
  need: ParameterRow['need'],
  more: Partial<ParameterRow> = {},
): ParameterRow {
  const plain = { min: null, max: null, pattern: null, values: [], when: [], collect: false, default: null, rows: [] }
  return { ...plain, name, title: {}, type, need, secret: false, forwardAs: null, ...more }
}
