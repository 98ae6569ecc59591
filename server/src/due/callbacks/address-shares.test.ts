import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressShares } from './address-shares.ts'

const now = new Date('2026-03-10T12:00:00Z')
const admitted = (shares: ReturnType<typeof addressShares>, address: string, times: number): number =>
  Array.from({ length: times }, () => shares.enter(address, now)).filter((entry) => entry.admitted).length

test('a hanging address leaves slots of its origin to other addresses', () => {
  const shares = addressShares(64)
  assert.equal(admitted(shares, 'https://shop.example/hangs', 64), 12)
  assert.equal(admitted(shares, 'https://shop.example/healthy', 64), 4)
})

test('addresses that differ in their query share their slots', () => {
  const shares = addressShares(64)
  const entries = Array.from({ length: 64 }, (_, order) =>
    shares.enter(`https://shop.example/hangs?order=${order}`, now),
  )
  assert.equal(entries.filter((entry) => entry.admitted).length, 12)
})

test('an origin has no more than its quarter, across all paths', () => {
  const shares = addressShares(64)
  const entries = Array.from({ length: 64 }, (_, order) => shares.enter(`https://shop.example/${order}`, now))
  assert.equal(entries.filter((entry) => entry.admitted).length, 16)
})

test('a callback that the origin refuses takes no slot of its address', () => {
  const shares = addressShares(64)
  const held = Array.from({ length: 16 }, (_, order) => shares.enter(`https://shop.example/${order}`, now))
  assert.equal(admitted(shares, 'https://shop.example/late', 64), 0)
  for (const entry of held) if (entry.admitted) entry.leave(9_000)
  assert.equal(admitted(shares, 'https://shop.example/late', 64), 12)
})
