/** Whether wallet A's button is shown: rows 4 to 6 of chapter 40 §17, which only the browser can answer. */
import type { MethodView, WalletView } from '../../page-api.ts'
import { loadScript } from '../load-script.ts'
import { walletSimulator } from '../simulator.ts'
import { walletAVersion } from './maker.ts'

export async function isWalletAReady({ wallet }: MethodView): Promise<boolean> {
  if (!wallet || !window.isSecureContext) return false
  const builtIn = await hasBuiltIn(wallet)
  const maker = window.ApplePaySession
  if (!maker?.supportsVersion(walletAVersion) || !maker.canMakePayments()) return false
  // With the scan code the card is in the phone, of which this browser knows nothing.
  return !builtIn || wallet.merchant_id === null || maker.canMakePaymentsWithActiveCard(wallet.merchant_id)
}

/** Other browsers get the same object from the maker's script. */
async function hasBuiltIn({ script, script_integrity: integrity, merchant_key: key }: WalletView): Promise<boolean> {
  if (window.ApplePaySession) return true
  if (script === null || !(await loadScript(script, integrity))) return false
  const simulator = walletSimulator()
  if (!simulator) return false
  simulator.configure({ merchantKey: key })
  if (window.ApplePaySession) return true
  await simulator.makerScript()
  return false
}
