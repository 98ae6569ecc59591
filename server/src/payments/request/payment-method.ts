/** The payment method as the request names it. */
import type { Brand } from '#domain/brand/brand.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Secret } from '#domain/secret.ts'
import type { CardInput } from './card-input.ts'

export type PaymentMethod =
  | { readonly kind: 'card'; readonly card: CardInput }
  | {
      readonly kind: 'wallet'
      readonly wallet: Wallet
      /** The name as the merchant wrote it. */
      readonly sentAs: string
      readonly token: Secret<string>
      /** The parameter that held the token; the error for a malformed token names it. */
      readonly param: string
      /** The value that binds the token to its Checkout session; null on S2S. */
      readonly bindingValue: string | null
      /** The wallet's brand in the catalogue (S2S APM, Checkout); null on S2S CARD. */
      readonly brand: Brand | null
      /** The payer's identifier at the provider, on S2S APM. */
      readonly identifier?: string | null
    }
  | {
      readonly kind: 'brand'
      readonly brand: Brand
      readonly sentAs: string
      readonly identifier: string | null
      readonly cryptoNetwork: string | null
    }
