/** Bech32 (BIP 173) without its limit of 90 characters: the text form of age keys. */

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3] as const
const checksumLength = 6

/** In lower case. */
export function encodeBech32(prefix: string, bytes: Buffer): string {
  const words = regroup(bytes, 8, 5, true) ?? []
  const checksum = polymod([...expand(prefix), ...words, ...Array<number>(checksumLength).fill(0)]) ^ 1
  const tail = Array.from({ length: checksumLength }, (_, index) => (checksum >>> (5 * (5 - index))) & 31)
  return `${prefix}1${[...words, ...tail].map((word) => alphabet.charAt(word)).join('')}`
}

/** Null unless the text has this prefix and a valid checksum. */
export function decodeBech32(prefix: string, text: string): Buffer | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null
  const lower = text.toLowerCase()
  if (!lower.startsWith(`${prefix}1`)) return null
  const words = lower
    .slice(prefix.length + 1)
    .split('')
    .map((character) => alphabet.indexOf(character))
  if (words.length < checksumLength || words.includes(-1) || polymod([...expand(prefix), ...words]) !== 1) return null
  const bytes = regroup(words.slice(0, -checksumLength), 5, 8, false)
  return bytes && Buffer.from(bytes)
}

function polymod(words: readonly number[]): number {
  let checksum = 1
  for (const word of words) {
    const top = checksum >>> 25
    checksum = ((checksum & 0x1ffffff) << 5) ^ word
    for (const [bit, generator] of generators.entries()) if ((top >>> bit) & 1) checksum ^= generator
  }
  return checksum
}

function expand(prefix: string): readonly number[] {
  const codes = prefix.split('').map((character) => character.charCodeAt(0))
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)]
}

/** Null if bits are left over that padding does not explain. */
function regroup(words: Iterable<number>, from: number, to: number, pads: boolean): readonly number[] | null {
  const groups: number[] = []
  let value = 0
  let bits = 0
  for (const word of words) {
    value = ((value << from) | word) & 0xfff
    bits += from
    while (bits >= to) {
      bits -= to
      groups.push((value >>> bits) & ((1 << to) - 1))
    }
  }
  const rest = (value << (to - bits)) & ((1 << to) - 1)
  if (pads) return bits > 0 ? [...groups, rest] : groups
  return bits >= from || rest !== 0 ? null : groups
}
