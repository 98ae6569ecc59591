import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { fuzz } from './fuzz.ts'

test('corrupted requests of every kind break nothing and are never answered with 5xx', () =>
  smoke({ inputs: 20 }, fuzz.run))
