/**
 * The company's two message formats, written from its own interface sheet and not from any client's.
 *
 * 1987: everything in characters, the bitmap in hexadecimal. 1993: digits packed two to a byte, the bitmap binary, five bytes of routing in front of
 * each message, which go back with source and destination exchanged.
 */

export type FormatName = 'iso1987-ascii' | 'iso1993-binary'

export interface HostMessage {
  readonly mti: string
  readonly fields: ReadonlyMap<number, string>
}

interface FieldSheet {
  readonly kind: 'n' | 't' | 'b'
  readonly size: number
  readonly isVariable: boolean
}

// `n` digits, `t` text, `b` binary as hexadecimal; two dots: of variable length.
const sheets: Readonly<Record<FormatName, string>> = {
  'iso1987-ascii':
    '2 n..19 3 n6 4 n12 7 n10 11 n6 12 n6 13 n4 14 n4 18 n4 22 n3 25 n2 32 n..11 33 n..11 37 t12 38 t6 39 t2 ' +
    '41 t8 42 t15 43 t40 44 t..25 48 t..999 49 n3 55 b..255 62 t..999 63 t..999 70 n3 90 n42',
  'iso1993-binary':
    '2 n..19 3 n6 4 n12 7 n10 11 n6 12 n12 14 n4 22 t12 24 n3 25 n4 26 n4 30 n24 32 n..11 33 n..11 37 t12 38 t6 39 n3 ' +
    '41 t8 42 t15 43 t..99 44 t..99 48 t..999 49 n3 55 b..255 56 n..35 62 t..999 72 t..999 126 b..255 127 b..255',
}

export class HostFormat {
  readonly name: FormatName
  readonly #fields = new Map<number, FieldSheet>()
  readonly #isPacked: boolean

  constructor(name: FormatName) {
    this.name = name
    this.#isPacked = name === 'iso1993-binary'
    for (const [, number, kind, dots, size] of sheets[name].matchAll(/([0-9]+) ([ntb])(\.\.)?([0-9]+)/g))
      this.#fields.set(Number(number), {
        kind: kind === 'n' || kind === 'b' ? kind : 't',
        size: Number(size),
        isVariable: dots !== undefined,
      })
  }

  /** Null if the bytes are no message. */
  read(bytes: Buffer): HostMessage | null {
    try {
      return this.#read(bytes)
    } catch {
      return null
    }
  }

  write({ mti, fields }: HostMessage): Buffer {
    const numbers = [...fields.keys()].toSorted((a, b) => a - b)
    const isLong = numbers.some((number) => number > 64)
    let bits = isLong ? 1n << 127n : 0n
    for (const number of numbers) bits |= 1n << BigInt((isLong ? 128 : 64) - number)
    const bitmap = bits.toString(16).padStart(isLong ? 32 : 16, '0')
    const head = this.#isPacked
      ? Buffer.from(`6000000001${mti}${bitmap}`, 'hex')
      : Buffer.from(mti + bitmap.toUpperCase(), 'latin1')
    return Buffer.concat([head, ...numbers.map((number) => this.#writeField(number, fields.get(number) ?? ''))])
  }

  #read(bytes: Buffer): HostMessage {
    const packed = this.#isPacked
    let at = packed ? 5 : 0
    const take = (size: number): Buffer => {
      const part = bytes.subarray(at, at + size)
      if (part.length < size) throw new Error('Too short.')
      at += size
      return part
    }
    const digits = (count: number): string =>
      packed
        ? take(Math.ceil(count / 2))
            .toString('hex')
            .slice(-count)
        : take(count).toString('latin1')
    const mti = digits(4)
    const bitmap = (): bigint => BigInt(`0x${packed ? take(8).toString('hex') : take(16).toString('latin1')}`)
    const first = bitmap()
    const all = first >> 63n === 1n ? (first << 64n) | bitmap() : first << 64n
    const fields = new Map<number, string>()
    for (let number = 2; number <= 128; number += 1) {
      if (((all >> BigInt(128 - number)) & 1n) === 0n) continue
      const sheet = this.#sheet(number)
      const size = sheet.isVariable ? Number(digits(sheet.size > 99 ? 3 : 2)) : sheet.size
      if (!(size <= sheet.size)) throw new Error('Too long.')
      if (sheet.kind === 'n') fields.set(number, digits(size))
      else if (sheet.kind === 't') fields.set(number, take(size).toString('latin1'))
      else fields.set(number, packed ? take(size).toString('hex') : take(size * 2).toString('latin1'))
    }
    if (at !== bytes.length || !/^[0-9]{4}$/.test(mti)) throw new Error('No message.')
    return { mti, fields }
  }

  #writeField(number: number, value: string): Buffer {
    const { kind, size, isVariable } = this.#sheet(number)
    const length = kind === 'b' ? value.length / 2 : value.length
    const prefix = isVariable ? this.#digits(String(length).padStart(size > 99 ? 3 : 2, '0')) : Buffer.alloc(0)
    if (kind === 'n') return Buffer.concat([prefix, this.#digits(isVariable ? value : value.padStart(size, '0'))])
    if (kind === 't') return Buffer.concat([prefix, Buffer.from(isVariable ? value : value.padEnd(size), 'latin1')])
    return Buffer.concat([prefix, Buffer.from(value, this.#isPacked ? 'hex' : 'latin1')])
  }

  #digits(text: string): Buffer {
    if (!this.#isPacked) return Buffer.from(text, 'latin1')
    return Buffer.from(text.length % 2 === 0 ? text : `0${text}`, 'hex')
  }

  #sheet(number: number): FieldSheet {
    const sheet = this.#fields.get(number)
    if (!sheet) throw new Error(`No field ${number}.`)
    return sheet
  }
}
