/**
 * Reads a value by its schema. Faults are described in our own sentences, one per kind, so that the library's wording never reaches a
 * person. A sentence that the schema itself states has precedence, because it is more specific.
 */
import type { z } from 'zod'

export interface ValueFault {
  /** The path in the value, separated by dots; empty for the value itself. */
  readonly path: string
  readonly text: string
}

type ValueReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly ValueFault[] }

export function readValue<T>(schema: z.ZodType<T>, value: unknown): ValueReading<T> {
  const reading = schema.safeParse(value, { error: sentenceOf })
  if (reading.success) return { ok: true, value: reading.data }
  return {
    ok: false,
    faults: reading.error.issues.map(({ path, message }) => ({ path: path.join('.'), text: message })),
  }
}

type Issue = z.core.$ZodRawIssue
type Sentences = { readonly [Code in Issue['code']]: (issue: Extract<Issue, { readonly code: Code }>) => string }

// biome-ignore format: a table is read in columns.
const sentences: Sentences = {
  invalid_type:      ({ input, expected }) => input === undefined ? 'This value is required.' : typeSentence(expected),
  invalid_value:     ({ values }) => values.length > mostListed ? 'This value is not one of the allowed values.' : `Must be ${listValues(values)}.`,
  invalid_format:    ({ format }) => formats[format] ?? 'This value does not have the expected format.',
  invalid_union:     () => 'This value does not have any of the allowed forms.',
  invalid_key:       () => 'A name in this value is not allowed.',
  invalid_element:   () => 'An entry of this value is not valid.',
  unrecognized_keys: ({ keys }) => `Remove ${keys.join(', ')}: ${keys.length === 1 ? 'this field is' : 'these fields are'} not known here.`,
  not_multiple_of:   ({ divisor }) => `Must be a multiple of ${divisor}.`,
  too_small:         ({ origin, minimum, inclusive }) => smallest(origin, Number(minimum), inclusive !== false),
  too_big:           ({ origin, maximum, inclusive }) => largest(origin, Number(maximum), inclusive !== false),
  custom:            () => 'This value is not valid.',
}

/** A longer list of allowed values does not help. */
const mostListed = 12

// biome-ignore format: a table is read in columns.
const types: Readonly<Record<string, string>> = {
  string: 'text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list', object: 'an object',
  record: 'an object', tuple: 'a list', null: 'null', date: 'a date', bigint: 'a whole number', map: 'an object', set: 'a list',
  file: 'a file',
}

/** The other types of the library, such as `nonoptional` and `void`, mean nothing to a person. */
function typeSentence(expected: string): string {
  const type = Object.hasOwn(types, expected) ? types[expected] : undefined
  return type === undefined ? 'This value is not of the expected type.' : `Must be ${type}.`
}

// biome-ignore format: a table is read in columns.
const formats: Readonly<Record<string, string>> = {
  email:    'Enter an e-mail address such as ann@example.com.',
  url:      'Enter a complete web address such as https://shop.example/path.',
  uuid:     'This is not an identifier.',
  guid:     'This is not an identifier.',
  datetime: 'Enter a time such as 2026-03-01T12:00:00Z.',
  date:     'Enter a date such as 2026-03-01.',
  time:     'Enter a time of day such as 09:30.',
  base64:   'This is not Base64.',
}

function sentenceOf(issue: Issue): string {
  const sentence: (issue: never) => string = sentences[issue.code]
  return sentence(issue as never)
}

function listValues(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`
}

function smallest(origin: string, minimum: number, isIncluded: boolean): string {
  const least = isIncluded ? minimum : minimum + 1
  if (origin === 'string') return least === 1 ? 'Must not be empty.' : `Enter at least ${least} characters.`
  if (isCounted(origin)) return least === 1 ? 'Enter at least one.' : `Enter at least ${least}.`
  return isIncluded ? `Must be ${minimum} or more.` : `Must be more than ${minimum}.`
}

function largest(origin: string, maximum: number, isIncluded: boolean): string {
  const most = isIncluded ? maximum : maximum - 1
  if (origin === 'string') return `Enter at most ${most} characters.`
  if (isCounted(origin)) return `Enter at most ${most}.`
  return isIncluded ? `Must be ${maximum} or less.` : `Must be less than ${maximum}.`
}

const isCounted = (origin: string): boolean => ['array', 'set', 'map', 'object'].includes(origin)
