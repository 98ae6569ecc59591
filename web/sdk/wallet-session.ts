/** What both wallets need of the session that they pay. */
import type { MethodView, SessionView } from '../checkout/page-api.ts'
import type { ErrorEvent, WalletCode } from './pay-session-types.ts'

export interface WalletSession {
  /** As it was last read. */
  readonly view: SessionView
  /** Sends the wallet's token; false if nothing was paid, which the sheet shows. */
  pay(wallet: WalletCode, token: string): Promise<boolean>
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

export function methodIn(view: SessionView, code: WalletCode): MethodView | null {
  return view.methods.find((method) => method.code === code && method.wallet !== null) ?? null
}

/** Wallet providers return objects; their simulator returns a text if parsing would change it. */
export const tokenText = (token: unknown): string => (typeof token === 'string' ? token : JSON.stringify(token))
