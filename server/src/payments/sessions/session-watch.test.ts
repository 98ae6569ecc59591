import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionWatch } from './session-watch.ts'

test('a change wakes all waits for that session and no other', async () => {
  const watch = sessionWatch()
  const woken: string[] = []
  const wait = async (session: string, name: string) => {
    await watch.next(session, 60)
    woken.push(name)
  }
  const others = wait('b', 'late')
  const waiting = Promise.all([wait('a', 'one'), wait('a', 'two')])
  watch.changed('a')
  await waiting
  assert.deepEqual(woken, ['one', 'two'])
  await others
  assert.deepEqual(woken, ['one', 'two', 'late'])
})

test('a wait ends after its timeout, and a change before the wait is not remembered', async () => {
  const watch = sessionWatch()
  watch.changed('a')
  const begun = performance.now()
  await watch.next('a', 30)
  assert.ok(performance.now() - begun >= 25)
})

test('a wait begun after a change ends with the next change', async () => {
  const watch = sessionWatch()
  const first = watch.next('a', 1000)
  watch.changed('a')
  await first
  const second = watch.next('a', 1000)
  watch.changed('a')
  await second
})
