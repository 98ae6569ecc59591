import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import { callbackState, insertCallback, insertPayment, madeAt } from '../../../test/callbacks/callback-rows.ts'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import type { CallbackAttempt } from '../../contracts/ports.ts'
import { callbackRows } from './callbacks.ts'

const url = 'https://shop.example/notify'
const later = (seconds: number): Date => new Date(madeAt.getTime() + seconds * 1000)
const acknowledged: CallbackAttempt = {
  at: madeAt,
  durationMs: 12,
  httpStatus: 200,
  answer: 'OK',
  fault: null,
  acknowledged: true,
}
const refused: CallbackAttempt = { ...acknowledged, httpStatus: 500, answer: null, acknowledged: false }

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
afterEach(() => database.pool.query('truncate callbacks, callback_attempts, callback_urls, payments cascade'))

async function attemptsOf(id: string): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    'select attempt, at, duration_ms, http_status, answer, fault, acknowledged from callback_attempts where callback_id = $1 order by attempt',
    [id],
  )
  return rows
}

/** The end of an address's block, as reported by a callback claimed at this time. */
async function blockOf(address: string, at: Date): Promise<Date | null> {
  const id = await insertCallback(database.pool, await insertPayment(database.pool), { url: address, at })
  const claimed = (await callbackRows(database.pool).claim(at, 100, 60)).find((one) => one.id === id)
  assert.ok(claimed)
  return claimed.blockedUntil
}

/** Claims the only callback that is due. */
async function claimOne(leaseSeconds = 60, now = madeAt) {
  const [claimed, ...others] = await callbackRows(database.pool).claim(now, 10, leaseSeconds)
  assert.ok(claimed)
  assert.deepEqual(others, [])
  return claimed
}

describe('claim', () => {
  test('returns the callback as it was written, with the protocol of its payment', async () => {
    const payment = await insertPayment(database.pool, { protocol: 'CHECKOUT' })
    const id = await insertCallback(database.pool, payment, {
      url,
      sequence: 3,
      body: 'a=b&c=%C3%A9',
      retrySeconds: [60, 300],
    })
    assert.deepEqual(await claimOne(), {
      ...payment,
      sequence: 3,
      id,
      url,
      contentType: 'application/x-www-form-urlencoded',
      body: 'a=b&c=%C3%A9',
      attempts: 0,
      retrySeconds: [60, 300],
      protocol: 'CHECKOUT',
      blockedUntil: null,
      timedOut: false,
    })
  })

  test('reports a block of the address and its counted timeouts', async () => {
    const rows = callbackRows(database.pool)
    await rows.countTimeout(url, madeAt)
    assert.deepEqual(await blockOf(url, later(1)), null)
    await insertCallback(database.pool, await insertPayment(database.pool), { url })
    const counted = await claimOne()
    assert.deepEqual([counted.timedOut, counted.blockedUntil], [true, null])
    await rows.settle(counted, acknowledged, { state: 'delivered' })

    for (let time = 0; time < 4; time += 1) await rows.countTimeout(url, madeAt)
    await insertCallback(database.pool, await insertPayment(database.pool), { url, at: later(10) })
    const blocked = await claimOne(60, later(10))
    assert.deepEqual([blocked.timedOut, blocked.blockedUntil], [true, later(900)])
  })

  test('takes only due callbacks, oldest first, and at most the limit', async () => {
    const rows = callbackRows(database.pool)
    const at = [30, 10, 20, 100].map(later)
    const ids = []
    for (const due of at)
      ids.push(await insertCallback(database.pool, await insertPayment(database.pool), { url, at: due }))

    const first = await rows.claim(later(50), 2, 60)
    assert.deepEqual(new Set(first.map(({ id }) => id)), new Set([ids[1], ids[2]]))
    const second = await rows.claim(later(50), 2, 60)
    assert.deepEqual(
      second.map(({ id }) => id),
      [ids[0]],
    )
    assert.deepEqual(await rows.claim(later(50), 2, 60), [])
  })

  test('takes one callback per payment, the oldest undelivered one, and the next after it has ended', async () => {
    const payment = await insertPayment(database.pool)
    for (const sequence of [3, 1, 2]) await insertCallback(database.pool, payment, { url, sequence })
    const rows = callbackRows(database.pool)

    const first = await claimOne()
    assert.equal(first.sequence, 1)
    assert.equal(await rows.settle(first, refused, { state: 'due', nextAt: later(60), counts: true }), false)
    assert.deepEqual(await rows.claim(later(59), 10, 60), [])

    const again = await claimOne(60, later(60))
    assert.deepEqual([again.sequence, again.attempts], [1, 1])
    assert.equal(await rows.settle(again, { ...acknowledged, at: later(60) }, { state: 'delivered' }), true)

    const second = await claimOne(60, later(60))
    assert.equal(second.sequence, 2)
    assert.equal(await rows.settle(second, { ...refused, at: later(60) }, { state: 'failed' }), true)
    const third = await claimOne(60, later(60))
    assert.equal(third.sequence, 3)
    assert.equal(await rows.settle(third, { ...acknowledged, at: later(60) }, { state: 'delivered' }), false)
  })

  test('finds deliverable callbacks behind any number of rows that wait for an earlier callback of their payment', async () => {
    const held: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const payment = await insertPayment(database.pool)
      await insertCallback(database.pool, payment, { url, sequence: 1, at: later(300) })
      for (const sequence of [2, 3, 4, 5]) held.push(await insertCallback(database.pool, payment, { url, sequence }))
    }
    const free = await insertCallback(database.pool, await insertPayment(database.pool), { url, at: later(1) })
    const claimed = await callbackRows(database.pool).claim(later(2), 4, 60)
    assert.deepEqual(
      claimed.map(({ id }) => id),
      [free],
    )
    const states = await Promise.all(held.map((id) => callbackState(database.pool, id)))
    assert.deepEqual(new Set(states.map(({ next_at: nextAt }) => nextAt?.getTime())), new Set([later(300).getTime()]))
  })

  test('never gives one callback to two parallel claims', async () => {
    for (let index = 0; index < 100; index += 1)
      await insertCallback(database.pool, await insertPayment(database.pool), { url })
    const rows = callbackRows(database.pool)
    const claims = await Promise.all(Array.from({ length: 8 }, () => rows.claim(madeAt, 50, 60)))
    const ids = claims.flat().map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const rest = await rows.claim(madeAt, 100, 60)
    assert.equal(ids.length + rest.length, 100)
  })

  test('gives a callback again after its lease has expired, and not before', async () => {
    await insertCallback(database.pool, await insertPayment(database.pool), { url })
    const rows = callbackRows(database.pool)
    const first = await claimOne(60)
    assert.deepEqual(await rows.claim(later(3600), 10, 60), [], 'business time does not end a lease')
    await database.pool.query("update callbacks set lease_until = clock_timestamp() - interval '1 second'")
    assert.equal((await claimOne()).id, first.id)
  })
})

