/** The context in which a merchant's parameters are validated, built once per request. */
import type { Merchant } from '#domain/merchant.ts'
import { dayIn } from '#domain/schedule/day.ts'
import type { Clock, Configuration } from '../../contracts/ports.ts'
import type { ReadingContext } from './values/reading.ts'

export interface ReadingParts {
  readonly configuration: Configuration
  readonly clock: Clock
  readonly sandbox: boolean
}

/** `merchant` is null for a request without a key. */
export const merchantReading = (
  { configuration, clock, sandbox }: ReadingParts,
  merchant: Merchant | null,
  request: Pick<ReadingContext, 'tree' | 'format' | 'mapping' | 'mode'>,
): ReadingContext => ({
  ...request,
  sandbox,
  checksTokens: true,
  today: dayIn(clock.now(), merchant?.timeZone ?? 'UTC'),
  channels: merchant ? configuration.candidates(merchant.id).map(({ mapping }) => mapping.channel) : [],
  brand: (name) => configuration.brand(name),
  crypto: configuration.cryptoCurrencies(),
})
