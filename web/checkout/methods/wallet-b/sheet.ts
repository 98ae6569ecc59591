/** Wallet B's sheet, on which the payer confirms; its payment data is passed on unchanged. */
import type { MethodView, SessionView } from '../../page-api.ts'
import { walletBClient, walletBRequest } from './provider.ts'

/** The token as JSON text; null if the payer closed the sheet. */
export async function openWalletBSheet(session: SessionView, method: MethodView): Promise<string | null> {
  const data = await walletBClient(method)
    ?.loadPaymentData(walletBRequest(session, method))
    .catch(() => null)
  return data === null || data === undefined ? null : JSON.stringify(data)
}
