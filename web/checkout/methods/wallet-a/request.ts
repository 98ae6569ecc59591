/** What the maker's sheet is asked for. Chapter 40 §17, "Request". */
import type { MethodView, SessionView } from '../../page-api.ts'
import type { WalletARequest } from './maker.ts'

/** Null without what the maker insists on. */
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
