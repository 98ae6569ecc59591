import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentWithTransaction } from '../../payments/outcome/perform.ts'
import { runUntilDeadline } from './answer-deadline.ts'

const resultOf = (id: string): PaymentWithTransaction => ({ payment: { id } }) as PaymentWithTransaction

/** `recall` tells what the intent of the use became. */
const scene = (recalled: PaymentWithTransaction | null) => {
  const failures: string[] = []
  const caller = {
    merchant: { id: 'merchant' },
    operations: { recall: async () => recalled },
    ids: { next: () => 'made-use' },
    log: { error: (_: object, message: string) => failures.push(message) },
  } as unknown as Parameters<typeof runUntilDeadline>[0]
  return { caller, failures }
}

const never = () => new Promise<PaymentWithTransaction>(() => {})

test('work that ends in time gives the answer and gets the use id', async () => {
  const { caller } = scene(null)
  const uses: string[] = []
  const work = async (use: string) => {
    uses.push(use)
    return resultOf('in-time')
  }
  assert.equal((await runUntilDeadline(caller, 'given', work)).payment.id, 'in-time')
  assert.equal((await runUntilDeadline(caller, null, work)).payment.id, 'in-time')
  assert.deepEqual(uses, ['given', 'made-use'])
})

test('work that takes longer is answered with the present state of its payment', async () => {
  const { caller } = scene(resultOf('standing'))
  assert.equal((await runUntilDeadline(caller, null, never, 5)).payment.id, 'standing')
})

test('work that has not written its payment in time is a fault of the service', async () => {
  const { caller } = scene(null)
  await assert.rejects(runUntilDeadline(caller, null, never, 5), { message: 'Internal error.' })
})

test('a refusal in time is the answer; a failure after it reaches the log', async () => {
  const { caller, failures } = scene(resultOf('standing'))
  await assert.rejects(
    runUntilDeadline(caller, null, async () => Promise.reject(new Error('refused'))),
    { message: 'refused' },
  )
  let fail: (error: Error) => void = () => {}
  const late = () =>
    new Promise<PaymentWithTransaction>((_, reject) => {
      fail = reject
    })
  await runUntilDeadline(caller, null, late, 5)
  fail(new Error('late'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(failures.length, 1)
})
