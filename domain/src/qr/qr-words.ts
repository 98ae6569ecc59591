/** The code words of a QR code: a text of bytes with its error correction, ISO/IEC 18004 §7.4 and §7.5, level M. */

interface Capacity {
  readonly version: number
  /** Code words of the whole code, and correcting ones of each block. */
  readonly words: number
  readonly correcting: number
  readonly blocks: number
}

const capacity = (version: number, words: number, correcting: number, blocks: number): Capacity => ({
  version,
  words,
  correcting,
  blocks,
})

// biome-ignore format: a table is read in columns.
export const capacities: readonly Capacity[] = [
  //     version  words  correcting  blocks
  capacity(1,      26,    10,         1),
  capacity(2,      44,    16,         1),
  capacity(3,      70,    26,         1),
  capacity(4,     100,    18,         2),
  capacity(5,     134,    24,         2),
  capacity(6,     172,    16,         4),
  capacity(7,     196,    18,         4),
  capacity(8,     242,    22,         4),
  capacity(9,     292,    22,         5),
  capacity(10,    346,    26,         5),
]

/** Undefined for a text that is too long for the versions here. */
export function codeWords(text: string): { readonly version: number; readonly words: readonly number[] } | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const fitting = capacities.find((one) => bytes.length + headerWords(one) <= dataWords(one))
  if (!fitting) return undefined
  return { version: fitting.version, words: interleave(dataOf(bytes, fitting), fitting) }
}

const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11] as const

const dataWords = ({ words, correcting, blocks }: Capacity): number => words - correcting * blocks
const lengthBits = ({ version }: Capacity): number => (version < 10 ? 8 : 16)
/** Mode and length before the text, and the end mark after it, fill whole words together. */
const headerWords = (fitting: Capacity): number => (4 + lengthBits(fitting) + 4) / 8

function dataOf(bytes: readonly number[], fitting: Capacity): readonly number[] {
  const bits = [
    ...bitsOf(BYTE_MODE, 4),
    ...bitsOf(bytes.length, lengthBits(fitting)),
    ...bytes.flatMap((byte) => bitsOf(byte, 8)),
    ...bitsOf(0, 4),
  ]
  const words = Array.from({ length: bits.length / 8 }, (_, index) => numberOf(bits.slice(index * 8, index * 8 + 8)))
  const missing = dataWords(fitting) - words.length
  return [...words, ...Array.from({ length: missing }, (_, index) => PADDING[index % 2 === 0 ? 0 : 1])]
}

/** First words of all blocks, then second ones, and so on; after the data the correction in the same way. */
function interleave(data: readonly number[], { correcting, blocks }: Capacity): readonly number[] {
  const short = Math.floor(data.length / blocks)
  const shortBlocks = blocks - (data.length % blocks)
  const starts = Array.from({ length: blocks }, (_, index) => index * short + Math.max(0, index - shortBlocks))
  const parts = starts.map((start, index) => data.slice(start, start + short + (index < shortBlocks ? 0 : 1)))
  const divisor = generator(correcting)
  return [...interleaveWords(parts), ...interleaveWords(parts.map((part) => remainder(part, divisor)))]
}

function interleaveWords(parts: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...parts.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part[index] ?? [])).flat()
}

/** Coefficients of the generator polynomial below its leading one, highest first. */
function generator(degree: number): readonly number[] {
  let coefficients: readonly number[] = [1]
  for (let power = 0, root = 1; power < degree; power += 1, root = multiply(root, 2)) {
    const raised = [...coefficients, 0]
    coefficients = raised.map((value, index) => value ^ multiply(coefficients[index - 1] ?? 0, root))
  }
  return coefficients.slice(1)
}

function remainder(data: readonly number[], divisor: readonly number[]): readonly number[] {
  let rest: readonly number[] = divisor.map(() => 0)
  for (const word of data) {
    const factor = word ^ (rest[0] ?? 0)
    rest = divisor.map((coefficient, index) => (rest[index + 1] ?? 0) ^ multiply(coefficient, factor))
  }
  return rest
}

/** In the field of 256 elements that the standard names. */
export function multiply(one: number, two: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((two >>> bit) & 1) * one
  }
  return product
}

export function bitsOf(value: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => (value >>> (length - 1 - index)) & 1)
}

const numberOf = (bits: readonly number[]): number => bits.reduce((value, bit) => value * 2 + bit, 0)
