/**
 * Runs a campaign small enough for every commit: on the database server of the tests, always with the same seed. `npm run test:full` uses
 * `full` instead of `sizes`.
 */
import assert from 'node:assert/strict'
import { isFullRun } from '../tools/testing/full-run.ts'
import { type Findings, passes, type Terms } from './campaign.ts'
import { Random } from './stage/random.ts'

export async function smoke(
  sizes: Readonly<Record<string, number>>,
  run: (terms: Terms) => Promise<Findings>,
  full = sizes,
): Promise<void> {
  const chosen = isFullRun ? full : sizes
  const findings = await run({ random: new Random(1), sizes: chosen, database: 'shared' })
  const figures = findings.figures.map(
    ({ name, value, must }) => `${name}: ${value}${must === undefined ? '' : ` (${must})`}`,
  )
  assert.ok(passes(findings), [...figures, ...findings.faults].join('\n'))
}
