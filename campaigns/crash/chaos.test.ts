import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { chaos } from './chaos.ts'

test('broken connections and stopped processes lose and double nothing', () =>
  smoke({ ...chaos.sizes, ...chaos.quick }, chaos.run))
