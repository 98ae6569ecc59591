/** What a process writes to its standard output, seen from outside. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const log = new URL('./log.ts', import.meta.url).href
const lines = 500

/** A program that logs and then ends in some way; returns the numbers of its lines. */
async function numbersOf(ending: string, signal?: NodeJS.Signals): Promise<readonly number[]> {
  const program = `
    import { createLog } from ${JSON.stringify(log)}
    const log = createLog()
    process.on('SIGTERM', () => {
      log.info({ count: ${lines} }, 'n')
      process.exit(0)
    })
    for (let count = 0; count < ${lines}; count += 1) log.info({ count }, 'n')
    ${ending}
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  if (signal) child.stdout.once('data', () => child.kill(signal))
  const output = await text(child.stdout)
  await ended
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line): number => JSON.parse(line).count)
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)

test('every line up to the end is written at SIGTERM, those of the handler included', async () => {
  assert.deepEqual(await numbersOf('setInterval(() => {}, 1000)', 'SIGTERM'), upTo(lines + 1))
})

test('every line is written by a process that has nothing left to do', async () => {
  assert.deepEqual(await numbersOf(''), upTo(lines))
})

test('every line before an exception is written', async () => {
  assert.deepEqual(await numbersOf("throw new Error('broken')"), upTo(lines))
})

test('an error is written at once, with the lines before it, even if the process is killed', async () => {
  const ending = `log.error({ count: ${lines} }, 'n'); process.kill(process.pid, 'SIGKILL')`
  assert.deepEqual(await numbersOf(ending), upTo(lines + 1))
})

test('lines that wait are written within milliseconds, without a further line', async () => {
  const seen = await numbersOf("setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1000)")
  assert.deepEqual(seen, upTo(lines))
})

test('lines are written in batches', async () => {
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const write = fs.writeSync
    let writes = 0
    fs.writeSync = (...rest) => { writes += 1; return write(...rest) }
    syncBuiltinESMExports()
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog()
    for (let count = 0; count < ${lines}; count += 1) log.info({ count }, 'n')
    process.once('exit', () => process.stderr.write(String(writes)))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'pipe'] })
  const writes = Number(await text(child.stderr))
  assert.ok(writes > 0 && writes < lines / 50, `${writes} writes of ${lines} lines`)
})

test('lines are written without a wait for the disk', async () => {
  const program = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let waits = 0
    for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) {
      const wait = fs[name]
      fs[name] = (...rest) => { waits += 1; return wait(...rest) }
    }
    syncBuiltinESMExports()
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog()
    for (let count = 0; count < ${lines}; count += 1) log.warn({ count }, 'n')
    process.once('exit', () => process.stderr.write(String(waits)))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [seen, waits] = await Promise.all([text(child.stdout), text(child.stderr)])
  assert.equal(seen.trim().split('\n').length, lines)
  assert.equal(waits, '0')
})

test('a process goes on if the reader of its output has gone', { timeout: 30_000 }, async () => {
  const program = `
    const { createLog } = await import(${JSON.stringify(log)})
    const log = createLog()
    process.stdin.once('data', () => {
      for (let count = 0; count < ${lines}; count += 1) log.warn({ count }, 'n')
      process.stderr.write('goes on')
      process.exit(0)
    })
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'pipe'] })
  const closed = once(child.stdout, 'close')
  child.stdout.destroy()
  await closed
  child.stdin.end('now')
  // A process that hangs in a system call ends by this signal only.
  const hangs = setTimeout(() => child.kill('SIGKILL'), 20_000)
  assert.equal(await text(child.stderr), 'goes on')
  clearTimeout(hangs)
})
