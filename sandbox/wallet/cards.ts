/** The cards of the simulator (Chapter 40 §20.2). The standard sandbox test cards do not work with a wallet. */
export type PanType = 'DPAN' | 'FPAN' | 'MPAN'

/** The sandbox acquirer's result for a card; a funding number may require 3DS first. */
export type CardOutcome =
  | 'approved'
  | 'declined'
  | 'soft-declined on the first MID'
  | 'capture declined'
  | 'undefined'
  | 'approved after 3DS'
  | 'refund declined'

export interface SimulatorCard {
  readonly name: string
  /** As the wallet's page and token spell it. */
  readonly network: string
  /** The device number and the card's own number. */
  readonly dpan: string
  readonly fpan: string
  readonly outcome: CardOutcome
}

export const cardExpiry = { month: 12, year: 2031 } as const

const card = (name: string, network: string, dpan: string, fpan: string, outcome: CardOutcome): SimulatorCard => ({
  name,
  network,
  dpan,
  fpan,
  outcome,
})

// biome-ignore format: a table is read in columns.
export const simulatorCards: readonly SimulatorCard[] = [
  //    card               network       DPAN                FPAN                at the sandbox acquirer
  card('approve',         'visa',       '4000001000000018', '4000009000000011', 'approved'),
  card('decline',         'visa',       '4000001000000026', '4000009000000029', 'declined'),
  card('soft-decline',    'visa',       '4000001000000034', '4000009000000037', 'soft-declined on the first MID'),
  card('capture-decline', 'visa',       '4000001000000042', '4000009000000045', 'capture declined'),
  card('undefined',       'visa',       '4000001000000059', '4000009000000052', 'undefined'),
  card('challenge',       'visa',       '4000001000000067', '4000009000000060', 'approved after 3DS'),
  card('refund-decline',  'visa',       '4000001000000075', '4000009000000078', 'refund declined'),
  card('approve-mc',      'masterCard', '5200001000000013', '5200009000000016', 'approved'),
  card('decline-mc',      'masterCard', '5200001000000021', '5200009000000024', 'declined'),
  card('approve-amex',    'amex',       '370000100000019',  '370000900000011',  'approved'),
]

export function cardNamed(name: string): SimulatorCard | undefined {
  return simulatorCards.find((card) => card.name === name)
}

/** The card with either of its numbers. */
export function cardByNumber(
  number: string,
): { readonly card: SimulatorCard; readonly panType: 'DPAN' | 'FPAN' } | undefined {
  const found = simulatorCards.find(({ dpan, fpan }) => dpan === number || fpan === number)
  return found && { card: found, panType: found.dpan === number ? 'DPAN' : 'FPAN' }
}

/** A merchant token uses the device number. */
export const numberOf = ({ dpan, fpan }: SimulatorCard, panType: PanType): string => (panType === 'FPAN' ? fpan : dpan)
