import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Admission, slotShares } from './slot-shares.ts'

const now = new Date('2026-03-10T12:00:00Z')
const inMs = (admission: Admission): number =>
  admission.admitted ? Number.NaN : admission.comeBackAt.getTime() - now.getTime()

function fill(shares: ReturnType<typeof slotShares>, origin: string, times: number): Admission[] {
  return Array.from({ length: times }, () => shares.enter(origin, now))
}

test('a slow origin gets a quarter of the slots and does not affect others', () => {
  const shares = slotShares(16)
  const [first] = fill(shares, 'https://slow.example', 1)
  if (first?.admitted) first.leave(9000)

  const entries = fill(shares, 'https://slow.example', 20)
  assert.equal(entries.filter(({ admitted }) => admitted).length, 4)
  assert.ok(fill(shares, 'https://other.example', 4).every(({ admitted }) => admitted))
})

test('an origin that answers quickly may use all slots', () => {
  const shares = slotShares(16)
  const [first] = fill(shares, 'https://quick.example', 1)
  if (first?.admitted) first.leave(5)
  assert.ok(fill(shares, 'https://quick.example', 16).every(({ admitted }) => admitted))
})

test('an origin that has not answered yet gets no more than its share', () => {
  assert.equal(fill(slotShares(16), 'https://new.example', 16).filter(({ admitted }) => admitted).length, 4)
})

test('refused callbacks return one by one at the pace of their origin, all within five minutes', () => {
  const shares = slotShares(16)
  const [first] = fill(shares, 'https://slow.example', 1)
  if (first?.admitted) first.leave(8000)

  const sentAway = fill(shares, 'https://slow.example', 1004).slice(4).map(inMs)
  assert.deepEqual(sentAway.slice(0, 3), [2000, 4000, 6000])
  assert.equal(Math.max(...sentAway), 300_000)
})

test('a slot that was released can be taken again', () => {
  const shares = slotShares(4)
  for (let time = 0; time < 10; time += 1) {
    const admission = shares.enter('https://slow.example', now)
    assert.ok(admission.admitted)
    assert.equal(shares.enter('https://slow.example', now).admitted, false)
    admission.leave(5000)
  }
})
