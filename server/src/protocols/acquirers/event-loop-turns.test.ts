import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventLoopTurns } from './event-loop-turns.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a burst is divided among turns, in the order of its calls, and what comes later waits for its end', async () => {
  const waitForTurn = eventLoopTurns(2)
  const resumed: number[] = []
  const wait = async (number: number): Promise<void> => {
    await waitForTurn()
    resumed.push(number)
  }
  const all = [1, 2, 3, 4, 5].map(wait)
  assert.deepEqual(resumed, [])
  await nextTurn()
  assert.deepEqual(resumed, [1, 2])
  all.push(wait(6))
  await nextTurn()
  assert.deepEqual(resumed, [1, 2, 3, 4])
  await nextTurn()
  assert.deepEqual(resumed, [1, 2, 3, 4, 5, 6])
  await Promise.all(all)
})

test('after a pause the next caller is released in the next turn', async () => {
  const scheduled: (() => void)[] = []
  const runNext = (): void => scheduled.shift()?.()
  const waitForTurn = eventLoopTurns(1, (run) => scheduled.push(run))
  const first = waitForTurn()
  runNext()
  await first
  assert.equal(scheduled.length, 0)
  const second = waitForTurn()
  assert.equal(scheduled.length, 1)
  runNext()
  await second
})