describe('settle', () => {
  test('writes the attempt and the new state together', async () => {
    const id = await insertCallback(database.pool, await insertPayment(database.pool), { url })
    await callbackRows(database.pool).settle(await claimOne(), acknowledged, { state: 'delivered' })

    assert.deepEqual(await callbackState(database.pool, id), {
      state: 'delivered',
      attempts: 1,
      next_at: null,
      lease_until: null,
      ended_at: new Date(madeAt.getTime() + 12),
    })
    assert.deepEqual(await attemptsOf(id), [
      { attempt: 1, at: madeAt, duration_ms: 12, http_status: 200, answer: 'OK', fault: null, acknowledged: true },
    ])
  })

  test('writes and counts no attempt for a deferred delivery', async () => {
    const id = await insertCallback(database.pool, await insertPayment(database.pool), { url })
    await callbackRows(database.pool).settle(await claimOne(), null, {
      state: 'due',
      nextAt: later(900),
      counts: false,
    })
    const { state, attempts, next_at: nextAt } = await callbackState(database.pool, id)
    assert.deepEqual({ state, attempts, nextAt }, { state: 'due', attempts: 0, nextAt: later(900) })
    assert.deepEqual(await attemptsOf(id), [])
  })

  // biome-ignore format: a table is read in columns.
  const byAnother = [
    // settled by the other worker    attempt       as
    [ 'a delivery',                   acknowledged, { state: 'delivered' } ],
    [ 'a failure',                    refused,      { state: 'failed' } ],
    [ 'an attempt to be repeated',    refused,      { state: 'due', nextAt: later(60), counts: true } ],
    [ 'a deferral',                   null,         { state: 'due', nextAt: later(900), counts: false } ],
  ] as const

  for (const [what, attempt, next] of byAnother) {
    test(`does nothing for a worker that lost its lease after another worker settled ${what}`, async () => {
      const id = await insertCallback(database.pool, await insertPayment(database.pool), { url })
      const rows = callbackRows(database.pool)
      const slow = await claimOne(0)
      await rows.settle(await claimOne(60), attempt, next)
      const [stateBefore, attemptsBefore] = [await callbackState(database.pool, id), await attemptsOf(id)]

      await rows.settle(slow, { ...acknowledged, durationMs: 99_000 }, { state: 'delivered' })
      await rows.settle(slow, refused, { state: 'due', nextAt: later(1), counts: true })
      assert.deepEqual(await callbackState(database.pool, id), stateBefore)
      assert.deepEqual(await attemptsOf(id), attemptsBefore)
    })
  }

  test('does nothing for a worker that lost its lease while a later attempt is in progress', async () => {
    const id = await insertCallback(database.pool, await insertPayment(database.pool), { url })
    const rows = callbackRows(database.pool)
    const slow = await claimOne(0)
    await rows.settle(await claimOne(60), refused, { state: 'due', nextAt: later(60), counts: true })
    const third = await claimOne(60, later(60))

    await rows.settle(slow, refused, { state: 'failed' })
    assert.equal((await callbackState(database.pool, id)).state, 'due')
    await rows.settle(third, acknowledged, { state: 'delivered' })
    assert.equal((await callbackState(database.pool, id)).state, 'delivered')
  })
})

