/** What a payment is paid with, as the request names it. */
import type { Brand } from '#domain/brand/brand.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Secret } from '#domain/secret.ts'
import type { CardInput } from './card-input.ts'

export type PaymentMethod =
  | { readonly kind: 'card'; readonly card: CardInput }
  | {
      readonly kind: 'wallet'
      readonly wallet: Wallet
      /** As the merchant wrote it. */
      readonly sentAs: string
      readonly token: Secret<string>
      /** The parameter that held it, for the answer to one that is no token at all. */
      readonly param: string
      /** What a Checkout session asked the token to name; null on S2S. */
      readonly bindingValue: string | null
      /** The brand of the catalogue where the wallet is paid as one (S2S APM, Checkout); null on S2S CARD. */
      readonly brand: Brand | null
      /** Whom the merchant names to the provider, on S2S APM. */
      readonly identifier?: string | null
    }
  | {
      readonly kind: 'brand'
      readonly brand: Brand
      readonly sentAs: string
      readonly identifier: string | null
      readonly cryptoNetwork: string | null
    }
