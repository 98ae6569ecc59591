/** Whether wallet B's button is shown: the maker's script says whether this browser can pay. Chapter 40 §17. */
import type { MethodView, SessionView } from '../../page-api.ts'
import { loadScript } from '../load-script.ts'
import { walletSimulator } from '../simulator.ts'
import { walletBClient, walletBRequest } from './maker.ts'

export async function isWalletBReady(session: SessionView, method: MethodView): Promise<boolean> {
  const { wallet } = method
  if (!wallet || wallet.environment === null || !window.isSecureContext) return false
  if (!window.google?.payments?.api?.PaymentsClient && wallet.script !== null) {
    await loadScript(wallet.script, wallet.script_integrity)
  }
  walletSimulator()?.configure({ merchantKey: wallet.merchant_key })
  const answer = await walletBClient(method)?.isReadyToPay(walletBRequest(session, method))
  return answer?.result === true
}
