import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testCards } from './test-card-table.ts'

test('the test cards of the panel are those of the guide', async () => {
  const guide = await readFile(new URL('../../../../docs/guide/testing.md', import.meta.url), 'utf8')
  const plain = (text: string): string =>
    text
      .replaceAll('`', '')
      .replaceAll("'", '’')
      .replace(/\[(.+?)\]\(.+?\)/g, '$1')
  const rows = [...guide.matchAll(/^\| (`\d\d\/.+?) \| (.+) \|$/gm)].map(([, expiry = '', outcome = '']) => ({
    expiry: plain(expiry),
    outcome: plain(outcome),
  }))
  assert.deepEqual(testCards, rows)
})
