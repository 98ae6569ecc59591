import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLeft, daysText, urgency } from './days-left.ts'

const now = '2026-03-01T12:00:00.000Z'

// biome-ignore format: a table is read in columns.
const rows = [
  // until                       text             tone
  ['2026-03-01T13:00:00.000Z', '0 days left',   'bad'],
  ['2026-03-02T12:00:00.000Z', '1 day left',    'bad'],
  ['2026-04-30T12:00:00.000Z', '60 days left',  'warn'],
  ['2026-06-01T12:00:00.000Z', '92 days left',  'plain'],
  ['2026-02-28T12:00:00.000Z', 'expired',       'bad'],
] as const

for (const [until, text, tone] of rows) {
  test(`a certificate that is valid until ${until} has ${text}`, () => {
    const days = daysLeft(until, now)
    assert.deepEqual([daysText(days), urgency(days)], [text, tone])
  })
}
