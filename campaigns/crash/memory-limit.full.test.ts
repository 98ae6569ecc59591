import { test } from 'node:test'
import { smoke } from '../smoke.ts'
import { controlGroupFault } from './control-group.ts'
import { memoryLimit } from './memory-limit.ts'

const skip = (await controlGroupFault()) ?? false

for (const [what, buffers] of [
  ['objects', 0],
  ['buffers', 1],
] as const)
  test(`a process that leaks ${what} ends in good order before its memory limit, and nothing is lost`, { skip }, () =>
    smoke({ ...memoryLimit.sizes, ends: 1, buffers }, memoryLimit.run),
  )
