/** Whether the payer is authenticated, by Checkout.com or by us. */
import type { ExternalThreeDs, Order } from '../connector.ts'
import type { CheckoutCredentials } from './credentials.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * `isNumberOnly`: the payer has proven nothing yet, which a wallet's cryptogram would. Authentication by Checkout.com needs a browser that
 * comes back.
 */
export function threeDsOf(
  order: Order,
  { three_ds: wanted = 'always' }: CheckoutCredentials,
  isNumberOnly: boolean,
): Fields {
  if (order.threeDs) return { '3ds': externalOf(order.threeDs) }
  const canBeAsked = order.payerPresent && !order.moto && order.returnUrl !== null && isNumberOnly
  if (!canBeAsked || wanted === 'never') return {}
  const isFirstOfSeries = order.recurringInit || order.storedCredential?.sequence === 'initial'
  return {
    '3ds': {
      enabled: wanted === 'always',
      // A card that takes no part in 3-D Secure is charged without it.
      ...(wanted === 'always' ? { attempt_n3d: true } : { allow_upgrade: true }),
      // Later charges without the payer rest on a challenge that was passed once.
      ...(isFirstOfSeries && { challenge_indicator: 'challenge_requested_mandate' }),
    },
    success_url: order.returnUrl,
    failure_url: order.returnUrl,
  }
}

function externalOf({ eci, authenticationValue, dsTransId, version, transStatus, xid }: ExternalThreeDs): Fields {
  return {
    enabled: true,
    eci,
    cryptogram: authenticationValue.reveal(),
    xid: version.startsWith('1') ? (xid ?? dsTransId) : dsTransId,
    version,
    ...(transStatus && { status: transStatus }),
  }
}
