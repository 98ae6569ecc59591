import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { routingLearning } from './routing-learning.ts'

test('routing by approval rate finds the better MID, and follows when the rates swap', () =>
  smoke({ payments: 12_000, paymentsPerMinute: 40 }, routingLearning.run))
