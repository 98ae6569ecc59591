/** A card as the request names it: entered, or saved before. */
import type { Secret } from '#domain/secret.ts'

export type CardInput =
  | {
      readonly source: 'card'
      readonly number: Secret<string>
      /** Null for a payout, whose recipient's card has no known expiry. */
      readonly expiry: { readonly month: number; readonly year: number } | null
      readonly verificationCode: Secret<string> | null
    }
  | { readonly source: 'token'; readonly token: string; readonly verificationCode: Secret<string> | null }
