/** What `writeCurrent` promises to its callers, with a record that other processes change in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#domain/limits.ts'
import { writeCurrent } from './current-write.ts'

/** A record that other processes have changed `version` times by now; each read sees one change more. */
function stored(version: number) {
  const seen: number[] = []
  return {
    seen,
    record: 0,
    write: (read: number) => {
      seen.push(read)
      return Promise.resolve(read === version ? `written on ${read}` : null)
    },
    read: () => Promise.resolve(Math.min((seen.at(-1) ?? 0) + 1, version)),
  }
}

test('a change that no other process overtakes is written once, on the record as it was read', async () => {
  const record = stored(0)
  assert.equal(await writeCurrent(record), 'written on 0')
  assert.deepEqual(record.seen, [0])
})

test('an overtaken change is decided again on the record as it is now', async () => {
  const record = stored(2)
  assert.equal(await writeCurrent(record), 'written on 2')
  assert.deepEqual(record.seen, [0, 1, 2])
})

test('a change on the record as it was read alone is not decided again', async () => {
  const record = stored(1)
  assert.equal(await writeCurrent({ ...record, read: null }), null)
  assert.deepEqual(record.seen, [0])
})

test('a record that keeps changing is given up after a limited number of tries', async () => {
  const record = stored(1000)
  assert.equal(await writeCurrent(record), null)
  assert.equal(record.seen.length, limits.currentWrite.tries)
})
