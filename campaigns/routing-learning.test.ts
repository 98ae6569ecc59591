import { test } from 'node:test'
import { routingLearning } from './routing-learning.ts'
import { smoke } from './smoke.ts'

test('routing by approval rate finds the better MID, and follows when the rates swap', () =>
  smoke({ payments: 12_000, paymentsPerMinute: 40 }, routingLearning.run))
