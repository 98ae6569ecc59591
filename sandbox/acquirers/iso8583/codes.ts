/** What the company answers, in the codes of each format, and which of its test cards gets which answer. */
import { cardByNumber } from '../../wallet/cards.ts'
import type { FormatName } from './wire-format.ts'

// biome-ignore format: a table is read in columns.
const table = {
  //              1987   1993
  approved:     [ '00',  '000' ],
  reversed:     [ '00',  '400' ],
  signedOn:     [ '00',  '800' ],
  notHonoured:  [ '05',  '100' ],
  merchant:     [ '03',  '109' ],
  noOriginal:   [ '25',  '914' ],
  invalid:      [ '12',  '902' ],
  format:       [ '30',  '904' ],
  stolen:       [ '43',  '209' ],
  funds:        [ '51',  '116' ],
  amount:       [ '13',  '110' ],
  issuerDown:   [ '91',  '912' ],
  malfunction:  [ '96',  '909' ],
} as const

export type AnswerName = keyof typeof table

export const codeOf = (answer: AnswerName, format: FormatName): string =>
  table[answer][format === 'iso1987-ascii' ? 0 : 1]

interface CardBehaviour {
  readonly first: AnswerName
  readonly capture?: AnswerName
  readonly void?: AnswerName
}

const testCards = ['4111111111111111', '4601541833776519', '5555555555554444', '378282246310005']

// biome-ignore format: a table is read in columns.
const byExpiry = new Map<string, CardBehaviour>([
  // YYMM     sale, authorisation         later
  [ '3801', { first: 'approved' } ],
  [ '3802', { first: 'notHonoured' } ],
  [ '3803', { first: 'approved',          capture: 'notHonoured' } ],
  [ '3808', { first: 'issuerDown' } ],
  [ '3809', { first: 'stolen' } ],
  [ '3810', { first: 'funds' } ],
  [ '3905', { first: 'approved',          void: 'notHonoured' } ],
])

/** Device numbers of the wallet simulator, which have one expiry. */
function walletBehaviourOf(number: string): CardBehaviour | undefined {
  const found = cardByNumber(number)
  return found?.panType === 'DPAN' && found.card.outcome === 'approved' ? { first: 'approved' } : undefined
}

/** Any other card is not honoured. */
export const behaviourOf = (number: string, expiry: string): CardBehaviour =>
  (testCards.includes(number) ? byExpiry.get(expiry) : walletBehaviourOf(number)) ?? { first: 'notHonoured' }
