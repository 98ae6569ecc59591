import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { idempotency } from './idempotency.ts'

test('one idempotency key has one effect and one answer, even if the process died with the first request', () =>
  smoke({ keys: 1, copies: 12, crashes: 2, lapse: 0 }, idempotency.run))
