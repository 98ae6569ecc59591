import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeadlineError, withinMs } from './deadline.ts'

test('work that ends in time returns its result or its error', async () => {
  assert.equal(await withinMs(1000, async () => 7), 7)
  await assert.rejects(
    withinMs(1000, async () => {
      throw new TypeError('own fault')
    }),
    TypeError,
  )
})

test('work that does not end is abandoned', async () => {
  await assert.rejects(
    withinMs(10, () => new Promise(() => {})),
    new DeadlineError('No answer within 10 ms.'),
  )
})

test('an error after the deadline has no effect', async () => {
  const late = Promise.withResolvers<never>()
  await assert.rejects(
    withinMs(1, () => late.promise),
    DeadlineError,
  )
  late.reject(new Error('too late'))
  await new Promise((resolve) => setTimeout(resolve, 5))
})
