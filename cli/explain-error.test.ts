import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { explainError } from './explain-error.ts'
import { CommandError } from './kit/command-error.ts'

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('what cannot be read is explained in our words, without the text and the stack of a library', () => {
  for (const work of [() => z.object({ mid: z.string() }).parse({}), () => JSON.parse('<!doctype html>')])
    assert.equal(
      explainError(thrownBy(work)),
      'The command failed: an answer or a stored value does not have the expected form.\n' +
        'Check that no other program uses an address of this instance; "gatehouse doctor" also checks stored values.',
    )
})

test('an error of our own has its remedy, and a bug its stack', () => {
  assert.equal(explainError(new CommandError('It is closed.', 'Open it.')), 'It is closed.\nOpen it.')
  assert.match(explainError(new TypeError('x is not a function')), /^The command failed: TypeError: .*\n +at /)
})
