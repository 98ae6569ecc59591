import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { money } from './money.ts'

test('an amount stays the same from the form to the refund, for currencies with any number of decimals', () =>
  smoke({ ...money.sizes, ...money.quick }, money.run))
