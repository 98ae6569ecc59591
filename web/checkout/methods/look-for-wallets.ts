/**
 * Finds the offered wallets that this browser and device support; the others get no button. Chapter 30 §7.7.
 *
 * For each missing wallet it reports once the first condition of chapter 40 §17 that fails here.
 */
import type { BrowserReason, MethodView } from '../page-api.ts'
import { tellMissing } from '../state/checkout.ts'
import { readyWallets, session } from '../state/session.ts'
import { findMissingOfA } from './wallet-a/ready.ts'
import { findMissingOfB } from './wallet-b/ready.ts'

export async function lookForWallets(): Promise<void> {
  const offered = session.value?.methods.filter(({ kind }) => kind === 'wallet') ?? []
  const missing = await Promise.all(offered.map((one) => whyMissing(one).catch(() => 'browser unsupported' as const)))
  readyWallets.value = offered.filter((_, at) => missing[at] === null).map(({ code }) => code)
  for (const [at, { code }] of offered.entries()) {
    const reason = missing[at]
    if (reason) tellMissing(code, reason)
  }
}

async function whyMissing(method: MethodView): Promise<BrowserReason | null> {
  const current = session.value
  if (!window.isSecureContext) return 'no https'
  if (!mayPayHere()) return 'frame'
  if (current && method.wallet && method.code === 'walletapay') return findMissingOfA(method.wallet)
  if (current && method.wallet && method.code === 'walletbpay') return findMissingOfB(current, method, method.wallet)
  return 'browser unsupported'
}

/** A frame without `allow="payment"` cannot open a payment sheet. Browsers that do not say are assumed to allow it. */
function mayPayHere(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy')
  if (typeof policy !== 'object' || policy === null) return true
  const allows: unknown = Reflect.get(policy, 'allowsFeature')
  return typeof allows !== 'function' || allows.call(policy, 'payment') !== false
}
