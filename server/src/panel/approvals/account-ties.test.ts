import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTie, type Hold, listTied } from './account-ties.ts'

const day = (n: number): Date => new Date(Date.UTC(2026, 0, n))
/** `A>B 3`: A created B on the third day, which counts until the tenth. */
const held = (...texts: readonly string[]): readonly Hold[] =>
  texts.map((text) => {
    const [, giverId = '', userId = '', from = ''] = /^(\w)>(\w) (\d+)$/.exec(text) ?? []
    return { giverId, userId, how: 'created', at: day(Number(from)), until: day(Number(from) + 7) }
  })
const shown = (holds: readonly Hold[], one: string, other: string) => {
  const tie = findTie(holds, one, other)
  return tie && [tie.holds.map(({ giverId, userId }) => `${giverId}>${userId}`).join(' '), tie.until.getUTCDate()]
}

test('two accounts are tied if one person may control both, in either direction, by a chain, or as siblings', () => {
  assert.deepEqual(shown(held('A>B 1'), 'A', 'B'), ['A>B', 8])
  assert.deepEqual(shown(held('A>B 1'), 'B', 'A'), ['A>B', 8])
  assert.deepEqual(shown(held('A>B 3', 'B>C 1'), 'A', 'C'), ['A>B B>C', 8])
  assert.deepEqual(shown(held('A>B 1', 'A>C 2'), 'B', 'C'), ['A>B A>C', 8])
  assert.deepEqual(shown(held('A>B 1', 'B>A 2'), 'A', 'B'), ['A>B', 9])
})

test('people who had a hand in the same account are not tied to each other', () => {
  const holds = held('A>C 1', 'B>C 1', 'D>E 1')
  assert.equal(findTie(holds, 'A', 'B'), null)
  assert.equal(findTie(holds, 'C', 'E'), null)
  assert.equal(findTie([], 'A', 'B'), null)
  assert.deepEqual(listTied(holds, 'A').toSorted(), ['A', 'C'])
  assert.deepEqual(listTied(holds, 'C').toSorted(), ['A', 'B', 'C'])
  assert.deepEqual(listTied(held('A>B 1', 'A>C 1', 'C>D 1'), 'B').toSorted(), ['A', 'B', 'C', 'D'])
})

test('a tie lasts as long as one way between the two', () => {
  assert.deepEqual(shown(held('A>B 1', 'A>B 4'), 'A', 'B'), ['A>B', 11])
  assert.deepEqual(shown(held('A>B 1', 'B>C 2', 'A>C 3'), 'A', 'C'), ['A>C', 10])
})
