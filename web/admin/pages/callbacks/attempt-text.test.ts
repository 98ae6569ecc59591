import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptText } from './attempt-text.ts'

test('an answer that does not acknowledge a callback is shown with the reason', () => {
  const of = (acknowledged: boolean, httpStatus: number | null, fault: string | null = null): string =>
    attemptText({ acknowledged, httpStatus, fault })
  assert.equal(of(true, 200), 'HTTP 200')
  assert.equal(of(false, 200), 'HTTP 200, but the body must begin with OK')
  assert.equal(of(false, 500), 'HTTP 500, but 200 is expected')
  assert.equal(of(false, null, 'No connection.'), 'No connection.')
})
