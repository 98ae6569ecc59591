/**
 * An action is a value: its parameters, what it names, its signature, what it does and how it answers, in one file each.
 *
 * `serve.ts` walks every action through the same steps in the same order, which is the order of precedence of errors.
 */
import type { Brand } from '#domain/brand/brand.ts'
import type { Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import type { Formula } from '#domain/signature/signature.ts'
import type { Operations } from '../../payments/index.ts'
import { type Prepared, prepare, type Step } from './prepared.ts'
import type { ParamTable, Values } from './values/params.ts'

/** Who asks, once the request has got past steps 3 to 6. */
export interface Caller {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly mapping: ProtocolMapping
  readonly address: string
  /** By which the log names the request. */
  readonly requestId?: string | undefined
  readonly operations: Operations
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** The address the request came in on, where it changes the answer's shape. */
  readonly path: string
}

/** The formula a request is signed with and the values it covers. */
export interface Signed {
  readonly formula: Formula
  /** Other formulas over the same values, any of which is as good. */
  readonly orElse?: readonly Formula[]
  readonly values: Readonly<Record<string, string | undefined>>
}

/** An answer's fields in their order; those that are undefined are left out. */
export type AnswerFields = Readonly<Record<string, unknown>>

export interface Answered {
  readonly fields: AnswerFields
  /** What the log may say about the request. */
  readonly paymentId?: string
}

interface ActionDefinition<Table extends ParamTable, Found, Done>
  extends Step<Values<Table>, Found, Done, Caller, Signed> {
  /** Short forms that mean this action. */
  readonly aliases?: readonly string[]
  /** Also answered to GET, with the parameters in the query string. */
  readonly byGet?: boolean
  readonly params: Table
  readonly present: (done: Done, caller: Caller) => AnswerFields
  readonly tells?: (done: Done) => { readonly paymentId?: string }
}

/** An action with its types closed over, so that actions of all kinds fit in one list. */
export interface Action {
  readonly names: readonly string[]
  readonly byGet: boolean
  readonly params: ParamTable
  prepare(input: Values<ParamTable>, caller: Caller): Promise<PreparedAction | Refusal>
}

export type PreparedAction = Prepared<Signed, Answered>

export function action<Table extends ParamTable, Found = undefined, Done = unknown>(
  definition: ActionDefinition<Table, Found, Done>,
): Action {
  return {
    names: [definition.name, ...(definition.aliases ?? [])],
    byGet: definition.byGet ?? false,
    params: definition.params,
    // `serve` read these values by this very table.
    prepare: (values, caller) =>
      prepare(definition, values as Values<Table>, caller, (done) => ({
        fields: definition.present(done, caller),
        ...definition.tells?.(done),
      })),
  }
}
