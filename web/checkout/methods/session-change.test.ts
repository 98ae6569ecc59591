/** Chapter 40 §13: the sheet's total is the session's amount, and an update after it opened closes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateAndTotal } from '../page-api.ts'
import { waitForSessionChange } from './session-change.ts'

const shown = { order: { number: '1', amount: '10.00', currency: 'EUR', description: '' }, total: '10.00' }
const now: StateAndTotal = { state: 'ready', version: 3, total: '10.00', currency: 'EUR' }

/** Gives the answers one after the other; after the last the sheet is closed. */
async function watchSession(...answers: readonly (StateAndTotal | Error)[]): Promise<boolean> {
  const closed = new AbortController()
  const left = [...answers]
  return waitForSessionChange(
    shown,
    async () => {
      const answer = left.shift()
      if (answer === undefined) closed.abort()
      if (answer instanceof Error) throw answer
      return answer ?? now
    },
    closed.signal,
  )
}

// biome-ignore format: a table is read in columns.
const rows: readonly (readonly [what: string, answers: readonly (StateAndTotal | Error)[], moved: boolean])[] = [
  ['nothing happens',                         [now, now],                                  false],
  ['an attempt was declined before',          [{ ...now, state: 'declined' }],             false],
  ['another amount',                          [now, { ...now, version: 4, total: '9.00' }], true],
  ['another amount from the beginning',       [{ ...now, total: '9.00' }],                 true],
  ['another currency',                        [{ ...now, currency: 'USD' }],               true],
  ['an update of something else',             [now, { ...now, version: 4 }],               true],
  ['paid elsewhere',                          [now, { ...now, state: 'complete' }],        true],
  ['being paid elsewhere',                    [{ ...now, state: 'busy' }],                 true],
  ['expired',                                 [now, { ...now, state: 'expired' }],         true],
  ['the service is away for a moment',        [now, new Error(), now],                     false],
  ['a service that does not tell the amount', [{ ...now, version: null, total: null, currency: null }], false],
]

for (const [what, answers, moved] of rows) {
  test(`${what}: ${moved ? 'the sheet closes' : 'the sheet stays'}`, async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const outcome = watchSession(...answers)
    const tick = setInterval(() => context.mock.timers.tick(2000), 1)
    assert.equal(await outcome, moved)
    clearInterval(tick)
  })
}
