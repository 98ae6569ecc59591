import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, policyText } from './form-words.ts'

test('what would run is counted by its hashes alone', () => {
  const scripts = ["'unsafe-hashes'", "'sha256-AA='", "'sha256-BB='"]
  assert.match(policyText({ scripts, styles: ["'sha256-CC='"] }), /2 scripts and handlers and 1 style will be allowed/)
  assert.match(policyText({ scripts: [], styles: [] }), /no inline scripts or styles/)
})

test('sizes are told in the unit that fits', () => {
  assert.deepEqual([bytesText(12), bytesText(1536)], ['12 B', '1.5 KiB'])
})
