/**
 * Documents the answers and callbacks of a protocol field by field. The real presenters run on payments of which everything is
 * known; then one attribute after the other is removed, and a field that disappears with it depends on it.
 */
import { defaultMapping, type ProtocolMapping } from '#domain/mapping.ts'
import type { Protocol } from '#domain/merchant.ts'
import type { PaymentFacts } from '#domain/payment/facts.ts'
import { fieldsFor, type Place } from '#domain/report-fields.ts'
import type { SigningKey } from '#domain/signature/signature.ts'
import type { Action } from '#server/protocols/kit/action.ts'
import type { TextTree } from '#server/protocols/kit/bodies/form.ts'
import { code, codes, table } from '../markdown.ts'
import type { Regions } from '../regions.ts'
import type { Case } from './answer-cases.ts'
import type { Conditions } from './answer-conditions.ts'
import { answerOf } from './rehearsal.ts'

/** A column of a table: the fields of one outcome. */
export interface FieldColumn {
  readonly result: string
  /** For a look-up: of which payment. */
  readonly of: string
  readonly statuses: readonly string[]
  /** Fields in their order, each with its condition; empty if it is always sent. */
  readonly fields: ReadonlyMap<string, string>
  /** The fields with the values of the example. */
  readonly example: Readonly<Record<string, unknown>>
  readonly reportFields: boolean
}

export interface ActionColumns {
  readonly action: string
  readonly answer: readonly FieldColumn[]
  readonly callback: readonly FieldColumn[]
}

/** A protocol as the reference documents it. */
interface DocumentedProtocol {
  readonly protocol: Protocol
  readonly actions: readonly Action[]
  readonly callbackFields: (facts: PaymentFacts, mapping: ProtocolMapping, key: SigningKey) => TextTree
  /** The outcomes of an action that executes something; none for any other. */
  readonly outcomes: (action: string, params: readonly string[]) => readonly Case[]
  readonly lookUps: readonly Case[]
  readonly conditions: Conditions
}

/** Every action in the order of the list; callbacks without an action come last. */
export async function documentProtocol(documented: DocumentedProtocol): Promise<readonly ActionColumns[]> {
  const called = documented.actions.map((action) => documentAction(documented, action))
  const callback = await callbacksOf(documented, documented.outcomes('CHARGEBACK', []))
  return [...(await Promise.all(called)), { action: 'CHARGEBACK', answer: [], callback }]
}

export function regionsOf(all: readonly ActionColumns[], prefix = ''): Regions {
  return Object.fromEntries(
    all.flatMap(({ action, answer, callback }) => [
      ...(answer.length > 0
        ? [[regionOf(`${prefix}answer`, action), () => columnTable(answer, 'addToStatus')] as const]
        : []),
      ...(callback.length > 0
        ? [[regionOf(`${prefix}callback`, action), () => columnTable(callback, 'addToCallback')] as const]
        : []),
    ]),
  )
}

export function regionOf(what: string, action: string): string {
  return `${what}-${action.toLowerCase().replaceAll('_', '-')}`
}

async function documentAction(documented: DocumentedProtocol, action: Action): Promise<ActionColumns> {
  const [name = ''] = action.names
  const outcomes = documented.outcomes(name, Object.keys(action.params))
  return {
    action: name,
    answer: await answersOf(documented, action, outcomes.length > 0 ? outcomes : documented.lookUps),
    callback: await callbacksOf(documented, outcomes),
  }
}

/** An answer that is always the same has one column: for actions that are only accepted, or not about a payment. */
async function answersOf(
  documented: DocumentedProtocol,
  action: Action,
  cases: readonly Case[],
): Promise<readonly FieldColumn[]> {
  const all = await Promise.all(
    cases.map((one) =>
      documentColumn(documented, one, 'status', (facts, selected) => {
        const mapping = { ...defaultMapping(documented.protocol), merchantId: '', addToStatus: selected }
        return answerOf(action, { facts, mapping })
      }),
    ),
  )
  const [first, ...others] = all
  const isSame = ({ result, fields }: FieldColumn): boolean =>
    result === first?.result && JSON.stringify([...fields]) === JSON.stringify([...first.fields])
  return first && others.every(isSame) ? [{ ...first, of: '' }] : all
}

function callbacksOf(documented: DocumentedProtocol, cases: readonly Case[]): Promise<readonly FieldColumn[]> {
  const key = { password: 'password', digest: 'md5' } as const
  return Promise.all(
    cases.map((one) =>
      documentColumn(documented, one, 'callback', async (facts, selected) => {
        const mapping = { ...defaultMapping(documented.protocol), merchantId: '', addToCallback: selected }
        return documented.callbackFields(facts, mapping, key)
      }),
    ),
  )
}

type PresentAnswer = (facts: PaymentFacts, selected: readonly string[]) => Promise<Readonly<Record<string, unknown>>>

async function documentColumn(
  documented: DocumentedProtocol,
  { heading: of, facts, statuses }: Case,
  place: Place,
  present: PresentAnswer,
): Promise<FieldColumn> {
  const whole = await present(facts, [])
  const selectable = fieldsFor(documented.protocol, place).map(({ name }) => name)
  const fields = new Map(Object.keys(whole).map((name) => [name, '']))
  for (const [words, without] of documented.conditions) {
    const less = await present(without(facts), [])
    // Later rows are more specific.
    for (const name of fields.keys()) if (!(name in less)) fields.set(name, words)
  }
  const withSelected = await present(facts, selectable)
  return {
    result: String(whole['result']),
    of,
    statuses,
    fields,
    example: whole,
    reportFields: Object.keys(withSelected).length > fields.size,
  }
}

function columnTable(columns: readonly FieldColumn[], option: string): string {
  const names = columns.map(({ fields }) => [...fields.keys()]).reduce(mergeOrders, [])
  const rows = names.map((name) => [code(name), ...columns.map((column) => cellOf(name, column))])
  const selectable = columns.some(({ reportFields }) => reportFields)
    ? [['[report fields](report-fields.md)', ...columns.map((column) => (column.reportFields ? code(option) : ''))]]
    : []
  return table(['Field', ...columns.map(headOf)], [...rows, ...selectable])
}

export const headOf = ({ result, of }: FieldColumn): string => (of === '' ? result : `${result}, ${of}`)

function cellOf(name: string, { fields, statuses }: FieldColumn): string {
  const condition = fields.get(name)
  if (condition === undefined) return ''
  if (name === 'status') return codes(statuses)
  return condition === '' ? 'yes' : condition
}

/** A common order of both lists. */
function mergeOrders(one: readonly string[], other: readonly string[]): readonly string[] {
  return other.reduce((all, name, index) => {
    if (all.includes(name)) return all
    const before = other[index - 1]
    const at = before === undefined ? 0 : all.indexOf(before) + 1
    return all.toSpliced(at, 0, name)
  }, one)
}
