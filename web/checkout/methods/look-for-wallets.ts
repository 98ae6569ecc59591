/**
 * Which of the offered wallets this browser and device can pay with; the others have no button. Chapter 30 §7.7.
 *
 * The service is told why not: the first row of chapter 40 §17 that does not hold here, once for each wallet.
 */
import type { BrowserReason, MethodView } from '../page-api.ts'
import { tellMissing } from '../state/checkout.ts'
import { readyWallets, session } from '../state/session.ts'
import { missingOfA } from './wallet-a/ready.ts'
import { missingOfB } from './wallet-b/ready.ts'

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
  if (current && method.wallet && method.code === 'walletapay') return missingOfA(method.wallet)
  if (current && method.wallet && method.code === 'walletbpay') return missingOfB(current, method, method.wallet)
  return 'browser unsupported'
}

/** A frame without `allow="payment"` can open no sheet. Browsers that do not tell are taken to allow it. */
function mayPayHere(): boolean {
  const policy: unknown = Reflect.get(document, 'featurePolicy')
  if (typeof policy !== 'object' || policy === null) return true
  const allows: unknown = Reflect.get(policy, 'allowsFeature')
  return typeof allows !== 'function' || allows.call(policy, 'payment') !== false
}
