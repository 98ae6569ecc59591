import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { automaticProcesses } from './automatic-processes.ts'
import { memoryLimit } from './memory-guard.ts'
import { readOptions, startArguments } from './start-arguments.ts'

const gigabyte = 2 ** 30

// biome-ignore format: a table is read in columns.
const machines: readonly (readonly [what: string, role: 'all' | 'api', processors: number, limit: number | null, processes: number])[] = [
  ['one processor',                                       'api', 1,   null,          1],
  ['eight processors without a limit',                    'all', 8,   null,          8],
  ['eight processors with enough memory',                 'api', 8,   4 * gigabyte,  8],
  ['eight processors of which the memory holds four',     'api', 8,   2 * gigabyte,  4],
  ['the same with a worker',                              'all', 8,   2 * gigabyte,  3],
  ['memory for none',                                     'all', 8,   gigabyte / 4,  1],
  ['more processors than the supervisor may start',       'api', 256, null,          128],
]

for (const [what, role, processors, limit, processes] of machines)
  test(`--processes auto, ${what}: ${processes}`, () =>
    assert.equal(automaticProcesses(role, { processors, memoryLimit: limit }), processes))

test('--processes auto counts the processors and the memory of this machine', {
  skip: process.platform !== 'linux' && 'Several processes need Linux.',
}, () => {
  const reading = readOptions(['api', '--processes', 'auto'])
  assert.ok(reading.kind === 'start')
  const { part, processes } = startArguments(reading)
  assert.equal(part, 'supervisor')
  const here = { processors: availableParallelism(), memoryLimit: memoryLimit() }
  assert.equal(processes, automaticProcesses('api', here))
  assert.ok(processes >= 1 && processes <= availableParallelism())
})
