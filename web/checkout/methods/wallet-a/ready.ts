/** Why wallet A's button is not shown: conditions 5 and 6 of chapter 40 §17, which only the browser can check. */
import type { BrowserReason, WalletView } from '../../page-api.ts'
import { loadScript } from '../load-script.ts'
import { walletSimulator } from '../simulator.ts'
import { walletAVersion } from './provider.ts'

export async function findMissingOfA(wallet: WalletView): Promise<BrowserReason | null> {
  const builtIn = await hasBuiltIn(wallet)
  const provider = window.ApplePaySession
  if (!provider?.supportsVersion(walletAVersion) || !provider.canMakePayments()) return 'browser unsupported'
  // With a scan code, the card is in the phone and cannot be checked from here.
  if (!builtIn || wallet.merchant_id === null) return null
  return (await provider.canMakePaymentsWithActiveCard(wallet.merchant_id)) ? null : 'no card'
}

/** Other browsers get the same object from the wallet provider's script. */
async function hasBuiltIn({
  script,
  script_integrity: integrity,
  merchant_public_id: id,
}: WalletView): Promise<boolean> {
  if (window.ApplePaySession) return true
  if (script === null || !(await loadScript(script, integrity))) return false
  const simulator = walletSimulator()
  if (!simulator) return false
  simulator.configure({ merchantKey: id })
  if (window.ApplePaySession) return true
  await simulator.makerScript()
  return false
}
