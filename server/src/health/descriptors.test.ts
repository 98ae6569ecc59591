import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerRoom, descriptorLimit, neededDescriptors, watchDescriptors } from './descriptors.ts'

const settings = (connections: number) => ({ databasePool: 16, panelPool: 4, overload: { connections } })

// biome-ignore format: a table is read in columns.
const rooms = [
  // limit    MAX_CONNECTIONS  payments  panel
  [ null,     4096,            4096,     256 ],
  [ 1048576,  4096,            4096,     256 ],
  [ 1024,     4096,            398,       56 ],
  [ 1024,     100,             100,       56 ],
  [ 256,      4096,            54,        16 ],
  [ 64,       4096,            16,        16 ],
] as const

for (const [limit, connections, payments, panel] of rooms)
  test(`of ${limit ?? 'any number of'} descriptors, ${connections} connections leave room for ${payments} callers and ${panel} of the panel`, () => {
    assert.deepEqual(callerRoom(settings(connections), limit), { payments, panel })
  })

test('with as many as are needed every connection has a second descriptor', () => {
  const needed = neededDescriptors(settings(4096))
  assert.equal(callerRoom(settings(4096), needed).payments, 4096)
  assert.equal(callerRoom(settings(4096), needed - 2).payments, 4095)
})

test('the limit is the soft one of the system; without one there is none', () => {
  const text = 'Max processes             95690                95690                processes\n'
  assert.equal(
    descriptorLimit(() => `${text}Max open files            1024                 524288               files\n`),
    1024,
  )
  assert.equal(
    descriptorLimit(() => `${text}Max open files            unlimited            unlimited            files\n`),
    null,
  )
  assert.equal(
    descriptorLimit(() => {
      throw new Error('ENOENT')
    }),
    null,
  )
})

test('the log says once that four fifths are open, also if they cannot be counted any more, and once that they are free', () => {
  const lines: string[] = []
  const note = (_: object, line: string): void => void lines.push(line)
  let open: number | null = 80
  const count = (): number => {
    if (open === null) throw new Error('EMFILE')
    return open
  }
  const watched = watchDescriptors({ log: { warn: note, info: note }, limit: 100, count })
  const states: boolean[] = []
  for (const next of [80, 81, null, 100, 79]) {
    open = next
    states.push(watched.isScarce)
  }
  watched.stop()
  assert.deepEqual(states, [false, true, true, true, false])
  assert.equal(lines.length, 2)
  assert.match(lines[0] ?? '', /^81 of the 100 descriptors/)
})
