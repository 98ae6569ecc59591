import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { chaos } from './chaos.ts'

test('lines that are cut and processes that stand still lose and double nothing', () =>
  smoke({ ...chaos.sizes, ...chaos.quick }, chaos.run))
