/** Texts in the letters that every bank of SEPA has to accept. See decisions/payouts#letters-of-sepa. */

/** The longest name in a transfer. */
const nameLength = 70

/** Letters are transliterated, and what has no likeness becomes a full stop, as the conversion table of the EPC has it. */
export function bankText(text: string): string {
  const characters = Array.from(greekPairs(text.normalize('NFC')))
  return characters
    .map((letter, index) => ofLetter(letter, isCapital(characters[index + 1]) || isCapital(characters[index - 1])))
    .join('')
}

/** The holder of an account as it is written into a file for the bank, which accepts neither `//` nor a slash at the beginning or end. */
export const bankName = (holder: string): string =>
  withoutOuterSlashes(
    withoutOuterSlashes(bankText(holder).replaceAll(/ +/g, ' ').replaceAll(/\/+/g, '/')).slice(0, nameLength),
  )

const withoutOuterSlashes = (text: string): string => text.replaceAll(/^[/ ]+|[/ ]+$/g, '')

/** False if a letter or digit would be lost: a bank compares the name, and could not with full stops in it. */
export const isBankName = (holder: string): boolean =>
  /[A-Za-z0-9]/.test(bankName(holder)) &&
  Array.from(holder.normalize('NFC')).every(
    (letter) => !/[\p{L}\p{N}]/u.test(letter) || /[^.]/.test(ofLetter(letter, false)),
  )

const permitted = /^[A-Za-z0-9/\-?:().,'+ ]$/

function ofLetter(letter: string, amongCapitals: boolean): string {
  if (permitted.test(letter)) return letter
  const known = others.get(letter)
  if (known !== undefined) return known
  const small = letter.toLowerCase()
  const written = alphabet.get(small)
  if (written !== undefined) return small === letter ? written : capital(written, amongCapitals)
  if (/^[\p{M}\p{Cf}]$/u.test(letter)) return ''
  const parts = letter.normalize('NFKD')
  return parts === letter ? '.' : Array.from(parts, (part) => ofLetter(part, amongCapitals)).join('')
}

/** `Þ` alone begins a word; within capitals it is one of them. */
const capital = (text: string, amongCapitals: boolean): string =>
  amongCapitals ? text.toUpperCase() : text.charAt(0).toUpperCase() + text.slice(1)

const isCapital = (letter = ''): boolean => /^\p{Lu}$/u.test(letter)

/** Pairs that are read as one sound: `ΝΑΥΠΗΓΕΙΑ` is written `NAFPIGEIA`. A mark that separates the pair keeps it as two letters. */
const greekPairs = (text: string): string =>
  text
    .replaceAll(greek('([οό])([υύ])'), (_, first: string, second: string) => first + sameCase('u', second))
    .replaceAll(
      greek('([αάεέηή])([υύ])(?=[θκξπσςτφχψ]|\\P{L}|$)'),
      (_, first: string, second: string) => first + sameCase('f', second),
    )
    .replaceAll(greek('([αάεέηή])([υύ])'), (_, first: string, second: string) => first + sameCase('v', second))
    .replaceAll(greek('γ(?=[γξχ])'), (first) => sameCase('n', first))
    .replaceAll(greek('(?<!\\p{L})(μ)π'), (_, first: string) => sameCase('b', first))

/** From a text, because the bundler writes texts in ASCII, and patterns as they are. */
const greek = (pattern: string): RegExp => new RegExp(pattern, 'giu')

const sameCase = (text: string, like: string): string => (isCapital(like) ? text.toUpperCase() : text)

const pairsOf = (table: string): readonly (readonly [string, string])[] =>
  table
    .trim()
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1)] as const)

// biome-ignore format: a table is read in columns.
/** Small letters, each followed by what is written. Letters with marks that are not listed lose their marks. */
const alphabet: ReadonlyMap<string, string> = new Map([
  // Latin
  ...pairsOf('ßss æae œoe øo łl đd ðd þth ħh ıi ŋng ŧt ĸk əe ƒf'),
  // Greek, by ISO 843
  ...pairsOf('αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo'),
  // Cyrillic, as Bulgaria writes its own letters, then those of its neighbours
  ...pairsOf('аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsht ъa ьy юyu яya'),
  ...pairsOf('ыy эe іi єye ґg ђdj ѓgj љlj њnj ћc ќkj џdz ѕdz јj'),
  // Cyrillic of Central Asia, the Volga and the Caucasus, as the Latin alphabets of these languages have them, without marks
  ...pairsOf('әa ғg қq ңn өo ұu үu һh ҳh ҷj җj ҙz ҡq ҫs ҝg ҹj ҥn ҭt ҵts ҽch ҿch ӏi ӡdz ӄk ӈn ӊn ԛq ԝw ӷg ҕg ҟk ҧp'),
])

// biome-ignore format: a table is read in columns.
const others: ReadonlyMap<string, string> = new Map([
  ['&', '+'], ['_', '-'], ['~', '-'], ['\\', '/'], ['|', '/'], ['[', '('], ['{', '('], [']', ')'], ['}', ')'], [';', ','],
  ['"', "'"], ['`', "'"], ['´', "'"], ['ʼ', "'"], ['‘', "'"], ['’', "'"], ['‚', "'"], ['“', "'"], ['”', "'"], ['„', "'"], ['«', "'"], ['»', "'"], ['‹', "'"], ['›', "'"],
  ['‐', '-'], ['‑', '-'], ['‒', '-'], ['–', '-'], ['—', '-'], ['―', '-'], ['−', '-'],
  ['€', 'EUR'], ['№', 'No'], ['\t', ' '], ['\n', ' '], ['\r', ' '],
])
