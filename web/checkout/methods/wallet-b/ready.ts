/** Why wallet B's button is not shown: the wallet provider's script says whether this browser can pay. Chapter 40 §17. */
import type { BrowserReason, MethodView, SessionView, WalletView } from '../../page-api.ts'
import { loadScript } from '../load-script.ts'
import { walletSimulator } from '../simulator.ts'
import { walletBClient, walletBRequest } from './provider.ts'

export async function findMissingOfB(
  session: SessionView,
  method: MethodView,
  wallet: WalletView,
): Promise<BrowserReason | null> {
  if (wallet.environment === null) return 'browser unsupported'
  if (!window.google?.payments?.api?.PaymentsClient && wallet.script !== null) {
    await loadScript(wallet.script, wallet.script_integrity)
  }
  walletSimulator()?.configure({ merchantKey: wallet.merchant_public_id })
  const answer = await walletBClient(method)?.isReadyToPay(walletBRequest(session, method))
  return answer?.result === true ? null : 'browser unsupported'
}
