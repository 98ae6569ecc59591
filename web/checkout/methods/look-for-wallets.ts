/** Which of the offered wallets this browser and device can pay with; the others have no button. Chapter 30 §7.7. */
import type { MethodView } from '../page-api.ts'
import { readyWallets, session } from '../state/session.ts'
import { isWalletAReady } from './wallet-a/ready.ts'
import { isWalletBReady } from './wallet-b/ready.ts'

export async function lookForWallets(): Promise<void> {
  const offered = session.value?.methods.filter(({ kind }) => kind === 'wallet') ?? []
  const allowed = offered.length > 0 && mayPayHere()
  const ready = await Promise.all(offered.map(async (one) => allowed && (await isReady(one).catch(() => false))))
  readyWallets.value = offered.filter((_, at) => ready[at]).map(({ code }) => code)
}

async function isReady(method: MethodView): Promise<boolean> {
  const current = session.value
  if (!current) return false
  if (method.code === 'walletapay') return isWalletAReady(method)
  return method.code === 'walletbpay' && isWalletBReady(current, method)
}

/** A frame without `allow="payment"` can open no sheet. Browsers that do not tell are taken to allow it. */
function mayPayHere(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy')
  if (typeof policy !== 'object' || policy === null) return true
  const allows: unknown = Reflect.get(policy, 'allowsFeature')
  return typeof allows !== 'function' || allows.call(policy, 'payment') !== false
}
