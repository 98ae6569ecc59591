import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Buckets, type Rate, requestLimiter } from './rate-limit.ts'

class MovableClock {
  ms = Date.UTC(2026, 2, 10)
  now(): Date {
    return new Date(this.ms)
  }
}

/** How many of `tries` requests get through. */
function passing(tries: number, ask: () => { allowed: boolean }): number {
  let passed = 0
  for (let at = 0; at < tries; at += 1) if (ask().allowed) passed += 1
  return passed
}

describe('requests of one merchant key', () => {
  test('400 pass at once, then 200 each second (Chapter 10 §1.1)', () => {
    const clock = new MovableClock()
    const limiter = requestLimiter(clock)
    const ask = () => limiter.request('key', '203.0.113.7')
    assert.equal(passing(1000, ask), 400)
    clock.ms += 1000
    assert.equal(passing(1000, ask), 200)
    clock.ms += 500
    assert.equal(passing(1000, ask), 100)
    clock.ms += 3_600_000
    assert.equal(passing(1000, ask), 400)
  })

  test('a refusal tells after how many whole seconds to come back, one at least', () => {
    const clock = new MovableClock()
    const limiter = requestLimiter(clock)
    const slow: Rate = { perSecond: 0.2, burst: 1 }
    assert.deepEqual(limiter.request('key', 'a', slow), { allowed: true })
    assert.deepEqual(limiter.request('key', 'a', slow), { allowed: false, retryAfterSeconds: 5 })
    clock.ms += 4100
    assert.deepEqual(limiter.request('key', 'a', slow), { allowed: false, retryAfterSeconds: 1 })
    clock.ms += 900
    assert.deepEqual(limiter.request('key', 'a', slow), { allowed: true })
  })

  test('one merchant does not use up the rate of another, and callers of one merchant share it', () => {
    const limiter = requestLimiter(new MovableClock())
    assert.equal(
      passing(500, () => limiter.request('one', 'a')),
      400,
    )
    assert.equal(
      passing(500, () => limiter.request('one', 'b')),
      0,
    )
    assert.equal(
      passing(500, () => limiter.request('two', 'a')),
      400,
    )
  })

  test('a merchant may have its own rate', () => {
    const clock = new MovableClock()
    const limiter = requestLimiter(clock)
    const ask = () => limiter.request('key', 'a', { perSecond: 5, burst: 10 })
    assert.equal(passing(50, ask), 10)
    clock.ms += 1000
    assert.equal(passing(50, ask), 5)
  })

  test('a clock that is set back locks out no merchant', () => {
    const clock = new MovableClock()
    const limiter = requestLimiter(clock)
    assert.equal(
      passing(500, () => limiter.request('key', 'a')),
      400,
    )
    clock.ms -= 86_400_000
    assert.equal(limiter.request('key', 'a').allowed, true)
  })
})

describe('failed hashes and unknown entities', () => {
  test('40 at once and 20 each second are borne, then the caller is refused (Chapter 10 §1.3)', () => {
    const clock = new MovableClock()
    const limiter = requestLimiter(clock)
    const guess = () => {
      const permission = limiter.request('key', '203.0.113.7')
      if (permission.allowed) limiter.failure('key', '203.0.113.7')
      return permission
    }
    assert.equal(passing(100, guess), 40)
    clock.ms += 1000
    assert.equal(passing(100, guess), 20)
    const refusal = limiter.request('key', '203.0.113.7')
    assert.deepEqual(refusal, { allowed: false, retryAfterSeconds: 1 })
  })

  test('count against the key and the address together: the merchant at its own address is still served', () => {
    const limiter = requestLimiter(new MovableClock())
    for (let at = 0; at < 100; at += 1) limiter.failure('key', '198.51.100.1')
    assert.equal(limiter.request('key', '198.51.100.1').allowed, false)
    assert.equal(limiter.request('key', '203.0.113.7').allowed, true)
    assert.equal(limiter.request('other', '198.51.100.1').allowed, true)
  })

  test('a refused guesser takes nothing of the merchant’s own rate', () => {
    const limiter = requestLimiter(new MovableClock())
    for (let at = 0; at < 40; at += 1) limiter.failure('key', 'guesser')
    assert.equal(
      passing(1000, () => limiter.request('key', 'guesser')),
      0,
    )
    assert.equal(
      passing(1000, () => limiter.request('key', 'merchant')),
      400,
    )
  })
})

describe('the memory of the buckets', () => {
  const rate: Rate = { perSecond: 10, burst: 10 }

  test('never holds more buckets than its limit', () => {
    const buckets = new Buckets(new MovableClock(), 100)
    for (let at = 0; at < 10_000; at += 1) buckets.take(`key ${at}`, rate)
    assert.equal(buckets.size, 100)
  })

  test('gives up the bucket unused for longest first', () => {
    const buckets = new Buckets(new MovableClock(), 2)
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, { perSecond: 1, burst: 2 })
    assert.equal(
      passing(5, () => buckets.take('a', { perSecond: 1, burst: 2 })),
      0,
    )
    assert.equal(
      passing(5, () => buckets.take('b', { perSecond: 1, burst: 2 })),
      2,
    )
  })

  test('forgets buckets that have filled up again', () => {
    const clock = new MovableClock()
    const buckets = new Buckets(clock, 100_000)
    for (let at = 0; at < 1000; at += 1) buckets.take(`idle ${at}`, rate)
    clock.ms += 60_000
    for (let at = 0; at < 1000; at += 1) buckets.take('busy', { perSecond: 1e6, burst: 1e6 })
    assert.equal(buckets.size, 1)
  })

  test('looking takes nothing and keeps nothing', () => {
    const buckets = new Buckets(new MovableClock(), 10)
    assert.equal(
      passing(100, () => buckets.look('a', rate)),
      100,
    )
    assert.equal(buckets.size, 0)
  })
})

test('in no stretch of time do more requests pass than the burst and the rate together allow', () => {
  const rates = fc.record({ perSecond: fc.integer({ min: 1, max: 500 }), burst: fc.integer({ min: 1, max: 800 }) })
  const steps = fc.array(fc.record({ wait: fc.nat({ max: 3000 }), tries: fc.nat({ max: 300 }) }), { maxLength: 20 })
  fc.assert(
    fc.property(rates, steps, (rate, plan) => {
      const clock = new MovableClock()
      const buckets = new Buckets(clock, 10)
      const passed: number[] = []
      for (const { wait, tries } of plan) {
        clock.ms += wait
        for (let at = 0; at < tries; at += 1) if (buckets.take('key', rate).allowed) passed.push(clock.ms)
      }
      for (const from of new Set(passed)) {
        for (const to of new Set(passed)) {
          const within = passed.filter((at) => at >= from && at <= to).length
          assert.ok(within <= rate.burst + ((to - from) / 1000) * rate.perSecond + 1e-6 || to < from)
        }
      }
    }),
    { numRuns: 200 },
  )
})
