import { test } from 'node:test'
import { ledger } from './ledger.ts'
import { smoke } from './smoke.ts'

test('postings balance after every step, and the database refuses what the rules forbid', () =>
  smoke({ payments: 20, steps: 5, lanes: 4 }, ledger.run))
