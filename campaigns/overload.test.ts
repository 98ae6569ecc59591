import { test } from 'node:test'
import { overload } from './overload.ts'
import { smoke } from './smoke.ts'

test('more requests than can be answered are refused before they have an effect, and nothing that was taken is lost', () =>
  smoke({ ...overload.sizes, seconds: 3, calibration: 1, p99Ms: 0 }, overload.run))
