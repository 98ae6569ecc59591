/** When the panel stops asking for a callback that was sent again. Chapter 50 §8. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Callback } from './callback-drawer.tsx'
import { isAnswered } from './use-awaited.ts'

const attempt = (acknowledged: boolean): Callback['attempts'][number] => ({
  attempt: 1,
  at: '2026-03-01T10:00:00Z',
  acknowledged,
  httpStatus: acknowledged ? 200 : 500,
  answer: acknowledged ? 'OK' : '',
  fault: null,
  durationMs: 12,
})
const callback = (state: Callback['state'], acknowledged: readonly boolean[]): Callback => ({
  id: '01a10000-0000-7000-8000-000000000001',
  merchantId: '01a10000-0000-7000-8000-000000000002',
  paymentId: '01a10000-0000-7000-8000-000000000003',
  sequence: 1,
  url: 'https://shop.example/callback',
  contentType: 'application/x-www-form-urlencoded',
  body: 'action=SALE',
  state,
  createdAt: '2026-03-01T10:00:00Z',
  nextAt: null,
  endedAt: null,
  attempts: acknowledged.map(attempt),
})
const sent = callback('failed', [true, false])

test('a callback that waits for its next attempt is asked for again', () => {
  assert.equal(isAnswered(sent, undefined), false)
  assert.equal(isAnswered(sent, callback('due', [true, false])), false)
})

test('a delivered, failed or refused callback is answered', () => {
  assert.equal(isAnswered(sent, callback('delivered', [true, false, true])), true)
  assert.equal(isAnswered(sent, callback('failed', [true, false, false])), true)
  assert.equal(isAnswered(sent, callback('due', [true, false, false])), true)
})

test('a state that was read before its acknowledged attempt is read again', () => {
  assert.equal(isAnswered(sent, callback('due', [true, false, true])), false)
})
