/**
 * Block range indexes with Bloom filters, by which values without an index of their own are found. See
 * decisions/database#values-without-an-index.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

/** A larger value of an index is compressed, and has to be unpacked for every group of pages that a search passes. */
const uncompressedBytes = 508
const header = 32

const filterBytes = (values: number, falseRate: number): number =>
  Math.ceil((values * -Math.log(falseRate)) / Math.log(2) ** 2 / 8)

test('the summaries of payments are small enough not to be compressed', async () => {
  const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')
  const filters = schema
    .split('\n')
    .filter((line) => line.includes('ON public.payments USING brin'))
    .flatMap((line) => [...line.matchAll(/n_distinct_per_range='(\d+)', false_positive_rate='([\d.]+)'/g)])
  assert.ok(filters.length >= 6, 'address, and five other values')
  for (const [text, values, falseRate] of filters)
    assert.ok(filterBytes(Number(values), Number(falseRate)) + header <= uncompressedBytes, text)
})
