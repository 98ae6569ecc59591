/** `npm run check`: all static checks of the code, concurrently. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readOptions, runProgram } from './command-line.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// A log is read without colours.
const colours = process.stdout.isTTY ? 'force' : 'off'

// biome-ignore format: a table is read in columns.
const checks = [
  // what               program and arguments
  ['format and lint',  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', `--colors=${colours}`]],
  ['promises',         ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']],
  ['types',            ['node_modules/typescript/bin/tsc', '-p', '.', '--pretty', `${process.stdout.isTTY === true}`]],
  ['types of the web', ['node_modules/typescript/bin/tsc', '-p', 'web', '--pretty', `${process.stdout.isTTY === true}`]],
  ['tidiness',         ['--test', 'tools/tidy.test.ts']],
] as const

const usage = `Usage: npm run check

Checks ${checks.map(([what]) => what).join(', ')}.`

process.exitCode = await runProgram(usage, async () => {
  readOptions({})
  process.stdout.write(`Checking ${checks.map(([what]) => what).join(', ')}: a minute or two.\n`)
  const results = await Promise.all(checks.map(([what, command]) => run(what, command)))
  const hasFailed = results.some((passed) => !passed)
  if (hasFailed) process.stdout.write('\n`npm run format` fixes formatting and simple lint errors.\n')
  return hasFailed ? 1 : 0
})

/** Tells its result as soon as it has ended, so that a check that is interrupted shows how far it came. */
async function run(what: string, command: readonly string[]): Promise<boolean> {
  const begun = performance.now()
  const { passed, output } = await end(command)
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${passed ? '✔' : '✖'} ${what} (${seconds} s)\n`)
  if (!passed) process.stdout.write(`── ${what} ${'─'.repeat(60)}\n${output.trim()}\n\n`)
  return passed
}

interface Result {
  readonly passed: boolean
  readonly output: string
}

function end(command: readonly string[]): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
    })
  }
  child.on('error', (error) => resolve({ passed: false, output: error.message }))
  child.on('close', (status, signal) =>
    resolve({ passed: status === 0, output: signal === null ? output : `${output}\nEnded by ${signal}.` }),
  )
  return promise
}
