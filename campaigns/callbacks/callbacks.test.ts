import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { callbacks } from './callbacks.ts'

test('every callback is kept by its merchant, in order, whatever its endpoint answers at first', () =>
  smoke({ ...callbacks.sizes, ...callbacks.quick }, callbacks.run))
