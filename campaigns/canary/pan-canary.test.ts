import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { panCanary } from './pan-canary.ts'

test('card numbers and codes are found nowhere in what the gateway writes, and no code stays in memory (PCI DSS 3.3.1, 3.5.1)', () =>
  smoke({ each: 1 }, panCanary.run))
