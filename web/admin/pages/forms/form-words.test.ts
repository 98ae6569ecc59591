import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesText, policyText } from './form-words.ts'

test('scripts and styles that would run are counted by their hashes only', () => {
  const scripts = ["'unsafe-hashes'", "'sha256-AA='", "'sha256-BB='"]
  assert.match(policyText({ scripts, styles: ["'sha256-CC='"] }), /2 scripts and handlers and 1 style will be allowed/)
  assert.match(policyText({ scripts: [], styles: [] }), /no inline scripts or styles/)
})

test('a size is shown in the suitable unit', () => {
  assert.deepEqual([bytesText(12), bytesText(1536)], ['12 B', '1.5 KiB'])
})
