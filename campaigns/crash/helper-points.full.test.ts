import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { runHelperPoints } from './helper-points.ts'

test('a helper that is killed at any step of a payment costs at most that payment, which is never lost or doubled', () =>
  smoke({ runs: 1 }, (terms) => runHelperPoints(terms)))
