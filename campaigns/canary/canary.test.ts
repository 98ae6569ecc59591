import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Random } from '../stage/random.ts'
import { createCanaries, shownOf } from './canary.ts'
import { flows } from './canary-flows.ts'
import { guiltyPlaces, type Trace, tracesOf } from './canary-traces.ts'

const otherNumbers = flows.flatMap(({ card }) => (card ? [card.number] : []))
const nest = { alreadyInMemory: new Set<string>(), otherNumbers }
const seeds = 300

test(`the masked part of a card never contains the code of a canary, for any of ${seeds} seeds`, () => {
  for (let seed = 0; seed < seeds; seed += 1) {
    const canaries = createCanaries(new Random(seed), flows.length * 5, nest)
    const shown = [...canaries.map(({ pan }) => pan), ...otherNumbers].flatMap(shownOf).join(' ')
    const codes = canaries.filter(({ code }) => shown.includes(code))
    assert.deepEqual(codes, [], `seed ${seed}`)
  }
})

const payments = createCanaries(new Random(1), 10, nest).map((canary, index) => ({
  ...canary,
  names: [`ORDER-${index}`],
}))

/** Rows of a table, each about one payment. */
const rows = (textOf: (code: string) => string): readonly Trace[] =>
  payments.flatMap(({ code, names }) =>
    tracesOf('table payments', JSON.stringify({ order_id: names[0], payer: { city: textOf(code) } })),
  )

// biome-ignore format: a table is read in columns.
const surroundings: readonly (readonly [string, (code: string) => string])[] = [
  ['behind a letter',          (code) => `x${code}`],
  ['in the midst of a word',   (code) => `ab${code}cd`],
  ['in a sentence',            (code) => `The code ${code} was wrong.`],
  ['in JSON inside a text',    (code) => JSON.stringify({ cvv: code })],
  ['percent-encoded',          (code) => encodeURIComponent(`"${code}"`)],
]

for (const [how, textOf] of surroundings) {
  test(`a code that stands ${how} in every row of a column is found there`, () => {
    const [found = '', ...others] = guiltyPlaces(payments, rows(textOf))
    assert.match(found, /^table payments\.payer\.city holds the codes of 10 payments/)
    assert.deepEqual(others, [])
  })
}

test('codes of other payments, and digits inside identifiers, instants and longer numbers, are not a hit', () => {
  const other = (code: string): string => payments.find((one) => one.code !== code)?.code ?? ''
  assert.deepEqual(guiltyPlaces(payments, rows(other)), [])
  assert.deepEqual(
    guiltyPlaces(
      payments,
      rows((code) => `1${code} ${code}1`),
    ),
    [],
  )
  assert.deepEqual(
    guiltyPlaces(
      payments,
      rows((code) => `0199a1b2-${code}-7e5f-8a6b-00000000${code}`),
    ),
    [],
  )
  assert.deepEqual(
    guiltyPlaces(
      payments,
      rows((code) => `2026-11-15T04:44:55.${code}Z`),
    ),
    [],
  )
})
