import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { AdminRefused } from '../../../../panel/admin-refused.ts'
import { limitBytes, patience } from './arriving-file.ts'

const silentMs = 50
async function countChunks(bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0
  for await (const _ of bytes) count += 1
  return count
}

const limits = { ...patience, silentMs }

test('a sender that sends nothing for the time of silence is taken for gone', async () => {
  const source = new PassThrough()
  source.write('row')
  const bytes = limitBytes(source, 1000, limits)
  assert.equal(String((await bytes.next()).value), 'row')
  await assert.rejects(
    bytes.next(),
    (error) => error instanceof AdminRefused && /The upload was cut/.test(error.message),
  )
  assert.ok(source.destroyed)
})

test('the time for which the reader keeps the sender waiting is no silence', async () => {
  const source = new PassThrough()
  source.write('one')
  const bytes = limitBytes(source, 1000, limits)
  await bytes.next()
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, silentMs * 3)
  await promise
  source.end('two')
  assert.equal(String((await bytes.next()).value), 'two')
  assert.equal((await bytes.next()).done, true)
})

test('a file that is larger than it may be is refused, and its connection stays open for the answer', async () => {
  const source = new PassThrough()
  source.write('12345')
  const bytes = limitBytes(source, 4, limits)
  await assert.rejects(bytes.next(), (error) => error instanceof AdminRefused && error.code === 'too_large')
  assert.equal(source.destroyed, false)
})

test('a sender that is never silent and yet too slow is refused, after the time that a file of its size may take', async () => {
  const source = new PassThrough()
  const bytes = limitBytes(source, 1_000_000, { silentMs: 1000, waitingMs: 100, bytesPerSecond: 1000 })
  const drip = setInterval(() => source.write('x'.repeat(5)), 10)
  const begun = performance.now()
  try {
    await assert.rejects(
      countChunks(bytes),
      (error) => error instanceof AdminRefused && /The connection is too slow/.test(error.message),
    )
  } finally {
    clearInterval(drip)
  }
  assert.ok(performance.now() - begun >= 100)
  assert.equal(source.destroyed, false, 'so that it can be answered')
})

test('the time for which a sender may keep the reader waiting grows with what it sends', async () => {
  const source = new PassThrough()
  const bytes = limitBytes(source, 1_000_000, { silentMs: 1000, waitingMs: 50, bytesPerSecond: 1000 })
  let left = 20
  const drip = setInterval(() => {
    left -= 1
    if (left < 0) source.end()
    else source.write('x'.repeat(100))
  }, 20)
  assert.equal(await countChunks(bytes).finally(() => clearInterval(drip)), 20)
})
