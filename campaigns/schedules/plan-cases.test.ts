/** Compares the two computations of due dates, which the campaign uses as oracles, with each other and with the chapter. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { datesByHand, datesByModel, type PlanCase, planCases } from './plan-cases.ts'

const [january] = planCases('2025-12-24')

/** Chapter 10 §9.4 and §9.5, with the year of the example. */
// biome-ignore format: a table is read in columns.
const examples: readonly (readonly [title: string, planCase: Partial<PlanCase>, dates: string])[] = [
  ['chapter 10 §9.4: 1 month, N=4, from 31 January', { schedule: { paymentsCount: 4 } }, '2026-02-28 2026-03-31 2026-04-30 2026-05-31'],
  ['chapter 10 §9.5: paused 03-15, run 05-10', { schedule: { paymentsCount: 4 }, pauses: [['2026-03-15', '2026-05-10']] }, '2026-02-28 2026-05-31 2026-06-30 2026-07-31'],
  ['chapter 10 §9.5: paused 03-15, run 05-31', { schedule: { paymentsCount: 4 }, pauses: [['2026-03-15', '2026-05-31']] }, '2026-02-28 2026-05-31 2026-06-30 2026-07-31'],
]

describe('a worked example comes out of both:', () => {
  for (const [title, over, dates] of examples) {
    test(title, () => {
      const planCase = { ...(january ?? assert.fail()), ...over }
      assert.deepEqual(datesByHand(planCase, '2030-12-31'), dates.split(' '))
      assert.deepEqual(datesByModel(planCase, '2030-12-31'), dates.split(' '))
    })
  }
})

describe('ten years are the same by hand and by the model:', () => {
  for (const planCase of planCases('2026-11-15')) {
    test(planCase.name, () => {
      const dates = datesByHand(planCase, '2037-01-31')
      assert.ok(dates.length >= 8)
      assert.deepEqual(datesByModel(planCase, '2037-01-31'), dates)
    })
  }
})
