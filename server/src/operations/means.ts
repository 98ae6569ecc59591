/** What a payment is paid with: as the request names it, and as it is once a MID was chosen for it. */
import type { Brand } from '#domain/brand/brand.ts'
import type { Wallet } from '#domain/mid.ts'
import type { Choice } from '#domain/routing/route.ts'
import type { Secret } from '#domain/secret.ts'
import type { WalletPayment } from '../connectors/connector.ts'
import type { BrandFacts, JsonObject, Opening, TokenUse, WalletFacts } from '../records.ts'
import { brandMeans } from './brand-means.ts'
import { type CardInput, type UsableCard, usableCard } from './card.ts'
import { type ChosenMid, chooseMid } from './choose-mid.ts'
import type { Deps } from './deps.ts'
import type { FirstStepRequest } from './first-step.ts'
import { enteredCard, needOf } from './need.ts'
import { walletMeans } from './wallet-means.ts'

export type Means =
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

export interface MeansParameters {
  /** What the payment's record shows: by the merchant's names, without secrets. */
  readonly shown: JsonObject
  /** What goes to the acquirer, by the names that it knows. */
  readonly sent: JsonObject
}

/** Everything that the charge and the payment's record need of the means. */
export interface ReadyMeans {
  readonly chosen: ChosenMid
  readonly card: UsableCard | null
  /** False when only the card's mask may stay; absent means that it is kept. */
  readonly cardKept?: boolean
  readonly wallet: {
    readonly payment: WalletPayment
    readonly facts: WalletFacts
    readonly tokenUses: readonly TokenUse[]
  } | null
  /** As it is at the MID that takes the payment; null where no brand is paid with. */
  readonly brandAt: (choice: Choice) => BrandFacts | null
  /** Whether a soft decline goes on to the next MID. Chapter 20 §5.1, chapter 40 §9. */
  readonly cascades: boolean
  /** Absent where all parameters are both shown and sent. */
  readonly parameters?: MeansParameters | null
  readonly kept: Opening['kept']
  /** A number that 3-D Secure can vouch for: an entered or saved card, a wallet's funding number. */
  readonly authenticable: boolean
}

export async function readyMeans(deps: Deps, request: FirstStepRequest, paymentId: string): Promise<ReadyMeans> {
  const { means } = request
  switch (means.kind) {
    case 'card':
      return cardMeans(deps, request, means.card, paymentId)
    case 'wallet':
      return walletMeans(deps, request, means, paymentId)
    case 'brand':
      return brandMeans(deps, request, means, paymentId)
  }
}

async function cardMeans(
  deps: Deps,
  request: FirstStepRequest,
  input: CardInput,
  paymentId: string,
): Promise<ReadyMeans> {
  const card = await usableCard(deps, request.merchant, request.side, input)
  const chosen = await chooseMid(deps, request.merchant.id, needOf(request, { card: enteredCard(card) }), paymentId)
  return { chosen, card, wallet: null, brandAt: () => null, cascades: true, kept: null, authenticable: true }
}
