import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { money } from './money.ts'

test('an amount is the same money from the form to the refund, for currencies of every number of decimals', () =>
  smoke({ ...money.sizes, ...money.quick }, money.run))
