/** Where a merchant's hosted page is: at the service's address, or at a host of the merchant's own. Chapter 40 §8. */
import { checkoutUrl } from '#domain/address/checkout-host.ts'
import type { MappingOptions } from '#domain/mapping.ts'
import type { Merchant } from '#domain/merchant.ts'

/** Without a slash at its end. */
export type PageUrl = (merchant: Pick<Merchant, 'name'>, mapping: Pick<MappingOptions, 'ownHost'>) => string

/** `publicUrl` is the address under which browsers reach this service. */
export const pageUrlOf =
  (publicUrl: () => string, checkoutDomain: string | null): PageUrl =>
  ({ name }, { ownHost }) =>
    ownHost && checkoutDomain !== null ? checkoutUrl(name, checkoutDomain, publicUrl()) : publicUrl()
