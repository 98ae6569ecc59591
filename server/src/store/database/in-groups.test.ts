import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inGroups } from './in-groups.ts'

/** Writes that end on request, and the items that each received. */
function openGroups(most = 10, mayRepeat = true, patienceMs?: (item: string) => number) {
  const groups: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const write = async (items: readonly string[]): Promise<void> => {
    groups.push(items)
    begun.shift()?.()
    await new Promise<void>((resolve) => ends.push(resolve))
    if (items.includes('bad')) throw new Error(`cannot write ${items.join(' ')}`)
  }
  const put = inGroups<string, string>({
    runAlone: async (item) => {
      await write([item])
      return `${item} alone`
    },
    runTogether: async (items) => {
      await write(items)
      return (item) => `${item} of ${items.length}`
    },
    apart: (item) => item,
    most,
    mayRepeat: () => mayRepeat,
    ...(patienceMs && { patienceMs }),
  })
  const end = async (): Promise<void> => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  /** Resolves when the next write begins. */
  const begun: (() => void)[] = []
  const nextBegins = () => new Promise<void>((resolve) => begun.push(resolve))
  return { groups, put, end, nextBegins }
}

describe('writes in groups', () => {
  test('a single item is written at once, and items that arrive meanwhile are written together', async () => {
    const { groups, put, end } = openGroups()
    const all = Promise.all(['a', 'b', 'c'].map(put))
    assert.deepEqual(groups, [['a']])
    await end()
    assert.deepEqual(groups, [['a'], ['b', 'c']])
    await end()
    assert.deepEqual(await all, ['a alone', 'b of 2', 'c of 2'])
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

  test('items that may have been written are not written again, and each caller hears of it', async () => {
    const { groups, put, end } = openGroups(10, false)
    const results = Promise.allSettled(['a', 'b', 'bad'].map(put))
    for (let count = 0; count < 2; count += 1) await end()
    assert.deepEqual(
      (await results).map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected'],
    )
    assert.deepEqual(groups, [['a'], ['b', 'bad']])
  })

  const patient = (item: string): number => (item.startsWith('patient') ? 60_000 : 0)

  test('items that may wait are written with the first one that may not', async () => {
    const { groups, put, end } = openGroups(10, true, patient)
    const all = Promise.all(['patient a', 'patient b', 'c'].map(put))
    assert.deepEqual(groups, [['patient a', 'patient b', 'c']])
    await end()
    await all
  })

  test('items that may wait are written at once when they fill a group', () => {
    const { groups, put } = openGroups(2, true, patient)
    for (const item of ['patient a', 'patient b', 'patient c']) void put(item)
    assert.deepEqual(groups, [['patient a', 'patient b']])
  })

  test('items that may wait are written without company when their time has passed', async () => {
    const { groups, put, end, nextBegins } = openGroups(10, true, (item) => (item === 'a' ? 5 : 60_000))
    const begins = nextBegins()
    const all = Promise.all(['b', 'a'].map(put))
    assert.deepEqual(groups, [])
    await begins
    assert.deepEqual(groups, [['b', 'a']])
    await end()
    await all
  })

  test('a write that takes long does not hold the next ones back, up to four beside each other', async () => {
    const { groups, put, end, nextBegins } = openGroups()
    for (const item of ['a', 'b', 'c', 'd']) {
      const begins = nextBegins()
      void put(item)
      await begins
    }
    void put('e')
    assert.deepEqual(groups, [['a'], ['b'], ['c'], ['d']])
    await end()
    assert.deepEqual(groups, [['a'], ['b'], ['c'], ['d']], 'the last one is not slow yet')
    const begins = nextBegins()
    void put('f')
    await begins
    assert.deepEqual(groups.at(-1), ['e', 'f'])
  })
})
