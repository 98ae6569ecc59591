/**
 * Reads the `parameters` of a request by the rows of a brand. Violations come in the order of the rows, under the names that were
 * sent: `parameters[list][0][type]`. Parameters without a row are passed to the connector unchanged. Chapter 20 §1, §5.2.
 */

import { type Violation, violations } from '../errors.ts'
import { isObject } from '../json.ts'
import type { Exponents } from '../money/currencies.ts'
import type { Condition, OrderField, ParameterRow } from './parameter-row.ts'
import { valueFault } from './parameter-value.ts'

type Parameter = string | number | boolean | null | readonly Parameter[] | Parameters
export type Parameters = { readonly [name: string]: Parameter }

/** The order's values that conditions may refer to, and the currency of amounts. */
export interface OrderOfParameters {
  readonly currency: string | null
  readonly amount: string | null
  readonly payerCountry: string | null
  readonly crypto?: Exponents
}

interface ReadParameters {
  readonly violations: readonly Violation[]
  /** The values as sent, and the defaults of those not sent. */
  readonly values: Parameters
}

export function readParameters(
  rows: readonly ParameterRow[],
  sent: Parameters,
  order: OrderOfParameters,
): ReadParameters {
  return readMembers(rows, sent, order, 'parameters')
}

/** Checks the format that a brand demands of a parameter outside `parameters`, such as `identifier`. A missing one passes. */
export function schemaViolation(
  row: ParameterRow | null,
  param: string,
  value: string | null,
  order: OrderOfParameters,
): Violation | null {
  if (row === null || value === null || isBlank(value)) return null
  const text = valueFault(row, value, order)
  return text === null ? null : { param, text }
}

/** The parameters under the connector's names. */
export function translateParameters(rows: readonly ParameterRow[], values: Parameters): Parameters {
  const known = rows.flatMap((row): readonly [string, Parameter][] => {
    const value = ownValue(values, row.name)
    return value === undefined ? [] : [[row.forwardAs ?? row.name, translateValue(row, value)]]
  })
  return Object.fromEntries([...unknownMembers(rows, values), ...known])
}

/** Splits the parameters into those stored in the clear and those stored only encrypted. */
export function bySecrecy(
  rows: readonly ParameterRow[],
  values: Parameters,
): { readonly open: Parameters; readonly secret: Parameters } {
  const secrets = new Set(rows.filter(holdsSecret).map(({ name }) => name))
  const entries = Object.entries(values)
  return {
    open: Object.fromEntries(entries.filter(([name]) => !secrets.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => secrets.has(name))),
  }
}

/** An object with one secret member is secret as a whole. */
const holdsSecret = (row: ParameterRow): boolean => row.secret || row.rows.some(holdsSecret)

function readMembers(
  rows: readonly ParameterRow[],
  sent: Parameters,
  order: OrderOfParameters,
  path: string,
): ReadParameters {
  const values: Parameters = Object.fromEntries([...unknownMembers(rows, sent), ...rows.flatMap(sentOrDefault(sent))])
  const read = rows.map((row) => ({ row, ...readRow(row, values, order, `${path}[${row.name}]`) }))
  const nested = read.flatMap(({ row, value }): [string, Parameter][] =>
    value === undefined ? [] : [[row.name, value]],
  )
  return {
    violations: read.flatMap((one) => one.violations),
    values: Object.fromEntries([...Object.entries(values), ...nested]),
  }
}

const sentOrDefault =
  (sent: Parameters) =>
  (row: ParameterRow): readonly [string, Parameter][] => {
    const value = ownValue(sent, row.name)
    if (value !== undefined) return [[row.name, value]]
    return row.default === null ? [] : [[row.name, row.default]]
  }

interface ReadRow {
  readonly violations: readonly Violation[]
  readonly value: Parameter | undefined
}

