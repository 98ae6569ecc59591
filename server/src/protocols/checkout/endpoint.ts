/**
 * An endpoint of the Checkout API is a value: its parameters, what it names, its signature, what it does and how it answers, in one file
 * each. `serve.ts` walks every one through the same steps in the same order, which is the order of precedence of errors.
 */

import type { Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import type { SessionTokens } from '../../contracts/session-ports.ts'
import type { Operations } from '../../payments/index.ts'
import { type Prepared, prepare, type Step } from '../kit/prepared.ts'
import type { ParamTable, Values } from '../kit/values/params.ts'

/** Who asks, once the request has got past merchant, mapping, address and rate. */
export interface Caller {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly mapping: ProtocolMapping
  readonly address: string
  /** By which the log names the request. */
  readonly requestId: string | undefined
  readonly operations: Operations
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
  readonly tokens: SessionTokens
  /** The address under which browsers reach the merchant's hosted page, without a slash at its end. */
  readonly pageUrl: string
  readonly ids: Ids
  readonly log: Log
  /** Whether the merchant has an approved form of this name. */
  hasForm(formId: string): Promise<boolean>
}

/** The names of chapter 30 §2.2 and the texts they stand for, exactly as sent. */
export interface Signed {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
}

/** In their order; those that are undefined are left out. */
export type Members = Readonly<Record<string, unknown>>
type Answer = Members | readonly Members[]

export interface Answered {
  readonly answer: Answer
  /** What the log may say about the request. */
  readonly paymentId?: string
}

interface EndpointDefinition<Table extends ParamTable, Found, Done>
  extends Step<Values<Table>, Found, Done, Caller, Signed> {
  readonly path: string
  readonly params: Table
  readonly present: (done: Done, caller: Caller) => Answer | Promise<Answer>
  readonly tells?: (done: Done) => { readonly paymentId?: string }
}

/** An endpoint with its types closed over, so that endpoints of all kinds fit in one list. */
export interface Endpoint {
  readonly path: string
  readonly name: string
  readonly params: ParamTable
  prepare(input: Values<ParamTable>, caller: Caller): Promise<PreparedEndpoint | Refusal>
}

export type PreparedEndpoint = Prepared<Signed, Answered>

export function endpoint<Table extends ParamTable, Found = undefined, Done = unknown>(
  definition: EndpointDefinition<Table, Found, Done>,
): Endpoint {
  const { path, name, params } = definition
  return {
    path,
    name,
    params,
    // `serve` read these values by this very table.
    prepare: (values, caller) =>
      prepare(definition, values as Values<Table>, caller, async (done) => ({
        answer: await definition.present(done, caller),
        ...definition.tells?.(done),
      })),
  }
}
