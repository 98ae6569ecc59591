import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { type Plan, runCrashPoints } from './crash-points.ts'

/**
 * Every point and every kind of intent at least once, combined, because starting a process is the main cost. The full campaign tests each
 * command at each point.
 */
// biome-ignore format: a table is read in columns.
const plan: Plan = [
  // command           killed
  ['SALE',             ['outcome']],
  ['CREDITVOID',       ['intent']],
  ['CASCADE_NEXT',     ['answer']],
  ['WALLET',           ['before-outcome']],
  ['CHARGE',           ['sent']],
  ['PLAN',             ['before-intent']],
]

test('a command that moves money and is killed at any durable step is executed exactly once, or never began', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, plan)))
