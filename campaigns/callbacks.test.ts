import { test } from 'node:test'
import { callbacks } from './callbacks.ts'
import { smoke } from './smoke.ts'

test('every callback is kept by its merchant, in order, whatever its endpoint answers at first', () =>
  smoke({ ...callbacks.sizes, ...callbacks.quick }, callbacks.run))
