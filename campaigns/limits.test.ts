import { test } from 'node:test'
import { limits } from './limits.ts'
import { smoke } from './smoke.ts'

test('fifty payments at once exceed no limit and no retry budget, and use all the room there is', () =>
  smoke({ days: 1, crowd: 50 }, limits.run))
