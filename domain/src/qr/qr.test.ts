// Codes are read back here in the way of a scanner: mask and level from the format, bits from the free places, words from the
// blocks, whose correction must fit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { qrModules, qrPath } from './qr.ts'
import { capacities, multiply } from './qr-words.ts'

type Modules = readonly (readonly boolean[])[]

const masks = [
  (x: number, y: number) => (x + y) % 2 === 0,
  (_: number, y: number) => y % 2 === 0,
  (x: number) => x % 3 === 0,
  (x: number, y: number) => (x + y) % 3 === 0,
  (x: number, y: number) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x: number, y: number) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x: number, y: number) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x: number, y: number) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

const centres = [[], [], [18], [22], [26], [30], [34], [22, 38], [24, 42], [26, 46], [28, 50]]

/** Whether a place belongs to the pattern and not to the data. */
function isPattern(x: number, y: number, size: number, version: number): boolean {
  if (x === 6 || y === 6) return true
  if ((x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9)) return true
  if (version >= 7 && ((x >= size - 11 && y < 6) || (y >= size - 11 && x < 6))) return true
  const marks = centres[version] ?? []
  const last = marks.at(-1) ?? 0
  return [6, ...marks].some((cx) =>
    [6, ...marks].some((cy) => {
      const finder = (cx === 6 && (cy === 6 || cy === last)) || (cy === 6 && cx === last)
      return !finder && Math.abs(x - cx) <= 2 && Math.abs(y - cy) <= 2
    }),
  )
}

function read(modules: Modules): string {
  const size = modules.length
  const version = (size - 17) / 4
  const at = (x: number, y: number): boolean => modules[y]?.[x] ?? false
  const format =
    [at(0, 8), at(1, 8), at(2, 8), at(3, 8), at(4, 8)].reduce((sum, on) => sum * 2 + (on ? 1 : 0), 0) ^ 0b10101
  assert.equal(format >> 3, 0, 'level M')
  const mask = masks[format & 7]
  assert.ok(mask)
  const bits: boolean[] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (!isPattern(x, y, size, version)) bits.push(at(x, y) !== mask(x, y))
      }
    }
  }
  const words = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((sum, on) => sum * 2 + (on ? 1 : 0), 0),
  )
  return textOf(words, version)
}

function textOf(words: readonly number[], version: number): string {
  const capacity = capacities[version - 1]
  assert.ok(capacity)
  const { correcting, blocks } = capacity
  const dataLength = capacity.words - correcting * blocks
  const short = Math.floor(dataLength / blocks)
  const long = dataLength % blocks
  const parts: number[][] = Array.from({ length: blocks }, () => [])
  let next = 0
  for (let index = 0; index <= short; index += 1) {
    for (const [block, part] of parts.entries()) {
      if (index < short || block >= blocks - long) part.push(words[next++] ?? 0)
    }
  }
  const data = parts.flat()
  for (let index = 0; index < correcting; index += 1) for (const part of parts) part.push(words[next++] ?? 0)
  for (const part of parts) assert.ok(isWhole(part, correcting), 'the correction fits')
  const bits = data.flatMap((word) => Array.from({ length: 8 }, (_, bit) => (word >> (7 - bit)) & 1))
  const number = (from: number, length: number): number =>
    bits.slice(from, from + length).reduce((sum, bit) => sum * 2 + bit, 0)
  assert.equal(number(0, 4), 4, 'byte mode')
  const lengthBits = version < 10 ? 8 : 16
  const length = number(4, lengthBits)
  return Buffer.from(Array.from({ length }, (_, index) => number(4 + lengthBits + 8 * index, 8))).toString()
}

/** A block is a multiple of its generator: it is zero at every root. */
function isWhole(block: readonly number[], correcting: number): boolean {
  for (let power = 0, root = 1; power < correcting; power += 1, root = multiply(root, 2)) {
    if (block.reduce((sum, word) => multiply(sum, root) ^ word, 0) !== 0) return false
  }
  return true
}

test('a scanner reads the text that was drawn, in every version', () => {
  for (let length = 1; length <= 213; length += 4) {
    const text = `https://gateway.example/simulator/phone?code=${'aZ3-_'.repeat(40)}`.slice(0, length)
    const modules = qrModules(text)
    assert.ok(modules !== null)
    assert.equal(read(modules), text)
  }
})

test('a scanner reads any text, letters beyond ASCII included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const modules = qrModules(text)
      assert.ok(modules !== null)
      assert.equal(read(modules), text)
    }),
    { numRuns: 30 },
  )
})

test('a text too long for version 10 gives no code', () => {
  assert.equal(qrModules('x'.repeat(214)), null)
  assert.equal(qrPath('x'.repeat(214)), null)
})

test('the drawing leaves four light modules on every side', () => {
  const drawn = qrPath('x')
  assert.ok(drawn !== null)
  assert.equal(drawn.size, 21 + 8)
  const places = [...drawn.path.matchAll(/M(\d+) (\d+)/g)].flatMap(([, x, y]) => [Number(x), Number(y)])
  assert.ok(places.every((place) => place >= 4 && place < 25))
})
