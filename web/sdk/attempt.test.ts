import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentAnswer, PaymentBody, StateAnswer } from '../checkout/page-api.ts'
import { answerIn, awaitOutcome, sendAttempt } from './attempt.ts'
import { CallFailed, type PageClient } from './page-client.ts'

const order = { attempt_id: 'a-1', method: 'card' } as PaymentBody
const success: PaymentAnswer = {
  result: 'success',
  payment_id: 'p-1',
  redirect: null,
  confirmation: null,
  decline_message: null,
  same_card: false,
  declines_left: null,
}
const ready: StateAnswer = {
  state: 'ready',
  waiting_for: null,
  payment_id: null,
  redirect: null,
  confirmation: null,
  decline_message: null,
  same_card: false,
  declines_left: null,
}
const rejectAsLost = () => Promise.reject(new CallFailed(0, null))

/** Gives the answers one after the other and records the requests. */
function clientOf(pay: readonly (() => Promise<PaymentAnswer>)[], states: readonly StateAnswer[] = []) {
  const questions: string[] = []
  const client = {
    pay: ({ attempt_id }: PaymentBody) => {
      questions.push(`pay ${attempt_id}`)
      return pay[questions.filter((what) => what.startsWith('pay')).length - 1]?.() ?? assert.fail('one too many')
    },
    state: async () => {
      questions.push('state')
      return states[questions.filter((what) => what === 'state').length - 1] ?? assert.fail('one too many')
    },
  } as unknown as PageClient
  return { client, questions }
}

test('an attempt whose answer was lost is sent again under its own identifier, after asking for the state', async () => {
  const { client, questions } = clientOf([rejectAsLost, async () => success], [ready])
  assert.equal(await sendAttempt(client, order), success)
  assert.deepEqual(questions, ['pay a-1', 'state', 'pay a-1'])
})

test('an attempt that was made although its answer was lost is not sent again', async () => {
  const { client, questions } = clientOf([rejectAsLost], [{ ...ready, state: 'complete', payment_id: 'p-1' }])
  assert.deepEqual(await sendAttempt(client, order), success)
  assert.deepEqual(questions, ['pay a-1', 'state'])
})

test('a refusal is not repeated', async () => {
  const refusal = new CallFailed(400, { error_code: 250003, error_message: 'x', errors: [] })
  const { client, questions } = clientOf([() => Promise.reject(refusal)])
  await assert.rejects(sendAttempt(client, order), refusal)
  assert.deepEqual(questions, ['pay a-1'])
})

test('the outcome is polled until it is known', async () => {
  const { client } = clientOf(
    [],
    [
      { ...ready, state: 'busy' },
      { ...ready, state: 'waiting' },
      { ...ready, state: 'undefined' },
      { ...ready, state: 'declined', decline_message: 'Declined', declines_left: 2 },
    ],
  )
  const answer = await awaitOutcome(client, () => true)
  assert.deepEqual([answer?.result, answer?.decline_message, answer?.declines_left], ['decline', 'Declined', 2])
})

test('polling stops when the result is no longer wanted', async () => {
  const { client, questions } = clientOf([])
  assert.equal(await awaitOutcome(client, () => false), null)
  assert.deepEqual(questions, [])
})

for (const [state, result] of [
  ['complete', 'success'],
  ['declined', 'decline'],
  ['limit', 'decline'],
  ['waiting', 'waiting'],
  ['busy', 'waiting'],
  ['away', 'waiting'],
  ['undefined', 'undefined'],
  ['ready', undefined],
  ['expired', undefined],
  ['closed', undefined],
] as const) {
  test(`a session that is ${state} has ${result ? `the result ${result}` : 'no result'}`, () => {
    assert.equal(answerIn({ ...ready, state })?.result, result)
  })
}

test('at the limit no attempt is left, whatever number the service returns', () => {
  assert.equal(answerIn({ ...ready, state: 'limit', declines_left: null })?.declines_left, 0)
})
