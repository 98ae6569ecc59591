/**
 * Runs test files in one process, one after the other: `node tools/testing/test-host.ts <file>…`. Loading the gateway takes longer than
 * most files take to run.
 *
 * Each file is a test, which begins when the one before it is over, around a suite, whose tests begin when the file was completely read, as
 * they do in a file run alone. Its hooks are hooks of that suite, so what it opened is closed before the next begins.
 */
import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { trackAsync } from './async-tracking.ts'
import { useQuickArgon2 } from './quick-argon2.ts'
import { useQuickImports } from './quick-imports.ts'
import { endedByText, leftOpenText } from './test-outcome.ts'

// Loaded later than `async-tracking.ts`.
const { after, suite, test } = await import('node:test')

useQuickImports()

let current = ''
let over = false
let open = countOpen()

for (const file of process.argv.slice(2)) {
  test(file, async () => {
    trackAsync(true)
    await reportLeftOpen()
    current = file
    useQuickArgon2(!file.endsWith('/password.test.ts'))
    suite(file, async () => {
      await import(pathToFileURL(resolve(file)).href)
      trackAsync(false)
    })
  })
}

after(async () => {
  await reportLeftOpen()
  over = true
})
// Output that the reporter has not written by then is lost, so only this line can name the file that ended the process.
process.once('exit', () => {
  if (!over) writeSync(process.stderr.fd, `\n${endedByText(current)}\n`)
})

/**
 * The runner ends the process however much is open, so that only this names the file. A server that was told to close is open until its
 * last connection has ended.
 */
async function reportLeftOpen(): Promise<void> {
  for (let tries = 0; countOpen() > open && tries < 20; tries += 1) await sleep(25)
  const now = countOpen()
  if (now > open) writeSync(process.stderr.fd, `\n${leftOpenText(current)}\n`)
  open = now
}

function countOpen(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap' || kind === 'ProcessWrap').length
}
