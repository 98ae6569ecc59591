import { test } from 'node:test'
import { races } from './races.ts'
import { smoke } from './smoke.ts'

test('commands at the same moment never give back more than was taken, nor take more than was held', () =>
  smoke({ rounds: 10, crowds: 4, mixes: 6, lanes: 4 }, races.run))
