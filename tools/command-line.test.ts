import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readArguments } from '../campaigns/arguments.ts'
import type { Campaign } from '../campaigns/campaign.ts'
import { UsageError } from './command-line.ts'
import { isFullRun } from './testing/full-run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const runner = readFileSync(`${root}tools/run.mjs`, 'utf8')

/** The program of each task that is ours, from the table of tools/run.mjs; the command line has tests of its own. */
const programs = [...runner.matchAll(/^ {2}'(?<task>[\w:]+)': +\{ run: \['(?<program>[\w/-]+\.ts)'\]/gm)]
  .map(({ groups }) => ({ task: groups?.['task'] ?? '', program: groups?.['program'] ?? '' }))
  .filter(({ task }) => !['cli', 'web'].includes(task))

function run(program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}${program}`, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the programs of the npm scripts are found', () => {
  const tasks = programs.map(({ task }) => task)
  for (const task of ['test', 'campaign', 'mutants', 'evidence', 'bench', 'check', 'docs', 'new:page'])
    assert.ok(tasks.includes(task), `${task} of ${tasks.join(', ')}`)
})

/** Each start of a program loads what it measures or tests, and they share their code: one of each kind, and all in a full run. */
const kinds = ['start', 'campaign', 'check', 'new:job']
for (const { task, program } of programs.filter((one) => isFullRun || kinds.includes(one.task))) {
  test(`${task}: an unknown option gets one sentence and the usage with status 2`, () => {
    const { status, stdout, stderr } = run(program, '--frobnicate')
    assert.match(stderr, /^Unknown option '--frobnicate'\.\n\nUsage: npm (?:run \S+|test|start)/)
    assert.deepEqual([status, stdout], [2, ''])
  })
}

const heavy = ['bench/main.ts', 'campaigns/main.ts']
for (const program of [...(isFullRun ? heavy : []), 'server/src/main.ts', 'tools/check.ts', 'tools/scaffold/job.ts']) {
  test(`${program}: --help prints the usage with status 0`, () => {
    const { status, stdout, stderr } = run(program, '--help')
    assert.match(stdout, /^Usage: npm (?:run \S+|start)/, stderr)
    assert.deepEqual([status, stderr], [0, ''])
  })
}

for (const [program, args, sentence] of [
  ['bench/main.ts', ['nonsense'], 'There is no measurement nonsense.'],
  ['tools/check.ts', ['nonsense'], "Unexpected argument 'nonsense'."],
  ['tools/new-connector.ts', [], 'Give one name.'],
  ['tools/scaffold/page.ts', ['limits'], 'Give a name, a permission and a group.'],
  ['tools/scaffold/command.ts', ['merchant'], 'Give a folder, a noun and a verb.'],
  ['tools/scaffold/job.ts', [], 'Give one name.'],
  ['tools/scaffold/language.ts', ['uk'], 'Give a code, a tag, a name and a native name.'],
] as const) {
  test(`${program} ${args.join(' ')}: ${sentence}`, () => {
    const { status, stderr } = run(program, ...args)
    assert.equal(stderr.split('\n\n')[0], sentence)
    assert.equal(status, 2)
  })
}

test('a campaign that does not exist and a size that is no number are refused', () => {
  const none: readonly Campaign[] = []
  assert.throws(() => readArguments(['nonsense'], none), new UsageError('There is no campaign nonsense.'))
  assert.throws(() => readArguments(['--seed=x'], none), new UsageError('--seed takes a whole number.'))
})
