import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { races } from './races.ts'

test('concurrent commands never refund more than was captured, nor capture more than was held, nor pay twice with a token', () =>
  smoke({ rounds: 10, crowds: 4, mixes: 6, tokens: 3, sessions: 4, lanes: 4 }, races.run))
