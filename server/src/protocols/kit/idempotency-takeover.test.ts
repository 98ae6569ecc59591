/**
 * A process stands still for longer than its lease, and another one carries its request out. What the first is then refused, it is
 * refused because of the second: that is no answer to the merchant. Chapter 10 §1.4.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { errors } from '#domain/errors.ts'
import { testDatabase } from '../../../test/database.ts'
import { RefusedError } from '../../contracts/refused-error.ts'
import { idempotencyStore } from '../../store/payments/idempotency.ts'
import { type IdempotentRequest, runOnlyOnce } from './idempotency.ts'
import type { Reply } from './reply.ts'

const database = await testDatabase()
after(() => database.drop())

const store = idempotencyStore(database.pool, {
  clock: { now: () => new Date('2026-03-10T12:00:00Z') },
  ids: { next: randomUUID, random: () => '' },
  leaseMs: 1,
})
/** Never renews the lease, like a process that has paused. */
const still = { ...store, renew: () => Promise.resolve() }

const request = (): IdempotentRequest => ({
  mode: 'live',
  merchantId: randomUUID(),
  key: randomUUID(),
  body: Buffer.from('the same'),
  errorBody: (error) => error.message,
})
const answer = (body: string): Reply => ({ http: 200, body })
const never = (): Promise<never> => assert.fail('It was carried out before.')

for (const refusal of [errors.duplicateRequest, errors.previousTransactionOpen, errors.refundNotAllowed]) {
  test(`“${refusal.message}” to the one that was too slow is not kept as the answer`, async () => {
    const once = request()
    let stored: Reply | null = null
    const recall = async (): Promise<Reply | null> => stored
    const begun = Promise.withResolvers<void>()
    const standsStill = Promise.withResolvers<void>()
    const thinks = Promise.withResolvers<void>()
    const refused = async (): Promise<Reply> => {
      begun.resolve()
      await standsStill.promise
      throw new RefusedError(refusal)
    }
    const carriedOut = async (): Promise<Reply> => {
      stored = answer('UNDEFINED')
      await thinks.promise
      return answer('SUCCESS')
    }
    const slow = runOnlyOnce(still, once, refused, recall)
    await begun.promise
    await sleep(10)
    const second = runOnlyOnce(still, once, carriedOut, recall)
    while (stored === null) await sleep(5)
    standsStill.resolve()
    assert.equal((await slow).body, 'UNDEFINED')
    thinks.resolve()
    assert.equal((await second).body, 'UNDEFINED')
    assert.equal((await runOnlyOnce(store, once, never, never)).body, 'UNDEFINED')
  })
}

test('a refusal of a request that no process executed is stored', async () => {
  const once = request()
  const refused = () => Promise.reject(new RefusedError(errors.refundNotAllowed))
  await assert.rejects(runOnlyOnce(store, once, refused, async () => null))
  assert.equal((await runOnlyOnce(store, once, never, never)).body, errors.refundNotAllowed.message)
})
