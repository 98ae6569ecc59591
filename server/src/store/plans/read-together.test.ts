import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Keyed, readTogether } from './read-together.ts'

/** Reads that end on request. */
function openReads() {
  const reads: (readonly string[])[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const find = readTogether<Keyed & { readonly read: number }>(async (keys) => {
    const number = reads.push(keys.map(({ id }) => id))
    const ending = Promise.withResolvers<void>()
    ends.push(ending)
    await ending.promise
    return keys.filter(({ id }) => id !== 'unknown').map(({ merchantId, id }) => ({ merchantId, id, read: number }))
  })
  const next = () => new Promise((resolve) => setImmediate(resolve))
  return { reads, ends, find, next }
}

test('keys that are asked for at once are one read, each of them once', async () => {
  const { reads, ends, find, next } = openReads()
  const all = Promise.all([find('m', 'a'), find('m', 'b'), find('m', 'a'), find('n', 'a'), find('m', 'unknown')])
  await next()
  assert.deepEqual(reads, [['a', 'b', 'a', 'unknown']])
  ends[0]?.resolve()
  const [first, second, third, other, unknown] = await all
  assert.deepEqual(
    [first, second, third, other].map((found) => `${found?.merchantId} ${found?.id}`),
    ['m a', 'm b', 'm a', 'n a'],
  )
  assert.equal(unknown, null)
})

test('a key that is asked for during its read is read again afterwards', async () => {
  const { reads, ends, find, next } = openReads()
  const before = find('m', 'a')
  await next()
  const during = find('m', 'a')
  await next()
  assert.deepEqual(reads, [['a']])
  ends[0]?.resolve()
  assert.equal((await before)?.read, 1)
  await next()
  ends[1]?.resolve()
  assert.equal((await during)?.read, 2)
})

test('a read has a bound, and the rest follows', async () => {
  const { reads, ends, find, next } = openReads()
  const all = Promise.all(Array.from({ length: 100 }, (_, index) => find('m', String(index))))
  await next()
  ends[0]?.resolve()
  await next()
  ends[1]?.resolve()
  await all
  assert.deepEqual(
    reads.map(({ length }) => length),
    [64, 36],
  )
})

test('a failure reaches every caller, and the next read goes on', async () => {
  const { ends, find, next } = openReads()
  const both = Promise.allSettled([find('m', 'a'), find('m', 'b')])
  await next()
  ends[0]?.reject(new Error('connection lost'))
  assert.deepEqual(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const again = find('m', 'a')
  await next()
  ends[1]?.resolve()
  assert.equal((await again)?.id, 'a')
})
