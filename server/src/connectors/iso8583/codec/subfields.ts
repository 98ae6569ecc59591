/** Elements inside of a field: each a tag, a length and a value, written in characters. */
import { FieldError } from './field.ts'

interface SubfieldFormat {
  /** Characters of the tag. */
  readonly tag: number
  /** Digits of the length. */
  readonly length: number
}

export function writeSubfields(format: SubfieldFormat, values: readonly (readonly [string, string])[]): string {
  return values
    .map(([tag, value]) => {
      const length = String(value.length).padStart(format.length, '0')
      if (length.length > format.length) throw new FieldError(`Element ${tag} is longer than the host takes.`)
      return `${tag}${length}${value}`
    })
    .join('')
}

/** Leaves out subfields that cannot be read: no outcome depends on them. */
export function readSubfields(format: SubfieldFormat, text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const head = format.tag + format.length
  let at = 0
  while (at + head <= text.length) {
    const digits = text.slice(at + format.tag, at + head)
    if (!/^[0-9]+$/.test(digits)) break
    const end = at + head + Number(digits)
    if (end > text.length) break
    found.set(text.slice(at, at + format.tag), text.slice(at + head, end))
    at = end
  }
  return found
}
