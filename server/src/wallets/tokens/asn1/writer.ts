/** As much DER as a certificate request needs; all other code only reads DER. */
export function encode(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, ...lengthOctets(content.length)]), content])
}

export const sequence = (...parts: readonly Buffer[]): Buffer => encode(0x30, ...parts)
export const setOfOne = (part: Buffer): Buffer => encode(0x31, part)
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text))
export const bits = (bytes: Buffer): Buffer => encode(0x03, Buffer.from([0]), bytes)
export const zero = encode(0x02, Buffer.from([0]))
export const derNull = encode(0x05)

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return encode(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

function lengthOctets(length: number): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

/** Seven bits per octet, the highest bit set on all but the last. */
function base128(arc: number): readonly number[] {
  const groups = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) | 0x80)
  return groups
}
