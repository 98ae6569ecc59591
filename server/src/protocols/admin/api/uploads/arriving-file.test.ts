import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { AdminRefused } from '../../../../panel/admin-refused.ts'
import { limitBytes } from './arriving-file.ts'

const silentMs = 50

test('a sender that sends nothing for the time of silence is taken for gone', async () => {
  const source = new PassThrough()
  source.write('row')
  const bytes = limitBytes(source, 1000, silentMs)
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
  const bytes = limitBytes(source, 1000, silentMs)
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
  const bytes = limitBytes(source, 4, silentMs)
  await assert.rejects(bytes.next(), (error) => error instanceof AdminRefused && error.code === 'too_large')
  assert.equal(source.destroyed, false)
})
