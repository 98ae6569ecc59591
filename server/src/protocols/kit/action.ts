/** An action of the S2S protocols: requests are forms that name it. */
import type { Brand } from '#domain/brand/brand.ts'
import type { Formula } from '#domain/signature/signature.ts'
import { type BaseCaller, type Definition, type RequestKind, requestKind } from './prepared.ts'
import type { ParamTable } from './values/params.ts'

export interface Caller extends BaseCaller {
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** The address the request came in on, where it changes the answer's shape. */
  readonly path: string
}

/** The formula a request is signed with and the values it covers. */
export interface Signed {
  readonly formula: Formula
  /** Other formulas over the same values, each of which is accepted too. */
  readonly orElse?: readonly Formula[]
  readonly values: Readonly<Record<string, string | undefined>>
}

interface ActionDefinition<Table extends ParamTable, Found, Done>
  extends Definition<Table, Found, Done, Caller, Signed> {
  /** Short forms that mean this action. */
  readonly aliases?: readonly string[]
  /** Also answered to GET, with the parameters in the query string. */
  readonly byGet?: boolean
}

export interface Action extends RequestKind<Caller, Signed> {
  readonly names: readonly string[]
  readonly byGet: boolean
}

export const action = <Table extends ParamTable, Found = undefined, Done = unknown>(
  definition: ActionDefinition<Table, Found, Done>,
): Action => ({
  ...requestKind(definition),
  names: [definition.name, ...(definition.aliases ?? [])],
  byGet: definition.byGet ?? false,
})
