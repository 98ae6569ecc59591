import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { races } from './races.ts'

test('concurrent commands never refund more than was captured, nor capture more than was held, nor pay twice with a token', () =>
  smoke({ rounds: 5, crowds: 2, mixes: 3, tokens: 2, sessions: 2, lanes: 4 }, races.run, {
    ...races.sizes,
    ...races.quick,
  }))
