/**
 * An action is a value: its parameters, what it names, its signature, what it does and how it answers, in one file each.
 *
 * `serve.ts` walks every action through the same steps in the same order, which is the order of precedence of errors.
 */
import type { Brand } from '#domain/brand/brand.ts'
import type { Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Side } from '#domain/merchant.ts'
import type { Formula } from '#domain/signature.ts'
import type { Operations } from '../../operations/index.ts'
import type { ParamTable, Values } from './params.ts'

/** Who asks, once the request has got past steps 3 to 6. */
export interface Caller {
  readonly merchant: Merchant
  readonly side: Side
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
  /** Test aid of the sandbox: close the connection instead. */
  readonly dropAnswer?: boolean
  /** What the log may say about the request. */
  readonly paymentId?: string
}

/** What a request names and what is not there, where an action names more than one thing. */
export interface Missing {
  readonly missing: Refusal
}

export interface ActionDefinition<Table extends ParamTable, Found, Done> {
  readonly name: string
  /** Short forms that mean this action. */
  readonly aliases?: readonly string[]
  /** Also answered to GET, with the parameters in the query string. */
  readonly byGet?: boolean
  readonly params: Table
  /** Step 8: what the request names. Null is unknown, answered with `unknown`. */
  readonly find?: (input: Values<Table>, caller: Caller) => Promise<Found | Missing | null>
  readonly unknown?: Refusal
  readonly signature: (input: Values<Table>, found: Found) => Signed
  /** `useId` goes into the intent, so that a repeated request finds what a dead process had begun. */
  readonly run: (input: Values<Table>, found: Found, caller: Caller, useId: string | null) => Promise<Done>
  readonly recall?: (caller: Caller, useId: string) => Promise<Done | null>
  readonly present: (done: Done, caller: Caller) => AnswerFields
  readonly tells?: (done: Done) => { readonly dropAnswer?: boolean; readonly paymentId?: string }
}

/** An action with its types closed over, so that actions of all kinds fit in one list. */
export interface Action {
  readonly names: readonly string[]
  readonly byGet: boolean
  readonly params: ParamTable
  prepare(input: Values<ParamTable>, caller: Caller): Promise<Prepared | Refusal>
}

/** A request whose entity was found: its signature is checked next, and only then it runs. */
export interface Prepared {
  readonly signed: Signed
  run(useId: string | null): Promise<Answered>
  recall(useId: string): Promise<Answered | null>
}

export function action<Table extends ParamTable, Found = undefined, Done = unknown>(
  definition: ActionDefinition<Table, Found, Done>,
): Action {
  const answered = (done: Done, caller: Caller): Answered => ({
    fields: definition.present(done, caller),
    ...definition.tells?.(done),
  })
  return {
    names: [definition.name, ...(definition.aliases ?? [])],
    byGet: definition.byGet ?? false,
    params: definition.params,
    prepare: async (values, caller) => {
      // `serve` read these values by this very table.
      const input = values as Values<Table>
      const found = definition.find ? await definition.find(input, caller) : (undefined as Found)
      if (found === null) return unknownOf(definition)
      if (isMissing(found)) return found.missing
      return {
        signed: definition.signature(input, found),
        run: async (useId) => answered(await definition.run(input, found, caller, useId), caller),
        recall: async (useId) => {
          const done = await definition.recall?.(caller, useId)
          return done === null || done === undefined ? null : answered(done, caller)
        },
      }
    },
  }
}

const isMissing = (found: unknown): found is Missing =>
  typeof found === 'object' && found !== null && 'missing' in found

function unknownOf({ name, unknown }: { readonly name: string; readonly unknown?: Refusal }): Refusal {
  if (!unknown) throw new Error(`${name} looks something up but does not say what an unknown one answers.`)
  return unknown
}
