import { test } from 'node:test'
import { isFullRun } from '../../tools/testing/full-run.ts'
import { smoke } from '../smoke.ts'
import { type Plan, runCrashPoints } from './crash-points.ts'

/**
 * Every point at least once in a full run, and every kind of rows that a kill leaves behind otherwise, combined, because starting a process is the main cost. The full campaign tests each
 * command at each point.
 */
// biome-ignore format: a table is read in columns.
const plan: Plan = [
  // command           killed
  ['SALE',             ['outcome']],
  ['CREDITVOID',       ['intent']],
  ['CASCADE_NEXT',     ['answer']],
  ['CHARGE',           ['sent']],
]

/** They leave the same rows behind as the points next to them: an answer that is not stored, and a command that never began. */
const further: Plan = [
  ['WALLET', ['before-outcome']],
  ['PLAN', ['before-intent']],
  ['PLANS', ['intent', 'sent']],
  ['SALES', ['intent', 'before-outcome']],
]

test('a command that moves money and is killed at any durable step is executed exactly once, or never began', () =>
  smoke({ runs: 1 }, (terms) => runCrashPoints(terms, isFullRun ? [...plan, ...further] : plan)))
