/** Wallet B through its provider's script, which also draws the button. Chapter 30 §9.1, chapter 40 §17. */
import { walletBClient, walletBRequest } from '../checkout/methods/wallet-b/provider.ts'
import type { MethodView, SessionView } from '../checkout/page-api.ts'
import type { WalletButtonOptions } from './pay-session-types.ts'
import { methodIn, tokenText, type WalletSession } from './wallet-session.ts'

const usualButton: Required<WalletButtonOptions> = {
  buttonColor: 'default',
  buttonType: 'buy',
  buttonRadius: 4,
  buttonLocale: 'en',
  buttonSizeMode: 'fill',
}

export async function canPayWithB(view: SessionView, method: MethodView): Promise<boolean> {
  try {
    return (await walletBClient(method)?.isReadyToPay(walletBRequest(view, method)))?.result === true
  } catch {
    return false
  }
}

/** The provider's button; null if its script is not loaded. */
export function buttonOfB(session: WalletSession, options: WalletButtonOptions): HTMLElement | null {
  const method = methodIn(session.view, 'walletbpay')
  if (method === null) return null
  const look = { ...usualButton, ...options }
  return walletBClient(method)?.createButton({ ...look, onClick: () => void pay(session, method) }) ?? null
}

async function pay(session: WalletSession, method: MethodView): Promise<void> {
  const open = new AbortController()
  const { view } = session
  let stale = false
  try {
    const sheet = walletBClient(method)?.loadPaymentData(walletBRequest(view, method))
    // This sheet cannot be closed from outside: its result is discarded instead, because its token contains no amount.
    void session.closeWhenSessionChanges(open.signal, () => {
      stale = true
    })
    const token = await sheet
    if (!stale) await session.pay('walletbpay', tokenText(token), view)
  } catch (error) {
    // A sheet that the payer closed is no failure.
    if (Reflect.get(Object(error), 'statusCode') !== 'CANCELED') session.reportFailure(error)
  } finally {
    open.abort()
  }
}
