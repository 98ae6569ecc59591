/** What both wallets need of the session that they pay. */
import type { MethodView, SessionView } from '../checkout/page-api.ts'
import type { ErrorEvent, WalletCode } from './pay-session-types.ts'
import { textsIn } from './texts.ts'

export interface WalletSession {
  /** As it was last read. */
  readonly view: SessionView
  /** Sends the wallet's token; false if nothing was paid, which the sheet shows. `shown` is the session whose amount the sheet showed. */
  pay(wallet: WalletCode, token: string, shown: SessionView): Promise<boolean>
  /** The wallet provider's session object, unchanged. */
  requestMerchantSession(validationUrl: string): Promise<unknown>
  /** Closes a sheet if the session no longer matches it, and informs the form. Chapter 40 §13. */
  closeWhenSessionChanges(closed: AbortSignal, close: () => void): Promise<void>
  reportFailure(error: unknown): void
}

/** The same error as for a token whose order has changed, because a closed sheet yields no token to send. Chapter 40 §19.1. */
export const orderChanged: ErrorEvent = {
  code: 250004,
  message: 'Payment token does not match the order.',
  errors: [],
}

export const unsupportedError = (message: string): ErrorEvent => ({ code: 'unsupported', message, errors: [] })

/** Nothing was charged, because the amount is no longer the one that was shown. */
export const amountChanged = (language: string): ErrorEvent => ({
  code: 100_000,
  message: textsIn(language).amountChanged,
  errors: [],
})

export function methodIn(view: SessionView, code: WalletCode): MethodView | null {
  return view.methods.find((method) => method.code === code && method.wallet !== null) ?? null
}

/** Wallet providers return objects; their simulator returns a text if parsing would change it. */
export const tokenText = (token: unknown): string => (typeof token === 'string' ? token : JSON.stringify(token))
