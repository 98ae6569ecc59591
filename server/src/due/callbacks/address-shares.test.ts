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

/** Tries the address once, with an answer after this time. */
function tryOnce(shares: ReturnType<typeof addressShares>, address: string, tookMs: number): void {
  const entry = shares.enter(address, now)
  assert.ok(entry.admitted)
  entry.leave(tookMs)
}

test('hanging addresses delay neither one that answers quickly nor one that was never tried', () => {
  const shares = addressShares(64)
  const hanging = [1, 2, 3].map((path) => `https://shop.example/hangs/${path}`)
  for (const address of hanging) tryOnce(shares, address, 10_000)
  tryOnce(shares, 'https://shop.example/healthy', 20)
  const held = hanging.map((address) => admitted(shares, address, 64))
  assert.deepEqual(held, [12, 4, 0])
  assert.equal(admitted(shares, 'https://shop.example/healthy', 20), 20)
  assert.equal(admitted(shares, 'https://shop.example/new', 12), 12)
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

test('many slow hosts leave half of all deliveries to addresses that were never tried', () => {
  const shares = addressShares(16, 64)
  const hosts = Array.from({ length: 64 }, (_, host) => `https://hangs-${host}.example/`)
  for (const address of hosts) tryOnce(shares, address, 10_000)
  const held = hosts.map((address) => admitted(shares, address, 1))
  assert.equal(held.filter((count) => count === 1).length, 32)
  assert.equal(admitted(shares, 'https://new.example/', 3), 3)
})

test('a slow host that answers quickly again does not lift the bound of the others', () => {
  const shares = addressShares(16, 64)
  const hosts = Array.from({ length: 64 }, (_, host) => `https://hangs-${host}.example/`)
  for (const address of hosts) tryOnce(shares, address, 10_000)
  tryOnce(shares, 'https://hangs-63.example/', 20)
  const held = hosts.slice(0, 63).filter((address) => admitted(shares, address, 1) === 1)
  assert.equal(held.length, 32)
})
