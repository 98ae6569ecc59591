import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { restore } from './restore.ts'

test('after a restore nothing is sent before reconciliation with the acquirers, and nothing is charged twice', () =>
  smoke({ payments: 3, plans: 2 }, restore.run))
