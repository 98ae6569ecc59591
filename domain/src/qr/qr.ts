/**
 * Draws a text as a QR code: byte mode, error correction level M, versions 1 to 10 (ISO/IEC 18004). That is what an address
 * with a one-time code needs, and no more.
 */
import { bitsOf, codeWords } from './qr-words.ts'

interface QrPath {
  /** Modules on a side, the quiet zone included. */
  readonly size: number
  /** The dark modules as the path of an SVG, one unit each. */
  readonly path: string
}

const QUIET = 4

/** Null for a text that is too long. */
export function qrPath(text: string): QrPath | null {
  const modules = qrModules(text)
  if (modules === null) return null
  const dark = modules.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])))
  return { size: modules.length + 2 * QUIET, path: dark.join('') }
}

/** Rows of modules, true for dark. */
export function qrModules(text: string): readonly (readonly boolean[])[] | null {
  const coded = codeWords(text)
  if (!coded) return null
  const { version, words } = coded
  const fixed = new Drawing(17 + 4 * version)
  drawFixed(fixed, version)
  const bits = words.flatMap((word) => bitsOf(word, 8))
  const drawings = masks.map((mask, number) => {
    const drawing = fixed.copy()
    for (const [index, [x, y]] of fixed.freePlaces().entries()) drawing.set(x, y, (bits[index] === 1) !== mask(x, y))
    drawFormat(drawing, number)
    return drawing.rows()
  })
  // Every mask gives a valid code; scanners read the one with the fewest uniform areas best.
  return drawings.toSorted((one, two) => penaltyOf(one) - penaltyOf(two))[0] ?? null
}

type Mask = (x: number, y: number) => boolean

// biome-ignore format: a table is read in columns.
const masks: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) =>    x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** The modules drawn so far; the others are free for data. */
class Drawing {
  readonly size: number
  readonly #set: Map<number, boolean>

  constructor(size: number, set: ReadonlyMap<number, boolean> = new Map()) {
    this.size = size
    this.#set = new Map(set)
  }

  copy(): Drawing {
    return new Drawing(this.size, this.#set)
  }

  set(x: number, y: number, dark: boolean): void {
    if (x >= 0 && y >= 0 && x < this.size && y < this.size) this.#set.set(y * this.size + x, dark)
  }

  isFree(x: number, y: number): boolean {
    return !this.#set.has(y * this.size + x)
  }

  /** In the order of the bits: two columns at a time from the right, up and down by turns, around the timing column. */
  freePlaces(): readonly (readonly [x: number, y: number])[] {
    const places: [number, number][] = []
    let upwards = true
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === TIMING) right -= 1
      for (let step = 0; step < this.size; step += 1) {
        const y = upwards ? this.size - 1 - step : step
        for (const x of [right, right - 1]) if (this.isFree(x, y)) places.push([x, y])
      }
      upwards = !upwards
    }
    return places
  }

  rows(): readonly (readonly boolean[])[] {
    const positions = Array.from({ length: this.size }, (_, index) => index)
    return positions.map((y) => positions.map((x) => this.#set.get(y * this.size + x) ?? false))
  }
}

const TIMING = 6

function drawFixed(drawing: Drawing, version: number): void {
  const { size } = drawing
  for (let place = 0; place < size; place += 1) {
    drawing.set(TIMING, place, place % 2 === 0)
    drawing.set(place, TIMING, place % 2 === 0)
  }
  for (const [x, y] of [[3, 3] as const, [size - 4, 3] as const, [3, size - 4] as const]) drawRings(drawing, x, y, 4)
  const centres = alignments[version] ?? []
  const last = centres.at(-1)
  for (const x of centres) {
    for (const y of centres) {
      const atFinder = (x === TIMING && (y === TIMING || y === last)) || (y === TIMING && x === last)
      if (!atFinder) drawRings(drawing, x, y, 2)
    }
  }
  drawFormat(drawing, 0)
  if (version >= 7) drawVersion(drawing, version)
}

/** A finder with its light border reaches 4 from the centre, an alignment mark 2. */
function drawRings(drawing: Drawing, centreX: number, centreY: number, reach: number): void {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      const light = reach === 4 ? ring === 2 || ring === 4 : ring === 1
      drawing.set(centreX + dx, centreY + dy, !light)
    }
  }
}

// biome-ignore format: a table is read in columns.
const alignments: readonly (readonly number[])[] = [
  [], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
]

/** Level M and the mask, twice, with their own correction; and the one module that is always dark. */
function drawFormat(drawing: Drawing, mask: number): void {
  const { size } = drawing
  // Level M is written 00.
  const bits = bitsOf(((mask << 10) | remainderOf(mask, 10, 0x537)) ^ 0x5412, 15).toReversed()
  for (const [index, bit] of bits.entries()) {
    const on = bit === 1
    const [x, y] = besideFirstFinder(index)
    drawing.set(x, y, on)
    if (index < 8) drawing.set(size - 1 - index, 8, on)
    else drawing.set(8, size - 15 + index, on)
  }
  drawing.set(8, size - 8, true)
}

function besideFirstFinder(index: number): readonly [x: number, y: number] {
  if (index < 6) return [8, index]
  if (index === 6) return [8, 7]
  if (index === 7) return [8, 8]
  return index === 8 ? [7, 8] : [14 - index, 8]
}

function drawVersion(drawing: Drawing, version: number): void {
  const bits = bitsOf((version << 12) | remainderOf(version, 12, 0x1f25), 18).toReversed()
  for (const [index, bit] of bits.entries()) {
    const far = drawing.size - 11 + (index % 3)
    const near = Math.floor(index / 3)
    drawing.set(far, near, bit === 1)
    drawing.set(near, far, bit === 1)
  }
}

/** The error-correction bits of the format and version numbers. */
function remainderOf(value: number, length: number, polynomial: number): number {
  let rest = value
  for (let step = 0; step < length; step += 1) rest = (rest << 1) ^ ((rest >>> (length - 1)) * polynomial)
  return rest
}

/** The penalty of a drawing: long runs and blocks of one colour. */
function penaltyOf(rows: readonly (readonly boolean[])[]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x] ?? false))
  const runs = [...rows, ...columns].map(runsOf).reduce((sum, value) => sum + value, 0)
  const blocks = rows.map((row, y) => row.filter((on, x) => isBlock(rows, x, y, on)).length)
  return runs + 3 * blocks.reduce((sum, value) => sum + value, 0)
}

function runsOf(line: readonly boolean[]): number {
  const runs =
    line
      .map((on) => (on ? '1' : '0'))
      .join('')
      .match(/0{5,}|1{5,}/g) ?? []
  return runs.reduce((sum, run) => sum + run.length - 2, 0)
}

function isBlock(rows: readonly (readonly boolean[])[], x: number, y: number, on: boolean): boolean {
  return [rows[y]?.[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x + 1]].every((other) => other === on)
}
