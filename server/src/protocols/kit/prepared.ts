/**
 * A kind of request is a value: its parameters, the entity it names, its signature, its operation and its answer, in one file each. All
 * protocols take the same steps in the same order (`serve.ts`); they differ in how they read and sign a request, and in what they add to
 * the caller.
 */
import type { Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Mode } from '#domain/merchant.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Operations } from '../../payments/index.ts'
import type { ParamTable, Values } from './values/params.ts'

/** The caller, after the checks of merchant, mapping, address and rate. */
export interface BaseCaller {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly mapping: ProtocolMapping
  readonly address: string
  /** The request's id in the log. */
  readonly requestId: string | undefined
  readonly operations: Operations
}

/** An answer's fields in their order; those that are undefined are left out. */
export type AnswerFields = Readonly<Record<string, unknown>>
export type Answer = AnswerFields | readonly AnswerFields[]

export interface NotedAnswer {
  readonly answer: Answer
  /** Noted in the log line of the request. */
  readonly paymentId?: string
}

/** The refusal for the missing entity, for requests that name more than one. */
export class MissingEntity {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

export const missingEntity = (refusal: Refusal): MissingEntity => new MissingEntity(refusal)

export const isMissing = (found: unknown): found is MissingEntity => found instanceof MissingEntity

export interface SentToken {
  readonly wallet: Wallet
  readonly token: string
  readonly orderId: string
}

export interface Definition<Table extends ParamTable, Found, Done, Caller, Signed> {
  /** How log lines, metrics and the reference name it. */
  readonly name: string
  /** In the order in which they are checked. */
  readonly params: Table
  /** Finds the entity that the request names. Null is answered with `unknown`. */
  readonly find?: (input: Values<Table>, caller: Caller) => Promise<Found | MissingEntity | null>
  readonly unknown?: Refusal
  readonly signature: (input: Values<Table>, found: Found) => Signed
  /** The wallet token in the request, whatever its shape. */
  readonly tokenIn?: (input: Values<Table>, caller: Caller) => SentToken | null
  /** `useId` is stored with the intent, so that a repeated request finds the payment that a dead process has begun. */
  readonly run: (input: Values<Table>, found: Found, caller: Caller, useId: string | null) => Promise<Done>
  readonly recall?: (caller: Caller, useId: string) => Promise<Done | null>
  readonly present: (done: Done, caller: Caller) => Answer | Promise<Answer>
  readonly logNotes?: (done: Done) => { readonly paymentId?: string }
}

/** A kind of request without its type parameters, so that all kinds of a protocol fit in one list. */
export interface RequestKind<Caller, Signed> {
  readonly name: string
  readonly params: ParamTable
  readonly prepare: (input: Values<ParamTable>, caller: Caller) => Promise<Preparation<Signed>>
}

type Preparation<Signed> = PreparedRequest<Signed> | { readonly kind: 'unknown'; readonly refusal: Refusal }

/** A request whose entity was found: its signature is checked next, and only then it runs. */
export interface PreparedRequest<Signed> {
  readonly kind: 'prepared'
  readonly signed: Signed
  token(): SentToken | null
  run(useId: string | null): Promise<NotedAnswer>
  recall(useId: string): Promise<NotedAnswer | null>
}

export function requestKind<Table extends ParamTable, Found, Done, Caller, Signed>(
  definition: Definition<Table, Found, Done, Caller, Signed>,
): RequestKind<Caller, Signed> {
  const { name, params } = definition
  // `serve` has read these values with the same table.
  return { name, params, prepare: (values, caller) => prepare(definition, values as Values<Table>, caller) }
}

async function prepare<Table extends ParamTable, Found, Done, Caller, Signed>(
  definition: Definition<Table, Found, Done, Caller, Signed>,
  input: Values<Table>,
  caller: Caller,
): Promise<Preparation<Signed>> {
  // Without `find`, `found` is undefined.
  const found = definition.find ? await definition.find(input, caller) : (undefined as Found)
  if (found === null) return { kind: 'unknown', refusal: unknownOf(definition) }
  if (isMissing(found)) return { kind: 'unknown', refusal: found.refusal }
  const answerTo = async (done: Done): Promise<NotedAnswer> => ({
    answer: await definition.present(done, caller),
    ...definition.logNotes?.(done),
  })
  return {
    kind: 'prepared',
    signed: definition.signature(input, found),
    token: () => definition.tokenIn?.(input, caller) ?? null,
    run: async (useId) => answerTo(await definition.run(input, found, caller, useId)),
    recall: async (useId) => {
      const done = await definition.recall?.(caller, useId)
      return done === null || done === undefined ? null : answerTo(done)
    },
  }
}

function unknownOf({ name, unknown }: { readonly name: string; readonly unknown?: Refusal }): Refusal {
  if (!unknown) throw new Error(`${name} looks something up but does not say what an unknown one answers.`)
  return unknown
}
