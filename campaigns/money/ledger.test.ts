import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { ledger } from './ledger.ts'

test('postings balance after every step, and the database refuses what the rules forbid', () =>
  smoke({ payments: 10, steps: 5, lanes: 4 }, ledger.run, { ...ledger.sizes, ...ledger.quick }))
