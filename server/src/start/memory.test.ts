/** A limit that cannot hold a process is said once, and does not end the process again and again. See decisions/processes#memory-limits. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../contracts/ports.ts'
import { memoryCondition } from '../process/memory-guard.ts'
import { endBeforeMemoryLimit } from './memory.ts'

const megabyte = 2 ** 20

afterEach(() => {
  memoryCondition.isTooSmall = false
})

interface StartOptions {
  readonly processes?: number
  /** The readings are then those of the heap. */
  readonly heapLimit?: number
}

/** What the process says and does at readings of its memory, in megabytes; the first is that of its start. */
async function startWith(limit: number | null, readings: readonly number[], options: StartOptions = {}) {
  const said: string[] = []
  const ended: string[] = []
  const note = (_: unknown, text?: string): void => void said.push(text ?? '')
  const log = { info: note, warn: note, error: note } as unknown as Log
  const draining = { begin: (cause: string) => void ended.push(cause) } as never
  const { processes = null, heapLimit = 0 } = options
  let next = 0
  const read = (): number => (readings[next++] ?? readings.at(-1) ?? 0) * megabyte
  const readHeap = () => ({ limit: heapLimit * megabyte, used: heapLimit > 0 ? read() : 1 })
  const used = limit === null ? () => 0 : read
  endBeforeMemoryLimit({
    log,
    draining,
    processes,
    whole: limit === null ? null : limit * megabyte,
    readUsed: used,
    readHeap,
  })
  for (let waited = 0; next < readings.length + 3 && ended.length === 0 && waited < 2000; waited += 50) await sleep(50)
  return { said, ended, isTooSmall: memoryCondition.isTooSmall }
}

test('a limit that the process nearly fills when it has started is said once, and the process goes on', async () => {
  const { said, ended, isTooSmall } = await startWith(150, [110, 140, 145, 149, 149])
  assert.deepEqual([said.length, ended, isTooSmall], [1, [], true])
  assert.match(said[0] ?? '', /limit of 150 MB is too small .* uses 110 MB .* at least 400 MB/)
})

test('a limit that holds the process ends it in good order once it is nearly full', async () => {
  const { said, ended, isTooSmall } = await startWith(400, [110, 350, 350, 350])
  assert.deepEqual([said.length, ended, isTooSmall], [1, ['memory'], false])
  assert.match(said[0] ?? '', /uses nearly all of its 400 MB/)
})

test('processes of one container have their share, which may be too small although the whole is not', async () => {
  assert.equal((await startWith(600, [110], { processes: 3 })).isTooSmall, true)
  assert.equal((await startWith(2000, [110], { processes: 3 })).isTooSmall, false)
})

test('a heap that is nearly full ends the process in good order, in a container or not', async () => {
  const { said, ended, isTooSmall } = await startWith(null, [50, 230, 230, 230], { heapLimit: 280 })
  assert.deepEqual([said.length, ended, isTooSmall], [1, ['memory'], false])
  assert.match(said[0] ?? '', /nearly all of its 280 MB of heap/)
})

test('a heap that the process nearly fills when it has started does not', async () => {
  const { said, ended } = await startWith(null, [50, 100, 100, 100], { heapLimit: 110 })
  assert.deepEqual([said.length, ended], [0, []])
})
