import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PaceTerms, startPace } from './import-pace.ts'

/** Portions of these lengths, and how long the work rested after each; while it rests, time goes on. */
async function restsAfter(portions: readonly number[], terms: Partial<PaceTerms> = {}): Promise<readonly number[]> {
  let [time, rested] = [50_000, 0]
  const pause = async (ms: number): Promise<void> => {
    time += ms
    rested += ms
  }
  const pace = startPace({ isHurried: () => false, now: () => time, pause, ...terms })
  const rests: number[] = []
  for (const took of portions) {
    const before = rested
    time += took
    await pace.pause()
    rests.push(Math.round(rested - before))
  }
  return rests
}

test('after the first second of work each portion is followed by a rest in proportion to it, whatever was rested before', async () => {
  assert.deepEqual(await restsAfter([1000, 100, 200, 100]), [0, 190, 380, 190])
})

test('work that ends within a second does not rest, and of the portion that exceeds it only the excess counts', async () => {
  assert.deepEqual(await restsAfter([300, 300, 300]), [0, 0, 0])
  assert.deepEqual(await restsAfter([900, 200, 100]), [0, 190, 190])
})

test('a portion that waited for a lock is not followed by as long a rest', async () => {
  assert.deepEqual(await restsAfter([60_000, 100]), [3000, 190])
})

test('where somebody waits for the answer, all rests together have a limit', async () => {
  assert.deepEqual(await restsAfter([1000, 100, 100, 100], { restsAtMostMs: 200 }), [0, 190, 10, 0])
})

test('once the process is to end, nothing rests any more', async () => {
  let looks = 0
  const isHurried = (): boolean => {
    looks += 1
    return looks > 1
  }
  assert.deepEqual(await restsAfter([1000, 100, 100, 100], { isHurried }), [0, 190, 0, 0])
})
