/** An endpoint of the Checkout API: requests are JSON at an address of its own. */
import type { Exponents } from '#domain/money/currencies.ts'
import type { Ids, Log } from '../../contracts/ports.ts'
import type { SessionTokens } from '../../contracts/session-ports.ts'
import { type BaseCaller, type Definition, type RequestKind, requestKind } from '../kit/prepared.ts'
import type { ParamTable } from '../kit/values/params.ts'

export interface Caller extends BaseCaller {
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

export interface Endpoint extends RequestKind<Caller, Signed> {
  readonly path: string
}

export const endpoint = <Table extends ParamTable, Found = undefined, Done = unknown>(
  definition: Definition<Table, Found, Done, Caller, Signed> & { readonly path: string },
): Endpoint => ({ ...requestKind(definition), path: definition.path })
