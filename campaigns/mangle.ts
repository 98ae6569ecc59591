/** Randomly corrupted bytes and texts, each only a little: completely corrupted input is refused at once and tests nothing. */
import type { Random } from './stage/random.ts'

export function mangleBytes(random: Random, sample: Buffer): Buffer {
  let bytes = sample
  for (let times = random.between(1, 3); times > 0; times -= 1) bytes = random.pick(changes)(random, bytes)
  return bytes
}

/** Texts are corrupted by character as well as by byte. */
export function mangleText(random: Random, sample: string): string {
  const text = mangleBytes(random, Buffer.from(sample)).toString(random.pick(['utf8', 'latin1']))
  if (random.between(0, 3) > 0) return text
  const at = random.between(0, text.length)
  return text.slice(0, at) + random.pick(insertions) + text.slice(at + random.between(0, 4))
}

type Change = (random: Random, bytes: Buffer) => Buffer

const changes: readonly [Change, ...Change[]] = [flipBit, setByte, insert, remove, cut, repeat, lengthen, swap]

/** Texts that parsers treat specially: quotes, escapes, markers, names that every object has, near-numbers. */
const insertions: readonly [string, ...string[]] = [
  '"',
  '\\',
  '\\u0022',
  '{',
  '[[[[[[[[[',
  '}',
  ',"data":""',
  '"__proto__":{}',
  '"constructor":1,',
  '-----BEGIN CERTIFICATE-----',
  '-----END PRIVATE KEY-----',
  'Proc-Type: 4,ENCRYPTED\n',
  '\u0000',
  '\uFEFF',
  '\ud800',
  '=',
  '-_',
  '1e400',
  '-0',
  '\u2028',
]

function flipBit(random: Random, bytes: Buffer): Buffer {
  return changeByte(random, bytes, (byte) => byte ^ (1 << random.between(0, 7)))
}

function setByte(random: Random, bytes: Buffer): Buffer {
  return changeByte(random, bytes, () => random.pick([0x00, 0x1f, 0x24, 0x30, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff]))
}

/** Often hits the octets of a length. */
function lengthen(random: Random, bytes: Buffer): Buffer {
  return changeByte(random, bytes, (byte) => (byte + random.pick([1, -1, 2, 127])) & 0xff)
}

function insert(random: Random, bytes: Buffer): Buffer {
  const at = random.between(0, bytes.length)
  const added = Buffer.from(Array.from({ length: random.between(1, 8) }, () => random.between(0, 255)))
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at)])
}

function remove(random: Random, bytes: Buffer): Buffer {
  const at = random.between(0, bytes.length)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.between(1, 8))])
}

function cut(random: Random, bytes: Buffer): Buffer {
  return bytes.subarray(0, random.between(0, bytes.length))
}

function repeat(random: Random, bytes: Buffer): Buffer {
  const [from, to] = range(random, bytes)
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
}

function swap(random: Random, bytes: Buffer): Buffer {
  const [from, to] = range(random, bytes)
  const middle = Math.floor((from + to) / 2)
  const parts = [
    [0, from],
    [middle, to],
    [from, middle],
    [to, bytes.length],
  ] as const
  return Buffer.concat(parts.map(([start, end]) => bytes.subarray(start, end)))
}

function range(random: Random, { length }: Buffer): readonly [number, number] {
  const from = random.between(0, length)
  return [from, Math.min(length, from + random.between(1, 64))]
}

function changeByte(random: Random, bytes: Buffer, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return bytes
  const copy = Buffer.from(bytes)
  const at = random.between(0, copy.length - 1)
  copy.writeUInt8(change(copy.readUInt8(at)) & 0xff, at)
  return copy
}
