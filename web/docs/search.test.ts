import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SearchEntry, search } from './search.ts'

const entries: readonly SearchEntry[] = [
  ['reference-errors', '', 'Errors', 'Errors', 'Every error, and what to do about a refund that is refused.'],
  ['refunds', '', 'Refunds', 'Refunds', 'Return money to the payer.'],
  ['refunds', 'a-part', 'Refunds', 'A part', 'Refund a part with an amount.'],
  ['changelog', 'pending', 'Changelog', 'Pending', 'Refunds are faster.'],
]
const found = (query: string): readonly string[] =>
  search(entries, query).map(({ slug, anchor }) => (anchor === '' ? slug : `${slug}#${anchor}`))

test('a guide whose title has the word comes first, the changelog last', () => {
  assert.deepEqual(found('refund'), ['refunds', 'refunds#a-part', 'reference-errors', 'changelog#pending'])
})

test('every word must occur, in any case and order', () => {
  assert.deepEqual(found('AMOUNT part'), ['refunds#a-part'])
  assert.deepEqual(found('amount nothing'), [])
})

test('an empty query finds nothing', () => assert.deepEqual(found('  '), []))

test('a result shows the words in their surroundings', () => {
  assert.match(search(entries, 'refused')[0]?.excerpt ?? '', /^….*refund that is refused\.$/)
})

test('a result consists of whole words, and begins with the section if only its heading has the word', () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`)
  const excerpt = (query: string): string =>
    search([['page', 'part', 'Page', 'Heading', words.join(' ')]], query)[0]?.excerpt ?? ''
  for (const query of ['heading', ...words]) {
    const found = excerpt(query).replaceAll('…', '').split(' ')
    assert.ok(
      found.every((word) => words.includes(word)),
      excerpt(query),
    )
    if (query !== 'heading') assert.ok(found.includes(query), excerpt(query))
  }
  assert.match(excerpt('heading'), /^word0 word1 .*…$/)
})
