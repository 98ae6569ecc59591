import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sessionWatch } from './session-watch.ts'

const timeoutMs = 30

/** Waits whose ends are recorded by name, on a clock that moves only when the test moves it. */
function openWatch(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const watch = sessionWatch()
  const ended: string[] = []
  return {
    watch,
    wait: async (session: string, name: string) => {
      await watch.waitForChange(session, timeoutMs)
      ended.push(name)
    },
    /** Everything that was resolved by now has run when this returns. */
    endedWaits: async (): Promise<readonly string[]> => {
      await new Promise((resolve) => setImmediate(resolve))
      return [...ended]
    },
    pass: (milliseconds: number) => t.mock.timers.tick(milliseconds),
  }
}

test('a change wakes all waits for that session and no other', async (t) => {
  const { watch, wait, endedWaits, pass } = openWatch(t)
  const waits = [wait('b', 'other'), wait('a', 'one'), wait('a', 'two')]
  watch.announceChange('a')
  assert.deepEqual(await endedWaits(), ['one', 'two'])
  pass(timeoutMs)
  await Promise.all(waits)
  assert.deepEqual(await endedWaits(), ['one', 'two', 'other'])
})

test('a wait ends after its timeout and not earlier', async (t) => {
  const { wait, endedWaits, pass } = openWatch(t)
  const end = wait('a', 'one')
  pass(timeoutMs - 1)
  assert.deepEqual(await endedWaits(), [])
  pass(1)
  await end
  assert.deepEqual(await endedWaits(), ['one'])
})

test('a change before the wait is not remembered', async (t) => {
  const { watch, wait, endedWaits, pass } = openWatch(t)
  watch.announceChange('a')
  const end = wait('a', 'one')
  assert.deepEqual(await endedWaits(), [])
  pass(timeoutMs)
  await end
})

test('a wait begun after a change ends with the next change', async (t) => {
  const { watch, wait, endedWaits } = openWatch(t)
  const first = wait('a', 'first')
  watch.announceChange('a')
  await first
  const second = wait('a', 'second')
  assert.deepEqual(await endedWaits(), ['first'])
  watch.announceChange('a')
  await second
  assert.deepEqual(await endedWaits(), ['first', 'second'])
})
