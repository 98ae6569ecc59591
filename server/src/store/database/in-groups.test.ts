import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inGroups } from './in-groups.ts'

/** Writes that end on request, and the items that each received. */
function openGroups(most = 10) {
  const groups: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const put = inGroups<string>({
    write: async (items) => {
      groups.push(items)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (items.includes('bad')) throw new Error(`cannot write ${items.join(' ')}`)
    },
    apart: (item) => item,
    most,
  })
  const end = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { groups, put, end }
}

describe('writes in groups', () => {
  test('a single item is written at once, and items that arrive meanwhile are written together', async () => {
    const { groups, put, end } = openGroups()
    const all = Promise.all(['a', 'b', 'c'].map(put))
    assert.deepEqual(groups, [['a']])
    await end()
    assert.deepEqual(groups, [['a'], ['b', 'c']])
    await end()
    await all
    void put('d')
    assert.deepEqual(groups.at(-1), ['d'])
  })

  test('no caller resolves before its own write has ended', async () => {
    const { put, end } = openGroups()
    let resolutions = 0
    for (const item of ['a', 'b']) void put(item).then(() => (resolutions += 1))
    await end()
    assert.equal(resolutions, 1)
    await end()
    assert.equal(resolutions, 2)
  })

  test('a group has a maximum size and never holds two items with the same key', async () => {
    const { groups, put, end } = openGroups(2)
    for (const item of ['a', 'b', 'b', 'c', 'd']) void put(item)
    for (let count = 0; count < 4; count += 1) await end()
    assert.deepEqual(groups, [['a'], ['b', 'c'], ['b', 'd']])
  })

  test('an item that cannot be written fails alone, without its group', async () => {
    const { groups, put, end } = openGroups()
    const results = Promise.allSettled(['a', 'b', 'bad', 'c'].map(put))
    for (let count = 0; count < 5; count += 1) await end()
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(groups, [['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']])
  })
})
