import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { heap, memoryLimit, roomOf, shareOf, watchMemory } from './memory-guard.ts'

const gigabyte = 2 ** 30

// biome-ignore format: a table is read in columns.
const limits = [
  // constrained           machine         limit
  [0,                      16 * gigabyte,  null],
  [2 ** 63,                16 * gigabyte,  null], // As the kernel states that there is none.
  [16 * gigabyte,          16 * gigabyte,  null],
  [gigabyte,               16 * gigabyte,  gigabyte],
] as const

for (const [constrained, machine, limit] of limits)
  test(`a limit of ${constrained} bytes on a machine with ${machine}: ${limit}`, () => {
    assert.equal(memoryLimit(constrained, machine), limit)
  })

test('processes of one container share its memory with their supervisor', () => {
  assert.equal(shareOf(4 * gigabyte, 3), gigabyte)
})

// biome-ignore format: a table is read in columns.
const rooms = [
  // limit  room, in megabytes
  [  100,    10],
  [  260,    52],
  [  512,    64],
  [ 4096, 409.6],
] as const

for (const [limit, room] of rooms)
  test(`of ${limit} MB, ${room} are kept free`, () => {
    assert.equal(roomOf(limit * 2 ** 20), room * 2 ** 20)
  })

/** The readings at which the guard acted, if a quarter of a second passes between them. */
async function actedAt(readings: readonly number[]): Promise<readonly number[]> {
  const acted: number[] = []
  let reading = 0
  const used = (): number => readings[reading++] ?? 0
  const guard = watchMemory({
    limit: 100,
    readUsed: used,
    onFull: (bytes) => void acted.push(bytes),
    everyMs: 1,
    clock: () => reading * 250,
  })
  for (let tries = 0; reading <= readings.length && acted.length === 0 && tries < 1000; tries += 1) await sleep(1)
  guard.stop()
  return acted
}

test('three readings above nine tenths end the process once', async () => {
  assert.deepEqual(await actedAt([50, 91, 95, 99, 99, 99]), [99])
})

test('a peak does not', async () => {
  assert.deepEqual(await actedAt([91, 99, 80, 92, 92, 90]), [])
})

test('memory that reaches the limit while requests are finished ends the process before', async () => {
  // It grows by 24 in a second: from 66 on, the next second and a half lead beyond 100.
  assert.deepEqual(await actedAt([30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90]), [72])
})

test('growth that would stay below the limit does not, nor does one that has just begun', async () => {
  assert.deepEqual(await actedAt([30, 34, 38, 42, 46, 50, 54, 58, 62, 62, 62, 62]), [])
  assert.deepEqual(await actedAt([30, 80, 80, 80, 80, 80]), [])
})

test('nor does what the next collection frees', async () => {
  assert.deepEqual(await actedAt([50, 57, 64, 50, 57, 64, 50, 57, 64, 71, 50]), [])
})

test('the heap has a limit of its own, below that of the machine', () => {
  const { limit, used } = heap()
  assert.ok(used > 2 ** 20 && used < limit)
})

test('the memory of this process is read from the system', { skip: process.platform !== 'linux' }, async () => {
  const used = await new Promise<number>((resolve) => void watchMemory({ limit: 1, onFull: resolve, everyMs: 1 }))
  assert.ok(used > 2 ** 20 && used < 64 * gigabyte)
})
