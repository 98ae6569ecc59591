import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { EventQueue } from './agenda.ts'

test('whatever the order of appointments and questions, each is given once, when it is due, oldest first', () => {
  const moves = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('add'), at: fc.nat(50) }),
      fc.record({ kind: fc.constant('take'), now: fc.nat(60) }),
    ),
    { maxLength: 80 },
  )
  fc.assert(
    fc.property(moves, (steps) => {
      const agenda = new EventQueue<number>()
      let waiting: number[] = []
      for (const step of steps) {
        if (step.kind === 'add') {
          agenda.add(step.at, step.at)
          waiting.push(step.at)
          continue
        }
        const due = waiting.filter((at) => at <= step.now).sort((one, other) => one - other)
        assert.deepEqual(
          agenda.take(step.now).map(({ at }) => at),
          due,
        )
        waiting = waiting.filter((at) => at > step.now)
      }
    }),
  )
})
