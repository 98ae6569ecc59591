/** Chapter 50 §4, "prefer by approval rate". */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ApprovalPreference, rankByApproval, type Tally } from './approval.ts'

const preference = (change: Partial<ApprovalPreference> = {}): ApprovalPreference => ({
  method: 'thompson',
  windowMinutes: 60,
  exploration: 0.05,
  ...change,
})
const seeds = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `payment-${index}`)

/** How often each MID goes first, in a thousandth of the payments. */
function shares(tallies: Readonly<Record<string, Tally>>, chosen: ApprovalPreference, payments = 4000) {
  const first: Record<string, number> = {}
  for (const seed of seeds(payments)) {
    const [midId = ''] = rankByApproval(Object.keys(tallies), (id) => tallies[id] ?? none, chosen, seed)
    first[midId] = (first[midId] ?? 0) + 1 / payments
  }
  return (midId: string): number => first[midId] ?? 0
}

const none: Tally = { approved: 0, declined: 0 }
const rate = (percent: number, answers: number): Tally => {
  const approved = Math.round((answers * percent) / 100)
  return { approved, declined: answers - approved }
}
const methods = ['thompson', 'epsilon-greedy'] as const

const anyTally = fc.record({ approved: fc.nat(5000), declined: fc.nat(5000) })
const anyRanking = fc.record({
  tallies: fc.dictionary(fc.stringMatching(/^mid-[a-z]{1,3}$/), anyTally, { minKeys: 1, maxKeys: 6 }),
  seed: fc.uuid(),
  method: fc.constantFrom(...methods),
  exploration: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
})

describe('whatever was answered', () => {
  test('every MID is ranked once, and none is added', () => {
    fc.assert(
      fc.property(anyRanking, ({ tallies, seed, ...chosen }) => {
        const midIds = Object.keys(tallies)
        const ranked = rankByApproval(midIds, (id) => tallies[id] ?? none, preference(chosen), seed)
        assert.deepEqual(ranked.toSorted(), midIds.toSorted())
      }),
    )
  })
  test('the same payment is ranked the same, in whatever order its MIDs are named', () => {
    fc.assert(
      fc.property(anyRanking, ({ tallies, seed, ...chosen }) => {
        const rank = (midIds: readonly string[]) =>
          rankByApproval(midIds, (id) => tallies[id] ?? none, preference(chosen), seed)
        const midIds = Object.keys(tallies)
        assert.deepEqual(rank(midIds), rank(midIds.toReversed()))
      }),
    )
  })
  test('no MIDs are no order', () =>
    assert.deepEqual(
      rankByApproval([], () => none, preference(), 'payment'),
      [],
    ))
})

for (const method of methods) {
  describe(method, () => {
    test('a MID that is clearly better gets nearly all, and every other its part of the exploration', () => {
      const share = shares(
        { a: rate(90, 1000), b: rate(60, 1000), c: rate(55, 1000) },
        preference({ method, exploration: 0.15 }),
      )
      assert.ok(Math.abs(share('a') - 0.9) < 0.02, `${share('a')}`)
      for (const other of ['b', 'c']) assert.ok(Math.abs(share(other) - 0.05) < 0.015, `${share(other)}`)
    })
    test('the floor of exploration holds against any number of answers', () => {
      const share = shares({ a: rate(99, 1_000_000), b: rate(1, 1_000_000) }, preference({ method, exploration: 0.1 }))
      assert.ok(share('b') > 0.035 && share('b') < 0.065, `${share('b')}`)
    })
  })
}

describe('what is not known', () => {
  test('MIDs without an answer are tried alike by Thompson sampling', () => {
    const share = shares({ a: none, b: none, c: none, d: none }, preference())
    for (const midId of ['a', 'b', 'c', 'd']) assert.ok(Math.abs(share(midId) - 0.25) < 0.03, `${share(midId)}`)
  })
  test('a rate seen three times weighs less for Thompson sampling than one seen often', () => {
    const few = shares({ a: rate(80, 1000), b: { approved: 2, declined: 1 } }, preference())('b')
    const many = shares({ a: rate(80, 1000), b: rate(66, 1000) }, preference())('b')
    assert.ok(few > 0.15 && many < 0.05, `${few}, ${many}`)
  })
  test('epsilon-greedy goes by the rate itself, where a MID without answers stands at one half', () => {
    const share = shares({ a: rate(45, 1000), b: none }, preference({ method: 'epsilon-greedy', exploration: 0.02 }))
    assert.ok(share('b') > 0.97, `${share('b')}`)
  })
})
