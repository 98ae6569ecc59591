/** The payment request for wallet A's sheet. Chapter 40 §17, "Request". */
import type { MethodView, SessionView } from '../../page-api.ts'
import type { WalletARequest } from './provider.ts'

/** Null if a value is missing that the wallet provider requires. */
export function walletARequest(
  { order, total }: Pick<SessionView, 'order' | 'total'>,
  { wallet }: MethodView,
): WalletARequest | null {
  if (!wallet || total === null) return null
  return {
    countryCode: wallet.country,
    currencyCode: order.currency,
    merchantCapabilities: wallet.capabilities,
    supportedNetworks: wallet.networks,
    total: { label: wallet.label, amount: total, type: 'final' },
    ...(wallet.application_data === null ? {} : { applicationData: wallet.application_data }),
  }
}
