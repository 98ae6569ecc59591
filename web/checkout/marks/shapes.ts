/**
 * The marks of the card networks: drawn for this page in the networks' colours, as simple as a mark of 38 by 24 pixels has to be. They are
 * not the networks' logos, which are protected; an operator who may show those puts them into MARKS_DIR. See decisions/checkout#marks-of-networks.
 */
import type { CardNetwork } from '#domain/card.ts'

export interface MarkShape {
  readonly plate: string
  /** Colour and path of each figure, from back to front. */
  readonly figures?: readonly (readonly [string, string])[]
  readonly letters?: string
  readonly ink?: string
  readonly slanted?: boolean
}

const white = '#fff'
const disc = (x: number, radius = 7): string =>
  `M${x - radius} 12a${radius} ${radius} 0 1 1 ${2 * radius} 0a${radius} ${radius} 0 1 1 ${-2 * radius} 0z`
/** Where two discs of the usual size at 14.5 and 23.5 overlap. */
const lens = 'M19 6.64a7 7 0 0 1 0 10.72a7 7 0 0 1 0-10.72z'
const bar = (x: number): string => `M${x} 4h6.5v13a3 3 0 0 1-3 3h-3.5z`
const slant = (x: number): string => `M${x + 3} 4h9l-3 16h-9z`

// biome-ignore format: a table is read in columns.
export const markShapes: Readonly<Record<CardNetwork, MarkShape>> = {
  // network     plate               figures                                                                             letters
  visa:       { plate: '#1434cb',                                                                                       letters: 'VISA', slanted: true },
  mastercard: { plate: '#1c1c1c', figures: [['#eb001b', disc(14.5)], ['#f79e1b', disc(23.5)], ['#ff5f00', lens]] },
  amex:       { plate: '#006fcf',                                                                                       letters: 'AMEX' },
  discover:   { plate: white,     figures: [['#e55c20', 'M14 24h21a3 3 0 0 0 3-3v-9c-6 6-14 10-24 12z'], ['#e55c20', disc(19, 3.5)]] },
  jcb:        { plate: white,     figures: [['#0e4c96', bar(7.5)], ['#b81f32', bar(15.75)], ['#1c7c35', bar(24)]] },
  dinersclub: { plate: white,     figures: [['#0069aa', disc(19, 8)], [white, 'M16.6 6.6a6 6 0 0 0 0 10.8zM21.4 6.6a6 6 0 0 1 0 10.8z']] },
  unionpay:   { plate: white,     figures: [['#d10429', slant(5)], ['#022e64', slant(13)], ['#076f74', slant(21)]] },
  maestro:    { plate: white,     figures: [['#0099df', disc(14.5)], ['#ed0006', disc(23.5)], ['#6c6bbd', lens]] },
  mir:        { plate: '#0f754e',                                                                                       letters: 'MIR' },
  rupay:      { plate: white,     figures: [['#f47920', 'M29 6l4 6-6 6z'], ['#0b8a43', 'M32 6l4 6-6 6z']],              letters: 'RuPay', ink: '#1b3281', slanted: true },
  elo:        { plate: '#1c1c1c', figures: [['#ffcb05', 'M4 6h4v4H4z'], ['#00a4e0', 'M4 10h4v4H4z'], ['#ef4123', 'M4 14h4v4H4z']], letters: 'elo' },
  hipercard:  { plate: '#b3131b',                                                                                       letters: 'Hiper', slanted: true },
  verve:      { plate: '#00425f', figures: [['#ee312a', disc(9, 4.5)]],                                                 letters: 'Verve' },
  troy:       { plate: '#007a87',                                                                                       letters: 'troy' },
  uzcard:     { plate: '#1c4b9c',                                                                                       letters: 'UZ' },
  humo:       { plate: '#7a5c1e',                                                                                       letters: 'HUMO' },
}
