import { test } from 'node:test'
import { fuzz } from './fuzz.ts'
import { smoke } from './smoke.ts'

test('spoilt requests of every kind break nothing and are never answered with 5xx', () =>
  smoke({ inputs: 20 }, fuzz.run))
