import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { machineMs } from '#server/process/clock.ts'
import { StartupError } from '#server/process/startup-error.ts'
import { testDatabase } from '../../test/database.ts'
import { certainMs, clockGuard, refuseFarOff } from './clock-guard.ts'

const database = await testDatabase()
after(() => database.drop())

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const second = 1000

/** A machine whose clock can be set. */
function machine() {
  const set = { byMs: 0 }
  return { set, machineMs: () => machineMs() + set.byMs }
}

test('a clock is right, off or far off, ahead or behind', async () => {
  const { set, machineMs: at } = machine()
  const guard = clockGuard({ pool: database.pool, log: silent, machineMs: at })
  for (const [byMs, state] of [
    [0, 'right'],
    [10 * second, 'off'],
    [-10 * second, 'off'],
    [300 * second, 'far off'],
    [-300 * second, 'far off'],
  ] as const) {
    set.byMs = byMs
    assert.equal(await guard.compare(), state, String(byMs))
    // The database is ahead by as much as the machine is behind.
    assert.ok(Math.abs((guard.aheadMs ?? 0) + byMs) < 2 * second)
  }
})

test('the travel time of the query does not count as clock skew', () => {
  assert.equal(certainMs({ aheadMs: 6000, uncertainMs: 2000 }), 4000)
  assert.equal(certainMs({ aheadMs: -6000, uncertainMs: 2000 }), -4000)
  assert.ok(certainMs({ aheadMs: 1500, uncertainMs: 2000 }) === 0)
})

test('a live start with a clock that is far off is refused with a sentence', async () => {
  const { set, machineMs: at } = machine()
  const guard = clockGuard({ pool: database.pool, log: silent, machineMs: at })
  await guard.compare()
  refuseFarOff(guard)
  set.byMs = -300 * second
  await guard.compare()
  assert.throws(
    () => refuseFarOff(guard),
    (error) => error instanceof StartupError && /machine is 300 s behind the database's/.test(error.message),
  )
})

test('a clock that goes wrong in a running process is reported once, and so is its recovery', async () => {
  const { set, machineMs: at } = machine()
  const guard = clockGuard({ pool: database.pool, log: silent, machineMs: at, everyMs: 1 })
  const raised: string[] = []
  const states: string[] = []
  const changes = { next: Promise.withResolvers<void>() }
  guard.watch({
    alerts: { raise: async ({ kind, text }) => void raised.push(`${kind}: ${text}`) },
    announceChange: (state) => {
      states.push(state)
      changes.next.resolve()
    },
  })
  set.byMs = 300 * second
  await changes.next.promise
  // After many comparisons there is still one alert.
  for (let compared = 0; compared < 20; compared += 1) await guard.compare()
  changes.next = Promise.withResolvers<void>()
  set.byMs = 0
  await changes.next.promise
  guard.stop()
  assert.deepEqual(states, ['far off', 'right'])
  assert.equal(raised.length, 1)
  assert.match(
    String(raised[0]),
    /^clock-off: The clock of this machine is 300 s ahead of the database's\. .*is paused until the clocks agree/,
  )
})
