import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { type Plan, runCrashPoints } from './crash-points.ts'

/**
 * Every point once and every kind of intent once, spread over each other: a process start costs more than all the rest. The campaign strikes
 * each command at each point.
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

test('whatever moves money and is killed at a durable step is carried out exactly once, or never began', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, plan)))
