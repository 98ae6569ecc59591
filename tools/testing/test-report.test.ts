import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from './test-outcome.ts'
import { verdictOf } from './test-report.ts'

const outcome = (seconds: Readonly<Record<string, number>>): Outcome => ({
  files: Object.entries(seconds).map(([file, taken]) => ({ file, ok: true, seconds: taken })),
  left: [],
  ok: true,
  seconds: 1,
  counts: { tests: 1, pass: 1, fail: 0, skipped: 0 },
  failures: [],
  leaking: [],
  said: '',
})

test('a run ends with its fifteen slowest files, slowest first, and their share of the total time', () => {
  const short = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`short-${index}.test.ts`, 1]))
  const { lines } = verdictOf([outcome(short), outcome({ 'long.test.ts': 80 })], new Map(), 50)
  const at = lines.indexOf('ℹ slowest 15 of 21 files, 94 % of the total time:')
  assert.ok(at > 0, lines.join('\n'))
  assert.equal(lines[at + 1], '     80.0 s  long.test.ts')
  assert.equal(lines.length, at + 16)
})
