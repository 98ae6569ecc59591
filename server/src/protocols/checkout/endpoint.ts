/**
 * An endpoint of the Checkout API is a value: its members, what it names, its signature, what it does and how it answers, in one file
 * each. `serve.ts` walks every one through the same steps in the same order, which is the order of precedence of errors.
 */
import type { Brand } from '#domain/brand/brand.ts'
import type { Exponents } from '#domain/currencies.ts'
import type { Refusal } from '#domain/errors.ts'
import type { ProtocolMapping } from '#domain/mapping.ts'
import type { Merchant, Side } from '#domain/merchant.ts'
import type { Operations } from '../../operations/index.ts'
import type { Ids, Log } from '../../ports.ts'
import type { SessionTokens } from '../../session-ports.ts'
import type { Missing } from '../kit/action.ts'
import type { JsonMembers } from '../kit/json-body.ts'
import type { MemberTable, MemberValues } from '../kit/members.ts'

/** Who asks, once the request has got past merchant, mapping, address and rate. */
export interface Caller {
  readonly merchant: Merchant
  readonly side: Side
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

/** What the rules of a member may look at besides its value. */
export interface About {
  /** The whole request. */
  readonly body: JsonMembers
  /** The merchant's calendar day. */
  readonly today: string
  /** The channels of the merchant's mappings; null is a mapping without one. */
  readonly channels: readonly (string | null)[]
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
}

/** The names of chapter 30 §2.2 and the texts they stand for, exactly as sent. */
export interface Signed {
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
}

/** In their order; those that are undefined are left out. */
export type Members = Readonly<Record<string, unknown>>
export type Answer = Members | readonly Members[]

export interface Answered {
  readonly answer: Answer
  /** Test aid of the sandbox: close the connection instead. */
  readonly dropAnswer?: boolean
  /** What the log may say about the request. */
  readonly paymentId?: string
}

export interface EndpointDefinition<Table extends MemberTable<About>, Found, Done> {
  readonly path: string
  /** How log lines, metrics and the reference name it. */
  readonly name: string
  readonly members: Table
  /** What the request names. Null is unknown, answered with `unknown`. */
  readonly find?: (input: MemberValues<Table>, caller: Caller) => Promise<Found | Missing | null>
  readonly unknown?: Refusal
  readonly signature: (input: MemberValues<Table>) => Signed
  /** `useId` goes into the intent, so that a repeated request finds what a dead process had begun. */
  readonly run: (input: MemberValues<Table>, found: Found, caller: Caller, useId: string | null) => Promise<Done>
  readonly recall?: (caller: Caller, useId: string) => Promise<Done | null>
  readonly present: (done: Done, caller: Caller) => Answer | Promise<Answer>
  readonly tells?: (done: Done) => { readonly dropAnswer?: boolean; readonly paymentId?: string }
}

/** An endpoint with its types closed over, so that endpoints of all kinds fit in one list. */
export interface Endpoint {
  readonly path: string
  readonly name: string
  readonly members: MemberTable<About>
  prepare(input: MemberValues<MemberTable<About>>, caller: Caller): Promise<Prepared | Refusal>
}

/** A request whose entity was found: its signature is checked next, and only then it runs. */
export interface Prepared {
  readonly signed: Signed
  run(useId: string | null): Promise<Answered>
  recall(useId: string): Promise<Answered | null>
}

export function endpoint<Table extends MemberTable<About>, Found = undefined, Done = unknown>(
  definition: EndpointDefinition<Table, Found, Done>,
): Endpoint {
  const answered = async (done: Done, caller: Caller): Promise<Answered> => ({
    answer: await definition.present(done, caller),
    ...definition.tells?.(done),
  })
  const { path, name, members } = definition
  return {
    path,
    name,
    members,
    prepare: async (values, caller) => {
      // `serve` read these values by this very table.
      const input = values as MemberValues<Table>
      const found = definition.find ? await definition.find(input, caller) : (undefined as Found)
      if (found === null) return unknownOf(definition)
      if (isMissing(found)) return found.missing
      return {
        signed: definition.signature(input),
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
