import { test } from 'node:test'
import { points } from './crash-plan.ts'
import { type Plan, runCrashPoints } from './crash-points.ts'
import { smoke } from './smoke.ts'

/** Every point once, and every kind of intent where it is new or just written; the campaign strikes each command at each point. */
// biome-ignore format: a table is read in columns.
const plan: Plan = [
  // command           killed
  ['SALE',             points],
  ['CREDITVOID',       ['intent']],
  ['CASCADE',          ['intent', 'outcome']],
  ['CASCADE_NEXT',     ['intent', 'outcome']],
  ['RETRY',            ['intent']],
  ['WALLET',           ['intent']],
  ['WALLET_VIRTUAL',   ['before-intent']],
  ['APM_SALE',         ['intent']],
  ['CHARGE',           ['before-intent', 'intent']],
  ['PLAN',             ['before-intent', 'intent']],
]

test('whatever moves money and is killed at a durable step is carried out exactly once, or never began', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, plan)))
