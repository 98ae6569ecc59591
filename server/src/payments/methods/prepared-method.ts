/** What a payment is paid with, once a MID was chosen for it. */
import type { Choice } from '#domain/routing/choice.ts'
import type { Stays } from '#domain/routing/ending.ts'
import type { WalletPayment } from '../../connectors/connector.ts'
import type { BrandFacts, JsonObject, Opening, TokenUse, WalletFacts } from '../../contracts/records.ts'
import type { ChosenMid } from '../routing/choose-mid.ts'
import type { UsableCard } from './card.ts'

export interface MethodParameters {
  /** What the payment's record shows: by the merchant's names, without secrets. */
  readonly shown: JsonObject
  /** What goes to the acquirer, by the names that it knows. */
  readonly sent: JsonObject
}

/** The parts of the payment method that the charge and the payment's record need. */
export interface PreparedMethod {
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
  /** Why a soft decline does not go on to the next MID; null where it does. Chapter 20 §5.1, chapter 40 §9. */
  readonly stays: Stays | null
  /** Absent where all parameters are both shown and sent. */
  readonly parameters?: MethodParameters | null
  readonly kept: Opening['kept']
  /** A number that 3-D Secure can vouch for: an entered or saved card, a wallet's funding number. */
  readonly authenticable: boolean
}
