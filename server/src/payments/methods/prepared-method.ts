/** A payment method for which a MID was chosen. */
import type { Choice } from '#domain/routing/choice.ts'
import type { NoCascadeReason } from '#domain/routing/ending.ts'
import type { WalletPayment } from '../../connectors/connector.ts'
import type { BrandFacts, JsonObject, Opening, TokenUse, WalletFacts } from '../../contracts/records.ts'
import type { ChosenMid } from '../routing/choose-mid.ts'
import type { UsableCard } from './card.ts'

export interface MethodParameters {
  /** What the payment's record shows: under the merchant's names, without secrets. */
  readonly shown: JsonObject
  /** What the acquirer gets, under the connector's names. */
  readonly sent: JsonObject
}

/** The parts of the payment method that the charge and the payment's record need. */
export interface PreparedMethod {
  readonly chosen: ChosenMid
  readonly card: UsableCard | null
  /** False if only the card's mask may be stored; absent means that the card is stored. */
  readonly storesCard?: boolean
  readonly wallet: {
    readonly payment: WalletPayment
    readonly facts: WalletFacts
    readonly tokenUses: readonly TokenUse[]
  } | null
  /** The brand's data for the MID that takes the payment; null if no brand is used. */
  readonly brandFactsAt: (choice: Choice) => BrandFacts | null
  /** Why a soft decline does not cascade to the next MID; null if it may. Chapter 20 §5.1, chapter 40 §9. */
  readonly noCascadeBecause: NoCascadeReason | null
  /** Absent where all parameters are both shown and sent. */
  readonly parameters?: MethodParameters | null
  readonly sealedData: Opening['sealedData']
  /** Whether 3-D Secure can authenticate the number: an entered or saved card, a wallet's funding number. */
  readonly canAuthenticate: boolean
}
