import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zipOf } from './testing/zip-sample.ts'
import { readZip } from './zip.ts'

test('unpacking restores what was packed', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}\.[a-z]{2,4}$/), fc.string()), (entries) => {
      const read = readZip(zipOf(entries), 1_000_000)
      assert.ok(read.ok)
      assert.deepEqual(Object.fromEntries(read.entries.map(({ path, content }) => [path, content.toString()])), {
        ...entries,
      })
    }),
    { numRuns: 50 },
  )
})

test('a small archive cannot unpack to a large one', () => {
  const archive = zipOf({ 'a.html': 'x'.repeat(100_000) })
  assert.ok(archive.length < 1000)
  assert.deepEqual(readZip(archive, 10_000), { ok: false, fault: 'The archive contains more than 10000 bytes.' })
})

test('a false size in the directory is detected', () => {
  const archive = zipOf({ 'a.html': 'x'.repeat(1000) })
  const at = archive.lastIndexOf('PK\x01\x02')
  archive.writeUInt32LE(10, at + 24)
  assert.equal(readZip(archive, 1_000_000).ok, false)
})

test('an invalid archive is reported without an exception', () => {
  const good = zipOf({ 'a.html': 'text', 'js/b.js': 'more' })
  fc.assert(
    fc.property(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 }), (at, byte) => {
      const broken = Buffer.from(good)
      broken[at] = byte
      assert.equal(typeof readZip(broken, 1000).ok, 'boolean')
    }),
  )
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.alloc(100)])
    assert.equal(readZip(bytes, 10).ok, false)
})
