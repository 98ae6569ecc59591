/**
 * Runs test files in one process, one after the other: `node tools/testing/test-host.ts <file>…`. Loading the gateway takes a process longer
 * than most files take to run.
 *
 * Each file is a test, which begins when the one before it is over, around a suite, whose tests begin when the file was read to its end,
 * as they do in a file by itself. Its hooks are hooks of that suite, so that what it opened is closed before the next begins.
 */
import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endedBy } from './test-outcome.ts'

let current = ''
let over = false

for (const file of process.argv.slice(2)) {
  test(file, () => {
    current = file
    suite(file, async () => {
      await import(pathToFileURL(resolve(file)).href)
    })
  })
}

process.once('beforeExit', () => {
  over = true
})
// What the reporter has not written by then is lost, so that only we can tell whose doing it was.
process.once('exit', () => {
  if (!over) writeSync(process.stderr.fd, `\n${endedBy(current)}\n`)
})
