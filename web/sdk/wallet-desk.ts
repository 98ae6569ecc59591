/** What both wallets need of the session that they pay for. */
import type { MethodView, SessionView } from '../checkout/page-api.ts'
import type { ErrorEvent, WalletCode } from './pay-session-types.ts'

export interface WalletDesk {
  /** As it was read last. */
  readonly view: SessionView
  /** Sends the maker's token; false when nothing was paid, which the sheet shows. */
  pay(wallet: WalletCode, token: string): Promise<boolean>
  /** The maker's session object, unchanged. */
  session(validationUrl: string): Promise<unknown>
  /** Closes a sheet when the session is no longer what it shows, and tells the form. Chapter 40 §13. */
  closeWhenMoved(closed: AbortSignal, close: () => void): Promise<void>
  failed(error: unknown): void
}

/** What the service would say of the token that a closed sheet would have given. Chapter 40 §19.1. */
export const orderChanged: ErrorEvent = {
  code: 250004,
  message: 'Payment token does not match the order.',
  errors: [],
}

export function methodIn(view: SessionView, code: WalletCode): MethodView | null {
  return view.methods.find((method) => method.code === code && method.wallet !== null) ?? null
}

/** Makers give objects, and their simulator gives a text where an object would not be the same any more. */
export const tokenText = (token: unknown): string => (typeof token === 'string' ? token : JSON.stringify(token))
