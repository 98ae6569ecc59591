import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tookText } from './took.ts'

const after = (milliseconds: number): string => new Date(milliseconds).toISOString()

test('a duration is shown in the suitable unit', () => {
  assert.equal(tookText(after(0), after(98)), '98 ms')
  assert.match(tookText(after(0), after(1500)), /^1\D5 s$/)
  assert.equal(tookText(after(0), after(180_000)), '3 min')
  assert.equal(tookText(after(0), after(7_200_000)), '2 h')
})
