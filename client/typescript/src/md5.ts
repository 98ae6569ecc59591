/** MD5 by RFC 1321: the default digest of the interface, which Web Crypto does not offer. */
import type { Bytes } from './bytes.ts'

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Uint32Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32))

export function md5(message: Bytes): Bytes {
  const blocks = pad(message)
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  const view = new DataView(blocks.buffer)
  for (let at = 0; at < blocks.length; at += 64) addBlock(state, view, at)
  const digest = new DataView(new ArrayBuffer(16))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word, true)
  return new Uint8Array(digest.buffer)
}

/** A one bit, zeros, and the length in bits. */
function pad(message: Bytes): Bytes {
  const blocks = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64)
  blocks.set(message)
  blocks[message.length] = 0x80
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(message.length) * 8n, true)
  return blocks
}

function addBlock(state: Uint32Array, view: DataView, at: number): void {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let step = 0; step < 64; step += 1) {
    const round = step >> 4
    const word = view.getUint32(at + wordOf(round, step) * 4, true)
    const sum = (a + mix(round, b, c, d) + (sines[step] ?? 0) + word) | 0
    const shift = shifts[round * 4 + (step & 3)] ?? 0
    a = d
    d = c
    c = b
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  for (const [index, word] of [a, b, c, d].entries()) state[index] = (state[index] ?? 0) + word
}

function mix(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d)
  if (round === 1) return (d & b) | (~d & c)
  return round === 2 ? b ^ c ^ d : c ^ (b | ~d)
}

const wordOf = (round: number, step: number): number =>
  [step, 5 * step + 1, 3 * step + 5, 7 * step].map((word) => word & 15)[round] ?? 0
