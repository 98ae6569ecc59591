/** The outcomes of wallet payments: the last column of chapter 40 §20.2. The simulator defines the cards. */
import { type CardOutcome, cardByNumber, cardNamed, type SimulatorCard, simulatorCards } from '../../wallet/cards.ts'
import {
  approval,
  declinedByProcessing,
  type Particulars,
  pendingUntil,
  type Trigger,
  triggerOf,
  tryAgainLater,
  type Verdict,
} from '../verdict.ts'
import { isTestCard } from './triggers.ts'

/** The simulator's record of a minted token: its card, and the kind of number that it contains. */
export interface TokenRecord {
  cardOf(tokenText: string): { readonly card: string; readonly panType: string } | null
}

export const noTokens: TokenRecord = { cardOf: () => null }

/** A token that arrives encrypted. One that the simulator did not mint comes from a real device, and is approved. */
export function tokenTrigger(token: string, tokens: TokenRecord): Trigger {
  const minted = tokens.cardOf(token)
  const card = minted && cardNamed(minted.card)
  return card ? triggerOfCard(card, minted.panType === 'FPAN' ? 'FPAN' : 'DPAN') : device
}

/** A number out of a token. The standard test cards do not work with a wallet, and any other number is a real device's. */
export function walletNumberTrigger(number: string): Trigger {
  return simulatorTrigger(number) ?? (isTestCard(number) ? strange : device)
}

/** Undefined for a number that is not the simulator's. */
export function simulatorTrigger(number: string): Trigger | undefined {
  const found = cardByNumber(number)
  return found && triggerOfCard(found.card, found.panType)
}

// biome-ignore format: a table is read in columns.
const outcomes: Readonly<Record<CardOutcome, readonly [first: Verdict, more?: Particulars]>> = {
  // outcome                             first step              later
  'approved':                         [ approval ],
  'declined':                         [ declinedByProcessing ],
  'soft-declined on the first MID':   [ approval,               { onFirstMid: tryAgainLater } ],
  'capture declined':                 [ approval,               { capture: declinedByProcessing } ],
  'undefined':                        [ pendingUntil(approval), { answerFault: 'link-drops' } ],
  'approved after 3DS':               [ approval ],
  'refund declined':                  [ approval,               { creditvoid: declinedByProcessing } ],
}

const device = triggerOf('wallet device', 'none', approval)
const strange = triggerOf('wallet test card', 'none', declinedByProcessing)

export const walletTriggers: readonly Trigger[] = [
  device,
  strange,
  ...simulatorCards.flatMap((card) => [newTrigger(card, 'DPAN'), newTrigger(card, 'FPAN')]),
]

const byKey = new Map(walletTriggers.map((trigger) => [trigger.key, trigger]))

function triggerOfCard(card: SimulatorCard, panType: 'DPAN' | 'FPAN'): Trigger {
  return byKey.get(keyOf(card, panType)) ?? strange
}

/** For a device token the device has authenticated the payer; for a funding number there was no authentication. */
function newTrigger(card: SimulatorCard, panType: 'DPAN' | 'FPAN'): Trigger {
  const payerStep = card.outcome === 'approved after 3DS' && panType === 'FPAN' ? '3ds' : 'none'
  return triggerOf(keyOf(card, panType), payerStep, ...outcomes[card.outcome])
}

function keyOf({ name }: SimulatorCard, panType: 'DPAN' | 'FPAN'): string {
  return `wallet ${name} ${panType}`
}