function readRow(row: ParameterRow, values: Parameters, order: OrderOfParameters, param: string): ReadRow {
  const value = ownValue(values, row.name)
  if (value === undefined) {
    const missing = row.need === 'required' || (row.need === 'conditional' && isNeeded(row.when, values, order))
    return { value, violations: missing ? [{ param, text: violations.blank }] : [] }
  }
  if (row.type === 'list') return readList(row, value, order, param)
  if (row.type === 'object') {
    if (!isMembers(value)) return { value, violations: [{ param, text: violations.notValid }] }
    const read = readMembers(row.rows, value, order, param)
    return { value: read.values, violations: read.violations }
  }
  const text = typeof value === 'object' ? violations.notValid : valueFault(row, String(value), order)
  return { value, violations: text === null ? [] : [{ param, text }] }
}

/** A form writes a list as members named 0, 1, 2; JSON as an array. */
function readList(row: ParameterRow, value: Parameter, order: OrderOfParameters, param: string): ReadRow {
  const entries = entriesOf(value)
  const fits = entries !== null && entries.length >= (row.min ?? 0) && entries.length <= (row.max ?? entries.length)
  if (!fits || !entries.every(isMembers)) return { value, violations: [{ param, text: violations.notValid }] }
  const read = entries.map((entry, index) => readMembers(row.rows, entry, order, `${param}[${index}]`))
  return { value: read.map(({ values }) => values), violations: read.flatMap((one) => one.violations) }
}

function entriesOf(value: Parameter): readonly Parameter[] | null {
  if (isList(value)) return value
  if (!isMembers(value)) return null
  const names = Object.keys(value)
  return names.every((name, index) => name === String(index)) ? Object.values(value) : null
}

/** A condition on a value that is not known does not hold, and neither does its negation. */
function isNeeded(when: readonly Condition[], values: Parameters, order: OrderOfParameters): boolean {
  return when.every(({ field, op, values: asked }) => {
    const value = fieldOf(field, values, order)
    if (op === 'present') return value !== null
    if (op === 'absent') return value === null
    if (value === null) return false
    if (op === 'greater') return asked.every((bound) => isGreater(value, bound))
    return asked.includes(value) === (op === 'in')
  })
}

function fieldOf(field: string, values: Parameters, order: OrderOfParameters): string | null {
  const ofOrder: Readonly<Record<OrderField, string | null>> = {
    order_currency: order.currency,
    payer_country: order.payerCountry,
    order_amount: order.amount,
  }
  if (isOrderField(field, ofOrder)) return ofOrder[field]
  const value = ownValue(values, field)
  return value === undefined ? null : typeof value === 'object' ? '' : String(value)
}

const isOrderField = (field: string, ofOrder: Readonly<Record<OrderField, unknown>>): field is OrderField =>
  Object.hasOwn(ofOrder, field)

/** Compares decimals as texts, because a number would lose digits of a large or precise amount. */
function isGreater(value: string, bound: string): boolean {
  const decimal = /^(-?)([0-9]{1,40})(?:\.([0-9]{1,40}))?$/
  const scale = (text: string): bigint | null => {
    const [, sign, whole, fraction = ''] = decimal.exec(text) ?? []
    return whole === undefined ? null : BigInt(`${sign}${whole}${fraction.padEnd(40, '0')}`)
  }
  const [left, right] = [scale(value), scale(bound)]
  return left !== null && right !== null && left > right
}

function translateValue(row: ParameterRow, value: Parameter): Parameter {
  if (row.type === 'object' && isMembers(value)) return translateParameters(row.rows, value)
  if (row.type !== 'list' || !isList(value)) return value
  return value.map((entry) => (isMembers(entry) ? translateParameters(row.rows, entry) : entry))
}

function unknownMembers(rows: readonly ParameterRow[], values: Parameters): readonly [string, Parameter][] {
  const names = new Set(rows.map(({ name }) => name))
  return Object.entries(values).filter(([name]) => !names.has(name))
}

/** A blank value counts as not sent. */
function ownValue(values: Parameters, name: string): Parameter | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  return value === null || (typeof value === 'string' && isBlank(value)) ? undefined : value
}

const isBlank = (text: string): boolean => text.trim() === ''

const isList = (value: Parameter): value is readonly Parameter[] => Array.isArray(value)

const isMembers = (value: Parameter): value is Parameters => isObject(value)
