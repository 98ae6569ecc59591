import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evidenceBytesAtMost, evidenceTypeOf } from './evidence.ts'

test('evidence is recognised by its content, never by its name', () => {
  assert.equal(evidenceTypeOf(Buffer.from('%PDF-1.7')), 'application/pdf')
  assert.equal(evidenceTypeOf(Buffer.from('89504e470d0a1a0a00', 'hex')), 'image/png')
  assert.equal(evidenceTypeOf(Buffer.from('ffd8ffe0', 'hex')), 'image/jpeg')
  for (const other of ['', '%PD', '<html>', 'PK\x03\x04']) assert.equal(evidenceTypeOf(Buffer.from(other)), null)
})

test('a megabyte has a million bytes, so that no acquirer counts a file as larger', () => {
  assert.equal(evidenceBytesAtMost, 5_000_000)
})
