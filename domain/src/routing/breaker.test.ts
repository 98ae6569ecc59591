/** Chapter 50 §4: "opens on technical failure rate, half-opens with a probe". The numbers are those of `limits.ts`. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../limits.ts'
import { afterExchange, type Breaker, healthOf, initialBreaker, type RecentExchanges, withOverride } from './breaker.ts'

const { attempts, coolDownMs, probesToClose } = limits.breaker
const start = Date.parse('2026-03-01T12:00:00Z')
const at = (ms: number): Date => new Date(start + ms)
const seen = (all: number, failed: number): RecentExchanges => ({ attempts: all, failed })
const ended = (ms: number, failed: boolean, begun = ms) => ({ begunAt: at(begun), endedAt: at(ms), failed })

const closed: Breaker = { ...initialBreaker, since: at(0) }
const open: Breaker = { ...closed, state: 'open' }
const afterProbe = (breaker: Breaker, failed: boolean, ms = coolDownMs): Breaker =>
  afterExchange(breaker, ended(ms, failed), seen(0, 0))

describe('a closed breaker', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [string, RecentExchanges, 'closed' | 'open'])[] = [
    // case                                   in the window                                    becomes
    ['half of enough exchanges failed',       seen(attempts, attempts / 2),                    'open'],
    ['all of enough exchanges failed',        seen(attempts, attempts),                        'open'],
    ['fewer than half failed',                seen(attempts, attempts / 2 - 1),                'closed'],
    ['all failed, but there were too few',    seen(attempts - 1, attempts - 1),                'closed'],
    ['half of a great many failed',           seen(attempts * 50, attempts * 25),              'open'],
  ]
  for (const [title, recent, state] of cases) {
    test(`${title}: ${state}`, () => assert.equal(afterExchange(closed, ended(10, true), recent).state, state))
  }
  test('an exchange that was answered never opens it', () => {
    assert.equal(afterExchange(closed, ended(10, false), seen(attempts, attempts - 1)), closed)
  })
  test('a failed request that was sent before it closed does not open it', () => {
    assert.equal(afterExchange(closed, ended(10, true, -1), seen(attempts, attempts)), closed)
  })
})

describe('an open breaker', () => {
  test('is open until it has cooled down, then half-open', () => {
    assert.equal(healthOf(open, at(coolDownMs - 1)), 'open')
    assert.equal(healthOf(open, at(coolDownMs)), 'half-open')
    assert.equal(healthOf(open, at(coolDownMs * 1000)), 'half-open')
  })
  test('exchanges that began before it had cooled down change nothing', () => {
    for (const failed of [true, false]) {
      assert.equal(afterExchange(open, ended(coolDownMs + 10, failed, coolDownMs - 1), seen(99, 99)), open)
    }
  })
  test('a probe that fails opens it for another cool-down', () => {
    const again = afterProbe(open, true, coolDownMs + 5)
    assert.deepEqual(again, { ...open, since: at(coolDownMs + 5) })
    assert.equal(healthOf(again, at(coolDownMs + 6)), 'open')
  })
  test('it closes after so many good probes in a row, and not before', () => {
    let breaker = open
    for (let probe = 1; probe < probesToClose; probe += 1) {
      breaker = afterProbe(breaker, false)
      assert.equal(breaker.state, 'open', `after ${probe}`)
    }
    assert.equal(afterProbe(breaker, false).state, 'closed')
    assert.equal(afterProbe(breaker, true).probes, 0)
  })
})

describe('the operator’s override', () => {
  test('keeps it open or closed whatever happens', () => {
    for (const override of ['open', 'closed'] as const) {
      const held = withOverride(override, at(0))
      assert.equal(healthOf(held, at(coolDownMs * 2)), override)
      assert.equal(afterExchange(held, ended(coolDownMs * 2, true), seen(99, 99)), held)
      assert.equal(afterExchange(held, ended(coolDownMs * 2, false), seen(99, 0)), held)
    }
  })
  test('once the override is removed it is closed and opens by itself again', () => {
    const released = withOverride(null, at(0))
    assert.equal(healthOf(released, at(1)), 'closed')
    assert.equal(afterExchange(released, ended(10, true), seen(attempts, attempts)).state, 'open')
  })
})

test('in any sequence, a breaker is open only after a failure, and for at most one cool-down after the last failure', () => {
  const step = fc.record({ afterMs: fc.nat(coolDownMs * 2), failed: fc.boolean(), recent: fc.nat(40) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let [breaker, now, failedAt]: [Breaker, number, number | null] = [closed, 0, null]
      for (const { afterMs, failed, recent } of steps) {
        now += afterMs
        if (healthOf(breaker, at(now)) === 'open') {
          assert.ok(failedAt !== null && now - failedAt < coolDownMs)
          continue
        }
        breaker = afterExchange(breaker, ended(now, failed), seen(recent, Math.ceil(recent / 2)))
        if (failed) failedAt = now
      }
    }),
  )
})
