/**
 * Validity, network and mask of a card number: all that the number alone determines.
 *
 * What is deliberately not here: the issuer, its country and the kind of card. They come from a BIN table that changes
 * every week, and routing receives them as facts (Chapter 50 §3).
 */

export type CardNetwork = (typeof networkRanges)[number][0]

export interface Expiry {
  /** 1 to 12. */
  readonly month: number
  /** Four digits. */
  readonly year: number
}

/** The only data of a card that may be stored and shown outside the vault. */
interface CardFacts {
  readonly network: CardNetwork | undefined
  readonly bin: string
  readonly lastFour: string
  readonly mask: string
  /** Undefined for payouts to a card, which are sent without one. */
  readonly expiry: Expiry | undefined
}

export function cardFacts(pan: string, expiry?: Expiry): CardFacts {
  return { network: networkOf(pan), bin: pan.slice(0, 6), lastFour: pan.slice(-4), mask: maskCard(pan), expiry }
}

/** 12 to 19 digits without separators whose last one is the right check digit (Chapter 10 §2). */
export function isCardNumber(text: string): boolean {
  return /^[0-9]{12,19}$/.test(text) && luhnValid(text)
}

export function luhnValid(digits: string): boolean {
  if (!/^[0-9]+$/.test(digits)) return false

  let sum = 0
  // Works on character codes because every payment runs it: an array of digits takes thirty times as long.
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(index) - codeOfZero
    const weighted = (digits.length - index) % 2 === 0 ? digit * 2 : digit
    sum += weighted > 9 ? weighted - 9 : weighted
  }
  return sum % 10 === 0
}

const codeOfZero = 0x30

/** `411111******1111`. A text too short to be a card number is masked completely, because ten digits would show nearly all of it. */
export function maskCard(pan: string): string {
  if (pan.length < 12) return '*'.repeat(pan.length)
  return pan.slice(0, 6) + '*'.repeat(pan.length - 10) + pan.slice(-4)
}

/** The card's term in signatures: first six and last four digits. A card's mask gives the same term as its number. */
export function pan10(panOrMask: string): string {
  return panOrMask.slice(0, 6) + panOrMask.slice(-4)
}

/** Six digits decide the network, so a BIN may be passed in place of a number. */
export function networkOf(pan: string): CardNetwork | undefined {
  const row = longestFirst.find(([, from, to]) => {
    const prefix = pan.slice(0, from.length)
    return from <= prefix && prefix <= to
  })
  return row?.[0]
}

/** A card is good until the last day of its month. `today` is `YYYY-MM-DD`. */
export function isExpired({ month, year }: Expiry, today: string): boolean {
  return year * 12 + month < Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7))
}

/** `MM/YYYY`, as `card_expiration_date` shows it. */
export function formatExpiry({ month, year }: Expiry): string {
  return `${String(month).padStart(2, '0')}/${String(year).padStart(4, '0')}`
}

// The longest matching prefix decides, so a range may lie inside a wider range of another network, and the order of rows does not matter.
// Every 4 is visa: domestic schemes that issue within it are co-badged, and the network on our wire is the international one.
// biome-ignore format: a table is read in columns.
const networkRanges = [
  // network        from      to
  [ 'visa',         '4',      '4'      ],
  [ 'mastercard',   '51',     '55'     ],
  [ 'mastercard',   '2221',   '2720'   ],
  [ 'amex',         '34',     '34'     ],
  [ 'amex',         '37',     '37'     ],
  [ 'discover',     '6011',   '6011'   ],
  [ 'discover',     '644',    '649'    ],
  [ 'discover',     '65',     '65'     ],
  [ 'jcb',          '3528',   '3589'   ],
  [ 'dinersclub',   '300',    '305'    ],
  [ 'dinersclub',   '3095',   '3095'   ],
  [ 'dinersclub',   '36',     '36'     ],
  [ 'dinersclub',   '38',     '39'     ],
  [ 'unionpay',     '62',     '62'     ],
  [ 'unionpay',     '8100',   '8171'   ],
  [ 'maestro',      '50',     '50'     ],
  [ 'maestro',      '56',     '58'     ],
  [ 'maestro',      '6304',   '6304'   ],
  [ 'maestro',      '6390',   '6390'   ],
  [ 'maestro',      '67',     '67'     ],
  [ 'mir',          '2200',   '2204'   ],
  [ 'rupay',        '508500', '508999' ],
  [ 'rupay',        '6069',   '6074'   ],
  [ 'rupay',        '6080',   '6085'   ],
  [ 'rupay',        '6521',   '6522'   ],
  [ 'rupay',        '8172',   '8199'   ],
  [ 'rupay',        '82',     '82'     ],
  [ 'elo',          '506699', '506778' ],
  [ 'elo',          '509000', '509999' ],
  [ 'elo',          '627780', '627780' ],
  [ 'elo',          '636297', '636297' ],
  [ 'elo',          '636368', '636368' ],
  [ 'elo',          '650031', '650051' ],
  [ 'elo',          '650405', '650439' ],
  [ 'elo',          '650485', '650598' ],
  [ 'elo',          '650700', '650727' ],
  [ 'elo',          '650901', '650978' ],
  [ 'elo',          '651652', '651679' ],
  [ 'elo',          '655000', '655058' ],
  [ 'hipercard',    '606282', '606282' ],
  [ 'verve',        '506099', '506198' ],
  [ 'verve',        '650002', '650027' ],
  [ 'troy',         '9792',   '9792'   ],
  [ 'uzcard',       '8600',   '8600'   ],
  [ 'humo',         '9860',   '9860'   ],
] as const

const longestFirst = [...networkRanges].sort(([, a], [, b]) => b.length - a.length)

/** In the order of the table. */
export const cardNetworks: readonly CardNetwork[] = [...new Set(networkRanges.map(([network]) => network))]
