/** What both wallets need of the session that they pay for. */
import type { MethodView, SessionView } from '../checkout/page-api.ts'
import type { WalletCode } from './pay-session-types.ts'

export interface WalletDesk {
  readonly view: SessionView
  /** Sends the maker's token; false when nothing was paid, which the sheet shows. */
  pay(wallet: WalletCode, token: string): Promise<boolean>
  /** The maker's session object, unchanged. */
  session(validationUrl: string): Promise<unknown>
  failed(error: unknown): void
}

export function methodIn(view: SessionView, code: WalletCode): MethodView | null {
  return view.methods.find((method) => method.code === code && method.wallet !== null) ?? null
}

/** Makers give objects, and their simulator gives a text where an object would not be the same any more. */
export const tokenText = (token: unknown): string => (typeof token === 'string' ? token : JSON.stringify(token))
