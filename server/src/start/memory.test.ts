/** A limit that cannot hold a process is said once, and does not end the process again and again. Decision 0246. */
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

/** What the process says and does at readings of its memory, in megabytes; the first is that of its start. */
async function startWith(limit: number, readings: readonly number[], processes: number | null = null) {
  const said: string[] = []
  const ended: string[] = []
  const note = (_: unknown, text?: string): void => void said.push(text ?? '')
  const log = { info: note, warn: note, error: note } as unknown as Log
  const draining = { begin: (cause: string) => void ended.push(cause) } as never
  let next = 0
  const used = (): number => (readings[next++] ?? readings.at(-1) ?? 0) * megabyte
  endBeforeMemoryLimit({ log, draining, processes, whole: limit * megabyte, used })
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
  assert.equal((await startWith(600, [110], 3)).isTooSmall, true)
  assert.equal((await startWith(2000, [110], 3)).isTooSmall, false)
})
