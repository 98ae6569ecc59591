import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { limits } from './limits.ts'

test('fifty payments at once exceed no limit and no retry budget, and use all the available room', () =>
  smoke({ days: 1, crowd: 50 }, limits.run))
