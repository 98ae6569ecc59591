/** What the rules of a member may look at besides its value. */

import type { Brand } from '#domain/brand/brand.ts'
import type { Merchant } from '#domain/merchant.ts'
import type { Exponents } from '#domain/money/currencies.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { Clock, Configuration } from '../../contracts/ports.ts'
import type { ValueTree } from '../kit/bodies/value-tree.ts'

export interface About {
  /** The whole request. */
  readonly body: ValueTree
  /** The merchant's calendar day. */
  readonly today: string
  /** The channels of the merchant's mappings; null is a mapping without one. */
  readonly channels: readonly (string | null)[]
  /** The brand of the catalogue with this code or alias, switched on or not. */
  readonly brand: (name: string) => Brand | null
  /** The operator's table of crypto currencies. */
  readonly crypto: Exponents
}

/** `merchant` is null while nobody has said who asks. */
export const aboutOf = (
  { clock, configuration }: { readonly clock: Clock; readonly configuration: Configuration },
  merchant: Merchant | null,
  body: ValueTree,
): About => ({
  body,
  today: dayIn(clock.now(), merchant?.timeZone ?? 'UTC'),
  channels: merchant ? configuration.candidates(merchant.id).map(({ mapping }) => mapping.channel) : [],
  brand: (name) => configuration.brand(name),
  crypto: configuration.cryptoCurrencies(),
})
