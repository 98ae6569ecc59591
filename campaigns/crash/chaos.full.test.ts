import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { chaos } from './chaos.ts'

test('broken connections and stopped processes lose and double nothing', () =>
  smoke({ ...chaos.sizes, faults: 4, milliseconds: 300, pause: 100, lanes: 2, recover: 120 }, chaos.run, {
    ...chaos.sizes,
    ...chaos.quick,
  }))
