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
  const results = await Promise.all(checks.map(([what, command]) => run(what, command)))
  const failures = results.filter(({ passed }) => !passed)

  for (const { what, output } of failures) process.stdout.write(`\n── ${what} ${'─'.repeat(60)}\n${output.trim()}\n`)
  process.stdout.write(`\n${results.map(({ what, passed }) => `${passed ? '✔' : '✖'} ${what}`).join('\n')}\n`)
  if (failures.length > 0) process.stdout.write('\n`npm run format` fixes formatting and simple lint errors.\n')
  return failures.length > 0 ? 1 : 0
})

interface Result {
  readonly what: string
  readonly passed: boolean
  readonly output: string
}

function run(what: string, command: readonly string[]): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>()
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => {
      output += text
    })
  }
  child.on('error', (error) => resolve({ what, passed: false, output: error.message }))
  child.on('close', (status) => resolve({ what, passed: status === 0, output }))
  return promise
}
