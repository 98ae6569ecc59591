import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { callbacks } from './callbacks.ts'

test('every callback reaches its merchant, in order, whatever the endpoint answers at first', () =>
  smoke({ ...callbacks.sizes, ...callbacks.quick }, callbacks.run))
