/**
 * Reads an operator's JSON member by member and collects every fault with the path of its field, so that the operator can mend all of
 * them at once. A missing or faulty member still gets a placeholder value, so callers must check the faults before using any value.
 */

import { isObject } from '../json.ts'
import { accept, type Reading, refuse } from '../reading.ts'

/** `field` is a path such as `parameters.SALE[0].pattern`; the text is a sentence. */
export interface RecordFault {
  readonly field: string
  readonly text: string
}

/** Readers of nested values add the faults of their members themselves. */
export type Reader<T> = (value: unknown, path: string, faults: RecordFault[]) => Reading<T>

export interface Members {
  /** Missing or null gives `standard`. */
  readonly optional: <T, S extends T | null>(name: string, reader: Reader<T>, standard: S) => T | S
  readonly required: <T>(name: string, reader: Reader<T>, placeholder: NoInfer<T>) => T
  /** Adds a fault for every name that was not read and is none of these. */
  readonly close: (ignored?: readonly string[]) => void
}

export function membersOf(value: unknown, path: string, faults: RecordFault[]): Members {
  const record = isObject(value) ? value : {}
  if (!isObject(value)) faults.push({ field: path, text: 'Must be an object.' })
  const known = new Set<string>()
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)

  const read = <T, S>(name: string, reader: Reader<T>, standard: S, missing: string | null): T | S => {
    known.add(name)
    const member = Object.hasOwn(record, name) ? record[name] : null
    if (member === null || member === undefined) {
      if (missing !== null && isObject(value)) faults.push({ field: at(name), text: missing })
      return standard
    }
    const result = reader(member, at(name), faults)
    if (result.ok) return result.value
    faults.push({ field: at(name), text: `Must be ${result.allowed}.` })
    return standard
  }
  return {
    optional: (name, reader, standard) => read(name, reader, standard, null),
    required: (name, reader, placeholder) => read(name, reader, placeholder, 'Must be given.'),
    close: (ignored = []) => {
      const foreign = Object.keys(record).filter((name) => !known.has(name) && !ignored.includes(name))
      for (const name of foreign) faults.push({ field: at(name), text: 'Is not a field.' })
    },
  }
}

export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? accept(value) : refuse('true or false'))

export const integer =
  (low: number, high: number): Reader<number> =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high
      ? accept(value)
      : refuse(`a whole number from ${low} to ${high}`)

export const text =
  (longest: number): Reader<string> =>
  (value) =>
    typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= longest
      ? accept(value)
      : refuse(`a text of up to ${longest} characters`)

/** Accepts a regular expression, or any other object with a `test` method. */
export const matching =
  (pattern: { readonly test: (text: string) => boolean }, allowed: string): Reader<string> =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? accept(value) : refuse(allowed)

export const oneOf =
  <const T extends string>(choices: readonly T[]): Reader<T> =>
  (value) => {
    const chosen = choices.find((choice) => choice === value)
    return chosen === undefined ? refuse(`one of ${choices.join(', ')}`) : accept(chosen)
  }

/** `is` names the entries in the plural, for the fault's text. */
export const list =
  <T>(reader: Reader<T>, is: string, longest: number): Reader<readonly T[]> =>
  (value, path, faults) => {
    if (!Array.isArray(value) || value.length > longest) return refuse(`a list of up to ${longest} ${is}`)
    const entries: readonly unknown[] = value
    return accept(entries.flatMap((entry, index) => readAt(reader, entry, `${path}[${index}]`, faults)))
  }

export const distinct =
  (reader: Reader<readonly string[]>): Reader<readonly string[]> =>
  (value, path, faults) => {
    const read = reader(value, path, faults)
    if (!read.ok || new Set(read.value).size === read.value.length) return read
    return refuse('a list without repeats')
  }

/** An object whose keys are data: currencies, actions, languages. */
export const byName =
  <K extends string, T>(names: Reader<K>, reader: Reader<T>): Reader<Readonly<Partial<Record<K, T>>>> =>
  (value, path, faults) => {
    if (!isObject(value)) return refuse('an object')
    const read: Partial<Record<K, T>> = {}
    for (const [name, inner] of Object.entries(value)) {
      const [key] = readAt(names, name, `${path}.${name}`, faults)
      const [member] = readAt(reader, inner, `${path}.${name}`, faults)
      if (key !== undefined && member !== undefined) read[key] = member
    }
    return accept(read)
  }

/** Accepts `*` alone in place of `['*']`. */
export const orEverything =
  (reader: Reader<readonly string[]>): Reader<readonly string[]> =>
  (value, path, faults) => {
    if (value === '*') return accept(['*'])
    const read = reader(value, path, faults)
    return read.ok ? read : refuse(`* or ${read.allowed}`)
  }

function readAt<T>(reader: Reader<T>, value: unknown, path: string, faults: RecordFault[]): readonly T[] {
  const read = reader(value, path, faults)
  if (read.ok) return [read.value]
  faults.push({ field: path, text: `Must be ${read.allowed}.` })
  return []
}
