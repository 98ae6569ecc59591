import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { readValue } from '#server/contracts/value-faults.ts'

/** Every kind of fault that a schema can find, and its message. */
// biome-ignore format: a table is read in columns.
const cases: readonly (readonly [schema: z.ZodType, given: unknown, text: string])[] = [
  [z.object({ a: z.string() }),               {},              'This value is required.'],
  [z.string(),                                7,               'Must be text.'],
  [z.number(),                                'x',             'Must be a number.'],
  [z.int32(),                                 1.5,             'Must be a whole number.'],
  [z.boolean(),                               'yes',           'Must be true or false.'],
  [z.array(z.string()),                       'x',             'Must be a list.'],
  [z.object({}),                              [],              'Must be an object.'],
  [z.string().min(1),                         '',              'Must not be empty.'],
  [z.string().min(8),                         'x',             'Enter at least 8 characters.'],
  [z.string().max(2),                         'xyz',           'Enter at most 2 characters.'],
  [z.array(z.string()).min(1),                [],              'Enter at least one.'],
  [z.array(z.string()).max(1),                ['a', 'b'],      'Enter at most 1.'],
  [z.number().min(1),                         0,               'Must be 1 or more.'],
  [z.number().gt(1),                          1,               'Must be more than 1.'],
  [z.number().max(9),                         10,              'Must be 9 or less.'],
  [z.number().lt(9),                          9,               'Must be less than 9.'],
  [z.number().multipleOf(5),                  7,               'Must be a multiple of 5.'],
  [z.uuid(),                                  'x',             'This is not an identifier.'],
  [z.email(),                                 'x',             'Enter an e-mail address such as ann@example.com.'],
  [z.url(),                                   'x',             'Enter a complete web address such as https://shop.example/path.'],
  [z.iso.datetime(),                          'x',             'Enter a time such as 2026-03-01T12:00:00Z.'],
  [z.iso.date(),                              'x',             'Enter a date such as 2026-03-01.'],
  [z.string().regex(/^a$/),                   'x',             'This value does not have the expected format.'],
  [z.enum(['live', 'test']),                  'x',             'Must be one of live, test.'],
  [z.literal('live'),                         'x',             'Must be live.'],
  [z.strictObject({}),                        { a: 1, b: 2 },  'Remove a, b: these fields are not known here.'],
  [z.union([z.string(), z.number()]),         true,            'This value does not have any of the allowed forms.'],
  [z.record(z.enum(['a']), z.string()),       { a: 'x', b: 'x' }, 'Remove b: this field is not known here.'],
  [z.record(z.string().min(2), z.string()),   { b: 'x' },      'A name in this value is not allowed.'],
  [z.string().refine(() => false),            'x',             'This value is not valid.'],
]

test('every kind of fault has our own message', () => {
  for (const [schema, given, text] of cases) {
    const reading = readValue(schema, given)
    assert.deepEqual(reading.ok ? null : reading.faults.map((fault) => fault.text), [text])
  }
})

/** The names that the library has for types; some of them are no words of a person. */
const libraryTypes = {
  string: z.string(),
  number: z.number(),
  int: z.int(),
  boolean: z.boolean(),
  bigint: z.bigint(),
  symbol: z.symbol(),
  undefined: z.undefined(),
  null: z.null(),
  never: z.never(),
  void: z.void(),
  date: z.date(),
  array: z.array(z.string()),
  object: z.object({}),
  tuple: z.tuple([z.string()]),
  record: z.record(z.string(), z.string()),
  map: z.map(z.string(), z.string()),
  set: z.set(z.string()),
  file: z.file(),
  nonoptional: z.nonoptional(z.any()),
  nan: z.nan(),
  function: z.function(),
} as const
const sayable = new Set('text,a number,a whole number,true or false,a list,an object,null,a date,a file'.split(','))

test('a value of a wrong type is described in plain words, whatever the library calls the type', () => {
  for (const [type, schema] of Object.entries(libraryTypes))
    for (const value of [7, 'x', undefined, Number.NaN, null]) {
      const reading = readValue(schema as z.ZodType, value)
      for (const { text } of reading.ok ? [] : reading.faults) {
        const [, said] = /^Must be (.*)\.$/.exec(text) ?? []
        if (said === undefined)
          assert.match(text, /^This value is (?:required|not of the expected type|not valid)\.$/, type)
        else assert.ok(sayable.has(said), `${type}: ${text}`)
      }
    }
})

test('a fault names its place, and a message of the schema takes precedence over the general one', () => {
  const schema = z.object({ rules: z.array(z.object({ name: z.string().regex(/^a$/, 'Name a MID.') })) })
  const reading = readValue(schema, { rules: [{ name: 'a' }, { name: 'x' }] })
  assert.deepEqual(reading, { ok: false, faults: [{ path: 'rules.1.name', text: 'Name a MID.' }] })
})
