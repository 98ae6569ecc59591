/** The address of a payment link, on the host of the merchant's hosted page. */
import { checkoutUrl } from '#domain/address/checkout-host.ts'
import type { Configuration } from '../../contracts/ports.ts'
import type { PaymentLinkRecord } from '../../contracts/session-records.ts'

interface LinkAddressContext {
  readonly configuration: Pick<Configuration, 'merchant' | 'mapping'>
  readonly checkoutDomain: string | null
  readonly publicUrl: () => string
}

export function linkAddress(
  { configuration, checkoutDomain, publicUrl }: LinkAddressContext,
  { merchantId, code }: Pick<PaymentLinkRecord, 'merchantId' | 'code'>,
): string {
  const merchant = configuration.merchant(merchantId)
  const ownHost = configuration.mapping(merchantId, 'CHECKOUT')?.ownHost === true
  const base =
    merchant && ownHost && checkoutDomain !== null
      ? checkoutUrl(merchant.name, checkoutDomain, publicUrl())
      : publicUrl()
  return `${base}/pay/${code}`
}
