/**
 * The last resort before a line is written: hides whatever looks like a secret.
 *
 * It is not what keeps secrets out of the log; that is the list of fields in `log-fields.ts`. It catches what slips through: a message that
 * quotes a request, a library's error that quotes its input. It therefore hides too much rather than too little.
 *
 * A line is JSON and must stay JSON: no pattern consumes a quotation mark or half of an escape.
 */

import { fewestCardDigits, groupedDigits, maskCardDigits } from '#domain/card-digits.ts'
import { uuidPattern } from '#domain/uuid.ts'

export function maskSecrets(line: string): string {
  let masked = line
  for (const [sign, pattern, replacement] of textPatterns) {
    if (sign === null || masked.includes(sign)) masked = masked.replace(pattern, replacement)
  }
  const { longHex, longWord, manyDigits } = suspicions(masked)
  if (longHex) masked = masked.replace(hexRuns, keptOr(hide))
  if (longWord) masked = masked.replace(longWords, keptOr(maskWord))
  return manyDigits ? maskCardNumbers(masked) : masked
}

/** Masks digits with the length and check digit of a card number, also in groups as people and forms write them. */
export function maskCardNumbers(line: string): string {
  return line.replace(digitRuns, keptOr(maskCardDigits))
}

const HIDDEN = '***'

// A character inside a JSON string that ends neither the string nor an escape.
const stringCharacter = String.raw`(?:[^"\\]|\\.)`
// Names of secrets in a form, a query, JSON or a sentence.
const secretName = String.raw`card_?num(?:ber)?|(?<!(?<!\\)[a-z])pan|cvv2?|cvc2?|passw(?:or)?d|secret|hash|signature|token|cookie|authorization|api_?key|private_?key`
const assignment = String.raw`(?:\\?["'\]]|%5D)*\s*(?:[=:]|%3D)\s*(?:Bearer |Basic )?(?:\\?["'])?`

// biome-ignore format: a table is read in columns.
const textPatterns: readonly (readonly [sign: string | null, RegExp, string])[] = [
  // only with     looks like                                              becomes
  [ '-----BEGIN ', new RegExp(`-----BEGIN ${stringCharacter}*`, 'g'),               `-----BEGIN ${HIDDEN}` ],
  // An error of the JSON parser quotes the text around the fault.
  [ 'valid JSON',  new RegExp(String.raw`(?:\.\.\.)?\\"${stringCharacter}{0,120}\\"(?:\.\.\.)? is not valid JSON`, 'g'), `${HIDDEN} is not valid JSON` ],
  // The password in an address, and its query string.
  [ '://',         /(:\/\/)[^\s"\\/@]+@/g,                                 `$1${HIDDEN}@` ],
  [ '?',           /(?<=[\w/])\?[^\s"\\]+/g,                               `?${HIDDEN}` ],
  [ null,          new RegExp(String.raw`((?:${secretName})${assignment})[^\s"'\\&,;}]+`, 'gi'), `$1${HIDDEN}` ],
  [ 'whsec_',      /whsec_[\w+/=-]+/g,                                     `whsec_${HIDDEN}` ],
]

// Exceptions: many proxies' request ids are 32 hexadecimal characters and needed to trace a request; a UUID is not secret here; letters and
// digits of an escape belong to no word.
const exceptions = String.raw`"requestId":"[0-9a-f]{32}"|${uuidPattern}|\\u[0-9a-f]{4}|\\.`
// The length of an MD5 digest, and a length beyond names and UUIDs.
const HEX_LENGTH = 32
const WORD_LENGTH = 40
const hexRuns = new RegExp(`(${exceptions})|[0-9a-f]{${HEX_LENGTH},}`, 'gi')
const longWords = new RegExp(`(${exceptions})|[\\w+=-]{${WORD_LENGTH},}`, 'g')
const digitRuns = new RegExp(`(${exceptions})|${groupedDigits}`, 'gi')

const keptOr =
  (mask: (found: string) => string) =>
  (found: string, keptPart: string | undefined): string =>
    keptPart ?? mask(found)

const hide = (): string => HIDDEN

/** 40 characters of Base64 nearly always contain all three kinds; our own names rarely do. */
function maskWord(word: string): string {
  return /[0-9]/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) ? HIDDEN : word
}

interface Suspicions {
  readonly longHex: boolean
  readonly longWord: boolean
  readonly manyDigits: boolean
}

/**
 * Decides in one pass which of the expensive patterns are worth running. Nearly every line is a request's and contains nothing; running the
 * patterns takes five times as long. It may suspect too much, never too little.
 */
function suspicions(line: string): Suspicions {
  let [hex, word, digits] = [0, 0, 0]
  let [longHex, longWord, manyDigits] = [false, false, false]
  for (let at = 0; at < line.length; at += 1) {
    const kind = kinds[line.charCodeAt(at)] ?? 0
    hex = kind & HEX ? hex + 1 : 0
    word = kind & WORD ? word + 1 : 0
    if (kind & DIGIT) digits += 1
    else if (!(kind & SEPARATOR)) digits = 0
    longHex ||= hex >= HEX_LENGTH
    longWord ||= word >= WORD_LENGTH
    manyDigits ||= digits >= fewestCardDigits
  }
  return { longHex, longWord, manyDigits }
}

const HEX = 1
const WORD = 2
const DIGIT = 4
const SEPARATOR = 8

const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return (
    (/[0-9a-f]/i.test(character) ? HEX : 0) |
    (/[\w+=-]/.test(character) ? WORD : 0) |
    (/[0-9]/.test(character) ? DIGIT : 0) |
    (/[ +%-]/.test(character) ? SEPARATOR : 0)
  )
})