test('a callback that is deferred while its predecessor is being settled is still brought forward', async () => {
  const payment = await insertPayment(database.pool)
  const first = await insertCallback(database.pool, payment, { url, sequence: 1 })
  const rows = callbackRows(database.pool)
  const claimed = await claimOne()

  const other = await database.pool.connect()
  await other.query('begin')
  await other.query('select from callbacks where id = $1 for update', [first])
  const settled = rows.settle(claimed, acknowledged, { state: 'delivered' })
  await untilWaiting()
  await insertCallback(database.pool, payment, { url, sequence: 2 })
  assert.deepEqual(await rows.claim(madeAt, 10, 60), [])
  await other.query('commit')
  other.release()
  await settled

  assert.equal((await claimOne()).sequence, 2)
})

/** Waits until a database session is blocked by another one's lock. */
async function untilWaiting(): Promise<void> {
  for (let looks = 0; looks < 500; looks += 1) {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('Nobody waits.')
}

describe('a URL', () => {
  test('is blocked for 15 minutes by the fifth timeout within five minutes', async () => {
    const rows = callbackRows(database.pool)
    for (const seconds of [0, 100, 200, 298]) assert.equal(await rows.countTimeout(url, later(seconds)), null)
    assert.equal(await blockOf(url, later(298)), null)
    assert.deepEqual(await rows.countTimeout(url, later(299)), later(299 + 900))

    assert.deepEqual(await blockOf(url, later(300)), later(299 + 900))
    assert.equal(await blockOf(url, later(299 + 900)), null)
    assert.equal(await blockOf('https://shop.example/other', later(300)), null)
  })

  test('is not blocked by timeouts of which fewer than five fall within five minutes', async () => {
    const rows = callbackRows(database.pool)
    for (const seconds of [0, 100, 200, 299, 301, 401, 501, 601, 702]) {
      assert.equal(await rows.countTimeout(url, later(seconds)), null, `${seconds} s`)
    }
  })

  test('is counted from zero after a block, and not during it', async () => {
    const rows = callbackRows(database.pool)
    for (let time = 0; time < 5; time += 1) await rows.countTimeout(url, madeAt)
    for (let time = 0; time < 10; time += 1) assert.equal(await rows.countTimeout(url, later(1)), null)
    assert.deepEqual(await blockOf(url, later(2)), later(900))

    for (let time = 0; time < 4; time += 1) assert.equal(await rows.countTimeout(url, later(901)), null)
    assert.equal(await blockOf(url, later(902)), null)
    assert.deepEqual(await rows.countTimeout(url, later(902)), later(902 + 900))
  })

  test('is counted from zero after a success, which does not lift a block', async () => {
    const rows = callbackRows(database.pool)
    for (let time = 0; time < 4; time += 1) await rows.countTimeout(url, madeAt)
    await rows.markReachable(url)
    for (let time = 0; time < 4; time += 1) assert.equal(await rows.countTimeout(url, madeAt), null)
    assert.ok(await rows.countTimeout(url, madeAt))
    await rows.markReachable(url)
    assert.deepEqual(await blockOf(url, later(1)), later(900))
  })

  test('is blocked once by many simultaneous timeouts', async () => {
    const rows = callbackRows(database.pool)
    const blocks = await Promise.all(Array.from({ length: 9 }, () => rows.countTimeout(url, madeAt)))
    assert.deepEqual(
      blocks.filter((until) => until !== null),
      [later(900)],
    )
  })
})
