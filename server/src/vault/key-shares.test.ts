import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { joinShares, mostShares, splitText } from './key-shares.ts'

test('any shares that are enough restore the text, in any order, and fewer do not', () => {
  const counts = fc
    .integer({ min: 2, max: mostShares })
    .chain((count) => fc.record({ count: fc.constant(count), threshold: fc.integer({ min: 2, max: count }) }))
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 100 }),
      counts,
      fc.infiniteStream(fc.nat()),
      (text, { count, threshold }, order) => {
        const shares = splitText(text, threshold, count)
          .map((share) => ({ share, at: order.next().value }))
          .toSorted((a, b) => Number(a.at) - Number(b.at))
          .map(({ share }) => share)
        const [first] = shares
        assert.equal(joinShares(shares.slice(0, threshold)), Buffer.from(text).toString('utf8'))
        assert.equal(joinShares(shares), Buffer.from(text).toString('utf8'))
        assert.equal(joinShares(shares.slice(0, threshold - 1)), null)
        assert.equal(
          joinShares(Array.from({ length: threshold }, () => first).filter((one) => one !== undefined)),
          null,
        )
      },
    ),
    { numRuns: 30 },
  )
})

test('a share alone is random: two splits of one text have different shares, of the same length as the text', () => {
  const [one, other] = [splitText('a key', 2, 3), splitText('a key', 2, 3)]
  assert.equal(one[0]?.bytes.length, 5)
  assert.ok(!one[0]?.bytes.equals(other[0]?.bytes ?? Buffer.alloc(0)))
})

test('shares of two texts are not mixed, and a changed share is noticed', () => {
  const [a, b] = [splitText('first', 2, 3), splitText('other', 2, 3)]
  assert.equal(joinShares([...a.slice(0, 1), ...b.slice(1, 2)]), null)
  const [one, two] = a
  if (!one || !two) assert.fail('There are two shares.')
  const changed = Buffer.from(two.bytes)
  changed[0] = (changed[0] ?? 0) ^ 1
  assert.equal(joinShares([one, { ...two, bytes: changed }]), null)
  assert.equal(joinShares([]), null)
})
