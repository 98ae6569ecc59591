import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { model } from './model.ts'

test('commands in any order over HTTP are answered as the reference model says', () =>
  smoke({ payments: 6, steps: 8 }, model.run))
